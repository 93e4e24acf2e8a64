import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import * as z from "zod";
import { applyDocument } from "../../infra/cli/apply/apply.ts";
import { run as admin } from "../../infra/cli/run.ts";
import { openData } from "../../infra/local/stores/open-data.ts";
import { type ATenant, tenantDocument, tenantOf } from "../support/processes/platform.ts";
import { type PlatformProcess, startProcess, waitingMessages } from "../support/processes/platform-process.ts";
import { KEY } from "./record.ts";

const Answer = z.object({ results: z.array(z.array(z.unknown())) });
const Made = z.object({ columns: z.array(z.object({ name: z.string(), type: z.string() })) });
const Usage = z.object({ usage: z.array(z.object({ day: z.string(), usage_type: z.string(), count: z.number() })) });

const Series = z.object({
  results: z.array(z.object({ data: z.array(z.number()), dates: z.array(z.string()), breakdown_value: z.string() })),
});
const Overview = z.object({
  usage_summary: z.record(z.string(), z.object({ usage: z.number() })),
  billing_period: z.object({ current_period_start: z.string(), current_period_end: z.string() }),
});

export type Row = readonly unknown[];

export interface RunOptions {
  readonly limit?: number;
  readonly offset?: number;
  readonly variables?: Readonly<Record<string, number>>;
}

/** The platform under test: a process that is killed and comes back, seen only as its users and its operator see it. */
export interface Proved {
  readonly project: number;
  readonly origin: string;
  /** Somebody else on the platform. */
  readonly attacker: ATenant;
  /** The platform's process as it is now. */
  pid(): number;
  /** Sends a body; true when it was taken, false when there was no answer. Throws for any other answer. */
  send(path: string, body: string, isGzipped: boolean): Promise<boolean>;
  /** Saves a query, with the defaults of its variables, and returns the types of its columns. */
  save(name: string, query: string, variables?: Readonly<Record<string, number>>): Promise<readonly string[]>;
  /** The rows of a saved query; undefined while the platform is down, or says that it is busy. */
  run(name: string, how?: RunOptions): Promise<readonly Row[] | undefined>;
  /** The usage as the operator is shown it, by `day type`, days since 1970. */
  usage(): Promise<ReadonlyMap<string, number>>;
  /** The same of the last year as billing says it, without what is imported; and of the billing period, by usage key. */
  billed(): Promise<Billed>;
  /** Waits until nothing that was taken waits to be stored. */
  drained(): Promise<void>;
  /** Ends the process without a chance to finish anything, and starts another one on what it left. */
  killAndRestart(): Promise<void>;
  /** The directory that the platform has now. */
  dataDir(): string;
  /** Ends the process likewise, and starts another one on another directory, which goes in the end, too. */
  startOn(dataDir: string): Promise<void>;
  stop(): Promise<void>;
}

export interface Billed {
  readonly from: number;
  readonly days: ReadonlyMap<string, number>;
  readonly period: { readonly from: number; readonly before: number; readonly usage: ReadonlyMap<string, number> };
}

/** So long it may take until fewer messages wait: how long all of them take is the machine's affair. */
const FEWER_WITHIN_MS = 300_000;
const LOOK_AGAIN_MS = 100;
const DAY_MS = 86_400_000;

/** A series may be of a year. */
const SERIES_DAYS = 360;

/** Days since 1970, of a date or a time, and back. */
const dayOf = (date: string): number => Math.floor(Date.parse(date) / DAY_MS);
const isoDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

