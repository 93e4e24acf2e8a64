import type { Mail } from "../../ports/mail.ts";
import { type SignedPlace, signedPost } from "./signed-post.ts";

const SES = {
  service: "ses",
  called: "mail service",
  path: "/v2/email/outbound-emails",
  contentType: "application/json",
  timeoutMs: 5_000,
};

export interface MailPlace extends SignedPlace {
  /** The sender: an identity that the account has verified. */
  readonly from: string;
}

/** Letters through SES. */
export const openMail = ({ from, ...place }: MailPlace): Mail => {
  const post = signedPost(place, SES);
  return {
    async send({ to, subject, text }) {
      const simple = { Subject: { Data: subject, Charset: "UTF-8" }, Body: { Text: { Data: text, Charset: "UTF-8" } } };
      const body = JSON.stringify({ FromEmailAddress: from, Destination: { ToAddresses: to }, Content: { Simple: simple } });
      await post(body).catch((fault: unknown) => {
        throw new Error(withoutAddresses(String(fault)));
      });
    },
  };
};

/** The service names in its refusals whom a letter was for, which belongs in no log. */
const withoutAddresses = (text: string): string => text.replace(/[^\s"'<>,;:]+@[^\s"'<>,;:]+/g, "<address>");
