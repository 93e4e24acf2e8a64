import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import * as z from "zod";
import { startPlatform } from "../../../infra/local/platform.ts";
import { thrownMessage } from "../../../lib/core/thrown-message.ts";
import { type ATenant, aTenant, eventually } from "../../support/processes/platform.ts";
import { type Front, openFront } from "./front.ts";
import { built, missingRuntime, SDKS, type Sdk } from "./sdks.ts";

/**
 * `npm run test:clients [-- LANGUAGE …]`: SDKs of other languages send events to a platform, below a stage's path and at the root of a
 * domain, live and as history. A runtime that is missing is named, and the others are run without it.
 */
const { positionals } = parseArgs({ allowPositionals: true });
const FOLDER = join(import.meta.dirname, "../../../.local/clients");
const PATIENCE_MS = 60_000;
const EVENTS = 3;

const FORMS = [
  { form: "a stage's path", stage: "/v1" },
  { form: "a domain", stage: "" },
] as const;

const dataDir = await mkdtemp(join(tmpdir(), "clients-"));
const platform = await startPlatform({ port: 0, host: "127.0.0.1", dataDir, empty: true });
const tenant = await aTenant(platform.world);
const counts = { passed: 0, failed: 0, skipped: 0 };

const Counted = z.object({ results: z.tuple([z.tuple([z.number()])]) });

const eventsOf = async ({ projectId, personalKey }: ATenant, run: string): Promise<number> => {
  const answer = await fetch(`${platform.baseUrl}/api/projects/${projectId}/query/`, {
    method: "POST",
    headers: { authorization: `Bearer ${personalKey}`, "content-type": "application/json" },
    body: JSON.stringify({ query: { kind: "HogQLQuery", query: `SELECT count() FROM events WHERE properties.run = '${run}'` } }),
  });
  return Counted.parse(await answer.json()).results[0][0];
};

/** Sends with one SDK to one address, and waits until a query counts what it sent. */
const send = async ({ language }: Sdk, command: readonly string[], front: Front, mode: "live" | "historical"): Promise<void> => {
  const run = `${language}-${mode}-${new URL(front.address).port}`;
  const [program = "", ...words] = command;
  await promisify(execFile)(program, [...words, front.address, tenant.projectToken, run, mode], { timeout: PATIENCE_MS });
  const sent = front.arrived.filter(({ path }) => /\/(batch|capture|e)\/?(\?|$)/.test(path));
  const [last] = sent.slice(-1);
  if (last === undefined || sent.some(({ status }) => status !== 200))
    throw new Error(`requests came to ${front.arrived.map(({ path, status }) => `${path} (${status})`).join(", ") || "nothing"}`);
  if (last.historical !== (mode === "historical")) throw new Error(`what is ${mode} was sent as ${last.historical ? "history" : "live"}`);
  await eventually(
    async () => {
      const counted = await eventsOf(tenant, run);
      if (counted !== EVENTS) throw new Error(`${counted} of ${EVENTS} events came`);
    },
    { budgetMs: PATIENCE_MS, everyMs: 200 },
  );
};

const tried = async (sdk: Sdk, command: readonly string[], form: (typeof FORMS)[number], mode: "live" | "historical"): Promise<void> => {
  const front = await openFront(platform.ingestUrl, form.stage);
  try {
    await send(sdk, command, front, mode);
    counts.passed += 1;
    console.log(`ok   ${sdk.language}, ${form.form}, ${mode}`);
  } catch (thrown) {
    counts.failed += 1;
    console.log(`FAIL ${sdk.language}, ${form.form}, ${mode}: ${thrownMessage(thrown)}`);
  } finally {
    await front.close();
  }
};

try {
  for (const sdk of SDKS.filter(({ language }) => positionals.length === 0 || positionals.includes(language))) {
    const missing = await missingRuntime(sdk);
    if (missing !== undefined) {
      counts.skipped += 1;
      console.log(`skip ${sdk.language}: ${missing} is not on the path`);
      continue;
    }
    const command = await built(sdk, FOLDER);
    for (const form of FORMS)
      for (const mode of sdk.historical ? (["live", "historical"] as const) : (["live"] as const)) await tried(sdk, command, form, mode);
  }
} finally {
  await platform.stop();
  await rm(dataDir, { recursive: true, force: true });
}
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exit(counts.failed > 0 ? 1 : 0);
