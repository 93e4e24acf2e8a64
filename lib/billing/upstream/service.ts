import { hash } from "node:crypto";
import { standardError } from "../../http/errors.ts";
import type { Config } from "../../ports/config.ts";
import { licenseToken, type ServiceCustomer, type ServiceLicense } from "./license-token.ts";

/** What a billing service is asked. */
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
}

/** A billing service that does not answer in time. */
export class ServiceTooSlow extends Error {
  override readonly name = "ServiceTooSlow";
}

/** A key that any service takes; for another stands its digest, which is the same each time. */
const PLAIN_KEY = /^[\x21-\x7e]{1,255}$/;

const MAX_CHARACTERS = 20_000_000;

/** Asks the configured billing service, for as long as a query may take, and goes nowhere else. Throws 502 where it gives no answer that can be read. */
export const askService = async (
  { billingServiceUrl, queryTimeMs }: Pick<Config, "billingServiceUrl" | "queryTimeMs">,
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
    const text = await reply.text();
    if (text.length > MAX_CHARACTERS) throw new Error("the billing service's answer is too long");
    return { status: reply.status, body: text === "" ? null : parsed(text, reply.ok) };
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === "TimeoutError")
      throw new ServiceTooSlow("the billing service is too slow", { cause });
    throw serviceError(cause);
  }
};

/** What refuses may say so in any form; what is given has to be read. */
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
