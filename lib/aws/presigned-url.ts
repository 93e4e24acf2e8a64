import { createHash, createHmac } from "node:crypto";

export interface Signer {
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string | undefined };
}

/**
 * An address of an object that anybody may read for so long: the store's signature, version 4, in the query. Written out because it is
 * as long as what a package would have to be told.
 */
export const presignedUrl = (object: URL, { region, credentials }: Signer, now: number, seconds: number): string => {
  const time = new Date(now).toISOString().replace(/[-:]|\.\d+/g, "");
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`;
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  const query = [
    ["X-Amz-Algorithm", "AWS4-HMAC-SHA256"],
    ["X-Amz-Credential", `${accessKeyId}/${scope}`],
    ["X-Amz-Date", time],
    ["X-Amz-Expires", String(seconds)],
    ...(sessionToken === undefined ? [] : [["X-Amz-Security-Token", sessionToken]]),
    ["X-Amz-SignedHeaders", "host"],
  ]
    .map(([name = "", value = ""]) => `${escaped(name)}=${escaped(value)}`)
    .join("&");
  const asked = ["GET", object.pathname, query, `host:${object.host}\n`, "host", "UNSIGNED-PAYLOAD"].join("\n");
  const text = ["AWS4-HMAC-SHA256", time, scope, createHash("sha256").update(asked).digest("hex")].join("\n");
  const key = scope.split("/").reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  return `${object.href}?${query}&X-Amz-Signature=${hmac(key, text).toString("hex")}`;
};

const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/** As the signature wants it: `encodeURIComponent` leaves five characters as they are that it escapes. */
const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
