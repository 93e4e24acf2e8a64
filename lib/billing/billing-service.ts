import { createHmac, hash } from "node:crypto";
import { readText } from "../core/read-text.ts";
import { MINUTE_MS } from "../core/time.ts";
import { standardError } from "../http/errors.ts";
import type { Config } from "../ports/config.ts";
import type { Ports } from "../ports/ports.ts";

/** Whether another service does the billing of this deployment. */
export const isUpstream = ({ config }: Pick<Ports, "config">): boolean => config.billingServiceUrl !== "";

/** The license by which a billing service knows a deployment. */
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

const LIFETIME_MS = 15 * MINUTE_MS;
const AUDIENCE = "posthog:license-key";

/** A token that proves the license without telling its secret. */
const licenseToken = ({ id, secret }: ServiceLicense, customer: ServiceCustomer, now: number): string => {
  const claims = { exp: Math.floor((now + LIFETIME_MS) / 1_000), id, ...customer, aud: AUDIENCE };
  const text = [{ alg: "HS256", typ: "JWT" }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
};

/** One call of the billing service. */
export interface ServiceQuestion {
  readonly method: "GET" | "POST" | "PATCH";
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  /** The caller's own key: the service knows by it that a call is repeated. */
  readonly key?: string | undefined;
}

export interface ServiceAnswer {
  readonly status: number;
  readonly body: unknown;
  /** How long it asks to be left alone, whole seconds; undefined where it does not say, or says nothing of use. */
  readonly waitSeconds: number | undefined;
}

/** A billing service that does not answer in time. */
export class ServiceTooSlow extends Error {
  override readonly name = "ServiceTooSlow";
}

/** A key that any service takes; for another stands its digest, which is the same each time. */
const PLAIN_KEY = /^[\x21-\x7e]{1,255}$/;

/** The service may not know us, because the license is another one by now. */
const UNAUTHORIZED: ReadonlySet<number> = new Set([401, 403]);

/** The longest answer that is read. What comes beyond is not waited for. */
const MAX_BYTES = 10_000_000;

/** Asks the configured billing service, for as long as a query may take, and goes nowhere else. Throws 502 where it gives no answer that can be read. */
export const askService = async (
  { billingServiceUrl, billingLicense, queryTimeMs }: Pick<Config, "billingServiceUrl" | "billingLicense" | "queryTimeMs">,
  license: ServiceLicense,
  customer: ServiceCustomer,
  { method, path, query = {}, body, key }: ServiceQuestion,
  now: number,
): Promise<ServiceAnswer> => {
  const url = new URL(`${billingServiceUrl}${path}`);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
  const headers = {
    authorization: `Bearer ${licenseToken(license, customer, now)}`,
    accept: "application/json",
    ...(key !== undefined && { "idempotency-key": PLAIN_KEY.test(key) ? key : hash("sha256", key, "hex") }),
  };
  const sent =
    body === undefined ? { headers } : { headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body) };
  try {
    const reply = await fetch(url, { method, ...sent, redirect: "error", signal: AbortSignal.timeout(queryTimeMs) });
    if (UNAUTHORIZED.has(reply.status)) billingLicense.renew();
    const text = isWorthReading(reply.status) ? await readText(reply, MAX_BYTES) : "";
    // What is left of it is not waited for.
    await reply.body?.cancel().catch(() => undefined);
    return { status: reply.status, body: text === "" ? null : parsed(text, reply.ok), waitSeconds: readWait(reply.headers) };
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === "TimeoutError")
      throw new ServiceTooSlow("the billing service is too slow", { cause });
    throw serviceError(cause);
  }
};

/** Of too many calls, and of a fault of the service's, the status says all: the text may be anything, and without an end. */
const isWorthReading = (status: number): boolean => status !== 429 && status < 500;

/** Nobody is told to wait longer, seconds. */
const MAX_WAIT = 3_600;

const readWait = (headers: Headers): number | undefined => {
  const told = headers.get("retry-after") ?? "";
  const seconds = /^\d{1,9}$/.test(told) ? Number(told) : 0;
  return seconds >= 1 && seconds <= MAX_WAIT ? seconds : undefined;
};

/** A refusal may have any form; an answer has to be JSON. */
const parsed = (text: string, isNeeded: boolean): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (isNeeded) throw error;
    return text;
  }
};

/** 502, with the reason in the log alone. */
export const serviceError = (cause: unknown) =>
  standardError(502, "server_error", "billing_service_error", "The billing service did not answer as it should. Try again.", { cause });
