import { createHmac } from "node:crypto";
import { base62 } from "../keys/credential.ts";
import type { Ports } from "../ports/ports.ts";

/** The header that says who sent a webhook, and when. */
export const SIGNATURE_HEADER = "x-signature";

const SECRET_BYTES = 32;

/** What webhooks to one receiver are signed with. */
export const newSigningSecret = ({ ids }: Pick<Ports, "ids">): string => `whsec_${base62(ids.secret(SECRET_BYTES))}`;

/** The value of the header: the second at which it is sent, and the HMAC-SHA256 of that, a point and the body. */
export const signature = (body: string, secret: string, now: number): string => {
  const time = Math.floor(now / 1_000);
  return `t=${time},v1=${createHmac("sha256", secret).update(`${time}.${body}`).digest("hex")}`;
};