export const startProved = async (): Promise<Proved> => {
  // Queries are asked all the while; how often one may ask is not what is looked at.
  process.env.THROTTLE_SCALE ??= "1000";
  let dataDir = await mkdtemp(join(tmpdir(), "prove-"));
  const left: string[] = [];
  let platform: PlatformProcess = await startProcess(dataDir);
  const opened = await openData(dataDir);
  const tenant: ATenant = tenantOf(await applyDocument(opened.world, tenantDocument("prove")));
  const attacker = tenantOf(await applyDocument(opened.world, tenantDocument("attacker")));
  await opened.close();
  let isUp = true;

  const api = (path: string, body: unknown): Promise<Response> =>
    fetch(`${platform.baseUrl}/api/projects/${tenant.projectId}/endpoints/${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${tenant.personalKey}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });

  const billing = async (path: string): Promise<unknown> => {
    const answer = await fetch(`${platform.baseUrl}/api/billing/${path}`, { headers: { authorization: `Bearer ${tenant.personalKey}` } });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`billing answered ${answer.status}: ${text}`);
    return JSON.parse(text);
  };

  return {
    project: tenant.projectId,
    origin: platform.baseUrl,
    attacker,
    pid: () => platform.pid,
    async send(path, body, isGzipped) {
      const text = body.replace(JSON.stringify(KEY), JSON.stringify(tenant.projectToken));
      const answer = await fetch(`${platform.baseUrl}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...(isGzipped ? { "content-encoding": "gzip" } : {}) },
        body: isGzipped ? gzipSync(text, { level: 1 }) : text,
      }).then(
        async (reply) => ({ status: reply.status, text: await reply.text() }),
        () => null,
      );
      if (answer === null || answer.status >= 500) return false;
      if (answer.status !== 200) throw new Error(`a request was answered ${answer.status}: ${answer.text}`);
      return true;
    },
    async save(name, query, defaults = {}) {
      const variables = Object.fromEntries(
        Object.entries(defaults).map(([code_name, value]) => {
          const variableId = randomUUID();
          return [variableId, { variableId, code_name, value }];
        }),
      );
      const answer = await api("", { name, query: { kind: "HogQLQuery", query, variables } });
      const text = await answer.text();
      if (answer.status !== 201) throw new Error(`the query ${name} was answered ${answer.status}: ${text}`);
      return Made.parse(JSON.parse(text)).columns.map(({ type }) => type);
    },
    async run(name, how) {
      const answer = await api(`${name}/run`, { refresh: "force", limit: 50_000, ...how }).then(
        async (reply) => ({ status: reply.status, text: await reply.text() }),
        () => null,
      );
      if (answer === null || !isUp || answer.status === 429) return undefined;
      if (answer.status !== 200) throw new Error(`the query ${name} was answered ${answer.status}: ${answer.text}`);
      return Answer.parse(JSON.parse(answer.text)).results;
    },
    async usage() {
      const text = await admin(["usage", "--project", String(tenant.projectId), "--json", "--data-dir", dataDir], {});
      const { usage } = Usage.parse(JSON.parse(text));
      return new Map(usage.map(({ day, usage_type, count }) => [`${dayOf(day)} ${usage_type}`, count]));
    },
    async billed() {
      const from = Math.floor(Date.now() / DAY_MS) - SERIES_DAYS;
      const range = { start_date: isoDay(from), end_date: isoDay(from + SERIES_DAYS + 1), breakdowns: '["type"]' };
      const { results } = Series.parse(await billing(`usage/?${new URLSearchParams(range)}`));
      const days = results.flatMap(({ data, dates, breakdown_value: type }) =>
        dates.map((date, at) => [`${dayOf(date)} ${type}`, data[at] ?? 0] as const),
      );
      const { usage_summary, billing_period: period } = Overview.parse(await billing(""));
      const usage = new Map(Object.entries(usage_summary).map(([key, { usage: count }]) => [key, count]));
      const [start, before] = [period.current_period_start, period.current_period_end].map(dayOf);
      return { from, days: new Map(days.filter(([, count]) => count > 0)), period: { from: start ?? 0, before: before ?? 0, usage } };
    },
    async drained() {
      let [fewest, deadline] = [Number.POSITIVE_INFINITY, 0];
      for (;;) {
        const waiting = await waitingMessages(dataDir);
        const left = (waiting.get("live") ?? 0) + (waiting.get("historical") ?? 0);
        if (left === 0) return;
        if (left < fewest) [fewest, deadline] = [left, performance.now() + FEWER_WITHIN_MS];
        if (performance.now() > deadline) throw new Error(`still waiting to be stored: ${JSON.stringify([...waiting])}`);
        await pause(LOOK_AGAIN_MS);
      }
    },
    async killAndRestart() {
      isUp = false;
      const { port } = platform;
      await platform.kill();
      platform = await startProcess(dataDir, port);
      isUp = true;
    },
    dataDir: () => dataDir,
    async startOn(other) {
      isUp = false;
      await platform.kill();
      left.push(dataDir);
      dataDir = other;
      platform = await startProcess(dataDir);
      isUp = true;
    },
    async stop() {
      isUp = false;
      await platform.kill();
      for (const each of [...left, dataDir]) await rm(each, { recursive: true, force: true });
    },
  };
};
