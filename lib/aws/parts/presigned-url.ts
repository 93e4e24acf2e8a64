import { Sha256 } from "@smithy/core/checksum";
import { SignatureV4 } from "@smithy/signature-v4";

export interface Signer {
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string | undefined };
}

/** Says that the signature does not depend on the body; the store takes that for granted of an address, so it is not sent. */
const PAYLOAD_HEADER = "x-amz-content-sha256";
const ONLY_SAID = new Set([PAYLOAD_HEADER]);

/** The store's signature, version 4. A key's path is escaped once, as it stands in the address. */
export const signatureOf = ({ region, credentials: { sessionToken, ...key } }: Signer): SignatureV4 => {
  const credentials = { ...key, ...(sessionToken !== undefined && { sessionToken }) };
  return new SignatureV4({ service: "s3", region, credentials, sha256: Sha256, uriEscapePath: false });
};

/** What an address allows; a put is of exactly so many bytes. */
export type Allowed = { readonly method: "GET" } | { readonly method: "PUT"; readonly bytes: number };

/** An address of an object that anybody may read, or put, for so many seconds: the signature stands in the query. */
export const presignedUrl = async (
  object: URL,
  signer: Signer,
  now: number,
  seconds: number,
  allowed: Allowed = { method: "GET" },
): Promise<string> => {
  const { protocol, host, hostname, pathname } = object;
  const length = allowed.method === "PUT" ? { "content-length": String(allowed.bytes) } : {};
  const headers = { host, [PAYLOAD_HEADER]: "UNSIGNED-PAYLOAD", ...length };
  const { query = {} } = await signatureOf(signer).presign(
    { method: allowed.method, protocol, hostname, path: pathname, headers },
    { signingDate: new Date(now), expiresIn: seconds, unhoistableHeaders: ONLY_SAID, unsignableHeaders: ONLY_SAID },
  );
  const url = new URL(object);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  return url.href;
};
