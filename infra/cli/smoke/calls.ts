import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import * as z from "zod";
import type { Site } from "./question.ts";

/** No gateway answers later. */
const PATIENCE_MS = 35_000;
/** How long something that comes by itself is waited for, and how often it is asked for. */
const WAIT_MS = 60_000;
const ASK_EVERY_MS = 500;

/** An event of this run, with whatever properties. */
export const event = ({ run }: Site, name: string, at: number, properties: object = {}) => ({
  event: `smoke_${name}`,
  distinct_id: `smoke-${run}`,
  timestamp: new Date(at).toISOString(),
  properties: { run, ...properties },
});

export const batchOf = ({ token }: Site, batch: readonly object[], rest: object = {}): Buffer =>
  Buffer.from(JSON.stringify({ api_key: token, batch, ...rest }));

/** Sends a body to the ingest host; gives the status. */
export const sendEvents = async (
  { ingestUrl }: Site,
  body: Buffer,
  { path = "/batch/", encoding }: { readonly path?: string; readonly encoding?: "gzip" | "br" } = {},
): Promise<string> => {
  const headers = { "content-type": "application/json", ...(encoding && { "content-encoding": encoding }) };
  const sent = encoding === "gzip" ? gzipSync(body) : body;
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const answer = await fetch(`${ingestUrl}${path}`, { method: "POST", headers, body: new Uint8Array(sent), signal });
  await answer.arrayBuffer();
  return String(answer.status);
};

/** A request to the API with this run's key. */
export const call = async (
  { baseUrl, key }: Pick<Site, "baseUrl" | "key">,
  method: string,
  path: string,
  body?: object,
): Promise<{ readonly status: number; readonly text: string }> => {
  const headers = { authorization: `Bearer ${key}`, ...(body && { "content-type": "application/json" }) };
  const address = path.startsWith("/") ? `${baseUrl}${path}` : path;
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const answer = await fetch(address, { method, headers, signal, ...(body && { body: JSON.stringify(body) }) });
  return { status: answer.status, text: await answer.text() };
};

/** Runs a query that is not saved, again and again for a minute while the runs are busy. */
export const runQuery = async (site: Site, query: string) => {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    const answer = await call(site, "POST", `/api/projects/${site.project}/query/`, { query: { kind: "HogQLQuery", query } });
    if (answer.status !== 429 || performance.now() > deadline) return answer;
    await pause(ASK_EVERY_MS);
  }
};

const Counted = z.object({ results: z.tuple([z.tuple([z.number()])]) });

/** Waits until a query counts so many of this run's events of a name. Throws where it does not within a minute. */
export const untilCounted = async (site: Site, name: string, wanted: number): Promise<string> => {
  const query = `SELECT count() FROM events WHERE event = 'smoke_${name}' AND properties.run = '${site.run}'`;
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    const { status, text } = await runQuery(site, query);
    if (status !== 200) throw new Error(`the query was answered ${status}: ${text.slice(0, 200)}`);
    const [[counted]] = Counted.parse(JSON.parse(text)).results;
    if (counted === wanted) return `${counted} events`;
    if (performance.now() > deadline) throw new Error(`${counted} of ${wanted} events were seen within ${WAIT_MS / 1_000} s`);
    await pause(ASK_EVERY_MS);
  }
};
