import { type Signer, signatureOf } from "./presigned-url.ts";

/** The object that a form may put, and the bucket's address. */
interface FormTarget {
  readonly url: string;
  readonly bucket: string;
  readonly key: string;
  /** Bytes that the file may have. */
  readonly most: number;
}

/** A form that anybody may post a file with for so many seconds: what it allows stands in its policy, which is what is signed. */
export const presignedForm = async (
  { url, bucket, key, most }: FormTarget,
  signer: Signer,
  now: number,
  seconds: number,
): Promise<{ readonly url: string; readonly fields: Readonly<Record<string, string>> }> => {
  const { region, credentials } = signer;
  const moment = new Date(now).toISOString().replace(/[-:]|\.\d{3}/g, "");
  const signed = {
    key,
    "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
    "X-Amz-Credential": `${credentials.accessKeyId}/${moment.slice(0, 8)}/${region}/s3/aws4_request`,
    "X-Amz-Date": moment,
    ...(credentials.sessionToken !== undefined && { "X-Amz-Security-Token": credentials.sessionToken }),
  };
  const conditions = [{ bucket }, ...Object.entries(signed).map(([name, value]) => ({ [name]: value })), ["content-length-range", 1, most]];
  const policy = JSON.stringify({ expiration: new Date(now + seconds * 1_000).toISOString(), conditions });
  const encoded = Buffer.from(policy).toString("base64");
  const signature = await signatureOf(signer).sign(encoded, { signingDate: new Date(now) });
  return { url, fields: { ...signed, Policy: encoded, "X-Amz-Signature": signature } };
};
