import { createHmac } from "node:crypto";
import { MINUTE_MS } from "../../core/time.ts";

/** What a billing service knows a deployment by. */
export interface ServiceLicense {
  readonly id: string;
  readonly secret: string;
}

/** For whom a billing service is asked. */
export interface ServiceCustomer {
  readonly organization_id: string;
  readonly organization_name: string;
  readonly organization_role?: string;
  readonly distinct_id?: string;
}

const LICENSE = /^([^:\s]+)::([^:\s]+)$/;

/** A license as it is written, `<id>::<secret>`; undefined for what is none. */
export const readLicense = (text: string): ServiceLicense | undefined => {
  const [, id, secret] = LICENSE.exec(text) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
};

const LIFETIME_MS = 15 * MINUTE_MS;
const AUDIENCE = "posthog:license-key";

/** A token that proves the license without telling its secret. */
export const licenseToken = ({ id, secret }: ServiceLicense, customer: ServiceCustomer, now: number): string => {
  const claims = { exp: Math.floor((now + LIFETIME_MS) / 1_000), id, ...customer, aud: AUDIENCE };
  const text = [{ alg: "HS256", typ: "JWT" }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
};
