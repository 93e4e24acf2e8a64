import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, vi } from "vitest";
import * as z from "zod";
import { readDefinitions } from "../../../functions/customer-analytics/definitions.ts";
import { type Platform, startPlatform } from "../../../infra/local/platform.ts";
import { type DescribedOperation, type Description, readDescription } from "../../fuzz/api/description.ts";
import { SETTINGS } from "../../fuzz/api/settings.ts";
import { aRichTenant } from "../../fuzz/api/tenants.ts";
import { sqlQuery } from "../samples/saved-query.ts";
import { type ATenant, eventually } from "./platform.ts";

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** A platform with one of everything that its operations can be about. */
export interface DescribedPlatform {
  readonly description: Description;
  /** Sends a body to what the operation is about. */
  send(operation: DescribedOperation, body: unknown): Promise<Answer>;
  /** The operation's example, with the ids of things that are there. */
  exampleOf(operation: DescribedOperation): unknown;
}

/** The ids that examples give to things of which only a platform knows the id. */
const MADE_UP_ID = /0190d0aa-0000-7000-8000-\w{12}/g;

const List = z.union([z.array(z.unknown()), z.object({ results: z.array(z.unknown()) })]);
const Named = z.object({ id: z.union([z.string(), z.number()]) });

export const aDescribedPlatform = (): (() => DescribedPlatform) => {
  let folder = "";
  let platform: Platform | undefined;
  let described: DescribedPlatform | undefined;
  beforeAll(async () => {
    for (const [name, value] of Object.entries(SETTINGS)) vi.stubEnv(name, value);
    folder = await mkdtemp(join(tmpdir(), "described-"));
    platform = await startPlatform({ port: 0, host: "127.0.0.1", dataDir: folder, empty: true });
    described = await describedPlatform(platform, await aRichTenant(platform, "described"));
  }, 120_000);
  afterAll(async () => {
    vi.unstubAllEnvs();
    await platform?.stop();
    await rm(folder, { recursive: true, force: true });
  });
  return () => {
    if (described === undefined) throw new Error("the platform has not started");
    return described;
  };
};

const describedPlatform = async ({ baseUrl, world }: Platform, tenant: ATenant): Promise<DescribedPlatform> => {
  const call = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const key = path.startsWith("/api/customer_analytics") ? tenant.secretKey : tenant.personalKey;
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const reply = await fetch(baseUrl + path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
    const text = await reply.text();
    const isJson = reply.headers.get("content-type")?.includes("json") ?? false;
    return { status: reply.status, body: isJson ? JSON.parse(text) : text };
  };
  // Once something is hidden, no list has it any more.
  const known = new Map<string, string>();
  const first = async (path: string): Promise<string> => {
    const listed = known.has(path) ? [] : List.parse((await call("GET", path)).body);
    const id = known.get(path) ?? String(Named.parse("results" in listed ? listed.results[0] : listed[0], { error: () => path }).id);
    known.set(path, id);
    return id;
  };
  const project = `/api/projects/${tenant.projectId}`;
  const errors = `${project}/error_tracking`;
  const issue = await eventually(() => first(`${errors}/issues/`));
  const query = sqlQuery("SELECT count() FROM events WHERE event IN [{variables.e}]", { e: "seen" });
  await call("POST", `${project}/endpoints/`, { name: "rewritable", query });
  const link = { integration_id: 1, issue, external_context: { repository: "shop", number: 9 } };
  await call("POST", `${errors}/external_references/link_issue/`, link);
  await call("POST", "/api/billing/webhooks/", { url: "https://hooks.acme.example/billing" });
  const { relationships, properties } = await readDefinitions(world.table, tenant.projectId);
  const authorization = Object((await call("POST", "/api/billing/activate/authorize/", {})).body).clientSecret;
  const description = readDescription(await (await fetch(`${baseUrl}/api/schema/`)).text());
  const ids: Readonly<Record<string, string>> = {
    applyForStartupPlan: tenant.organizationId,
    updateExternalAccount: relationships[0]?.id ?? "",
    updateExternalAccountCustomPropertyValues: properties[0]?.id ?? "",
    createErrorTrackingExternalReference: issue,
    linkErrorTrackingExternalIssue: issue,
    changeErrorTrackingIssues: issue,
  };
  return {
    description,
    async send(operation, body) {
      const place = operation.path
        .replace("{project_id}", String(tenant.projectId))
        .replace("{organization_id}", tenant.organizationId)
        .replace("/organizations/{id}", `/organizations/${tenant.organizationId}`)
        .replace("{name}", operation.id === "suggestEndpointMaterialization" ? "rewritable" : "pageviews-by-day")
        .replace("/issues/{id}", `/issues/${issue}`);
      const [list] = place.split("/{id}");
      return call(operation.method, `${place.replace("{id}", place === list ? "" : await first(`${list}/`))}/`, body);
    },
    exampleOf({ id, isCapture, body }) {
      const named = JSON.parse(JSON.stringify(body?.example).replace(MADE_UP_ID, (other) => ids[id] ?? other));
      if (id === "getBillingAuthorizationStatus") return { ...named, payment_intent_id: authorization };
      return isCapture ? { ...named, api_key: tenant.projectToken } : named;
    },
  };
};
