import { Sha256 } from "@smithy/core/checksum";
import { SignatureV4 } from "@smithy/signature-v4";

export interface Signer {
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string | undefined };
}

/** Says that the signature does not depend on the body; the store takes that for granted of an address, so it is not sent. */
const PAYLOAD_HEADER = "x-amz-content-sha256";
const ONLY_SAID = new Set([PAYLOAD_HEADER]);

/** An address of an object that anybody may read for so many seconds: the store's signature, version 4, in the query. */
export const presignedUrl = async (
  object: URL,
  { region, credentials: { sessionToken, ...key } }: Signer,
  now: number,
  seconds: number,
): Promise<string> => {
  const credentials = { ...key, ...(sessionToken !== undefined && { sessionToken }) };
  // A key's path is escaped once, as it stands in the address.
  const signer = new SignatureV4({ service: "s3", region, credentials, sha256: Sha256, uriEscapePath: false });
  const { protocol, host, hostname, pathname } = object;
  const headers = { host, [PAYLOAD_HEADER]: "UNSIGNED-PAYLOAD" };
  const { query = {} } = await signer.presign(
    { method: "GET", protocol, hostname, path: pathname, headers },
    { signingDate: new Date(now), expiresIn: seconds, unhoistableHeaders: ONLY_SAID, unsignableHeaders: ONLY_SAID },
  );
  const url = new URL(object);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  return url.href;
};
