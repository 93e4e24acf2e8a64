import { Sha256 } from "@smithy/core/checksum";
import { SignatureV4 } from "@smithy/signature-v4";
import type { Mail } from "../ports/mail.ts";

const PATH = "/v2/email/outbound-emails";
const REQUEST_TIMEOUT_MS = 5_000;
/** How much of a refusal the log keeps. */
const REASON_CHARACTERS = 200;

export interface MailPlace {
  /** The mail service of the region. */
  readonly url: string;
  /** The sender: an identity that the account has verified. */
  readonly from: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string };
}

/** Letters through SES: one request, signed by the signer that the table's client brings along. */
export const openMail = ({ url, from, region, credentials }: MailPlace): Mail => {
  const { protocol, host, hostname } = new URL(url);
  const signer = new SignatureV4({ service: "ses", region, credentials, sha256: Sha256 });
  return {
    async send({ to, subject, text }) {
      const simple = { Subject: { Data: subject, Charset: "UTF-8" }, Body: { Text: { Data: text, Charset: "UTF-8" } } };
      const body = JSON.stringify({ FromEmailAddress: from, Destination: { ToAddresses: to }, Content: { Simple: simple } });
      const headers = { host, "content-type": "application/json" };
      const signed = await signer.sign({ method: "POST", protocol, hostname, path: PATH, headers, body });
      const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
      const reply = await fetch(new URL(PATH, url), { method: "POST", headers: signed.headers, body, signal });
      const answer = await reply.text();
      if (!reply.ok) throw new Error(`the mail service answered ${reply.status}: ${answer.slice(0, REASON_CHARACTERS)}`);
    },
  };
};
