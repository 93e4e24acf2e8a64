import { createHmac, hash } from "node:crypto";
import * as z from "zod";
import { MINUTE_MS } from "../core/time.ts";
import { permissionDenied, standardError } from "../http/errors.ts";
import { keyHash } from "../keys/credential.ts";
import type { Config } from "../ports/config.ts";
import type { Ports } from "../ports/ports.ts";
import type { Table } from "../ports/table.ts";
import { entity } from "../table/entity.ts";
import { within } from "../table/partitions.ts";
import { get, putting } from "../table/store.ts";
import { ABSENT } from "../table/transact.ts";
import { type Command, runCommand } from "./commands.ts";

/** Whether another service does the billing of this deployment. */
export const isUpstream = ({ config }: Pick<Ports, "config">): boolean => config.billingServiceUrl !== "";

/** The license of the deployment. Its secret is kept hashed, and as it is only where a billing service has to be asked with it. */
const License = z.object({
  key_id: z.string(),
  secret_hash: z.string(),
  secret: z.string().nullable().default(null),
  plan: z.string(),
  installed_at: z.string(),
});
const Licenses = entity({
  name: "billing-license",
  version: 1,
  schema: License,
  key: within("license", "license"),
  patterns: {},
});

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

const LICENSE = /^([^:\s]+)::([^:\s]+)$/;

/** A license as it is written, `<id>::<secret>`; undefined for what is none. */
export const readLicense = (text: string): ServiceLicense | undefined => {
  const [, id, secret] = LICENSE.exec(text) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
};

const LIFETIME_MS = 15 * MINUTE_MS;
const AUDIENCE = "posthog:license-key";

/** A token that proves the license without telling its secret. */
const licenseToken = ({ id, secret }: ServiceLicense, customer: ServiceCustomer, now: number): string => {
  const claims = { exp: Math.floor((now + LIFETIME_MS) / 1_000), id, ...customer, aud: AUDIENCE };
  const text = [{ alg: "HS256", typ: "JWT" }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
};

/** The license that the billing service knows this deployment by: the configured one, else the installed one. */
export const findLicense = async ({ table, config }: Pick<Ports, "table" | "config">): Promise<ServiceLicense | undefined> => {
  const configured = readLicense(config.billingLicense);
  if (configured !== undefined) return configured;
  const { key_id: id, secret } = (await get(table, Licenses, {}, { consistent: true })) ?? {};
  return id === undefined || secret === null || secret === undefined ? undefined : { id, secret };
};

/** The plan of the installed license. */
export const findInstalledPlan = async (table: Table): Promise<string | undefined> => (await get(table, Licenses, {}))?.plan;

/** The plan of every license that no billing service was asked about. */
const OWN_PLAN = "enterprise";

/**
 * Installs the deployment's license, once: `read` gives it or throws for what is none, and `planFor` says what plan a billing service
 * knows it for; both are asked only where there is none yet. Throws 403 where one is installed.
 */
export const installLicense = (
  parts: Pick<Ports, "table" | "clock" | "config">,
  command: Command,
  read: () => ServiceLicense,
  planFor: (license: ServiceLicense) => Promise<string | undefined>,
): Promise<{ readonly success: true }> =>
  runCommand(parts, command, async () => {
    const isConfigured = parts.config.billingLicense !== "";
    if (isConfigured || (await get(parts.table, Licenses, {}, { consistent: true })) !== undefined)
      throw permissionDenied("A license is installed. It must be removed first.");
    const { id, secret } = read();
    const plan = isUpstream(parts) ? await planFor({ id, secret }) : undefined;
    const installed = {
      key_id: id,
      secret_hash: keyHash(secret),
      secret: isUpstream(parts) ? secret : null,
      plan: plan ?? OWN_PLAN,
      installed_at: new Date(parts.clock.now()).toISOString(),
    };
    return { writes: [putting(Licenses, installed, ABSENT)], answer: { success: true } };
  });

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
