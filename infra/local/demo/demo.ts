import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import * as z from "zod";
import { HOUR_MS } from "../../../lib/core/time.ts";
import { pin } from "../../../lib/lake/pin.ts";
import type { Ports } from "../../../lib/ports/ports.ts";
import { shellWord } from "../shell-word.ts";
import { DEMO_DASHBOARD, DEMO_ENDPOINTS, SHOWN_ENDPOINT } from "./demo-endpoints.ts";
import { DEMO_RELEASES, type DemoEvent, demoEvents } from "./demo-events.ts";

export interface DemoTarget {
  readonly origin: string;
  readonly projectId: number;
  readonly projectToken: string;
  readonly personalKey: string;
}

const EVENTS_PER_REQUEST = 500;
/** Older than this an event is history: it is not charged and takes the other lane. A margin above the rule's 48 hours. */
const HISTORY_MS = 49 * HOUR_MS;
/** How long the start waits for the demo to show; it comes in any case. */
const SHOWN_BUDGET_MS = 60_000;
const LOOK_AGAIN_MS = 250;

const complete = async (what: string, response: Response): Promise<void> => {
  if (!response.ok) throw new Error(`${what} was answered ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
};

const sendEvents = async (target: DemoTarget, events: readonly DemoEvent[], historical: boolean): Promise<void> => {
  for (let start = 0; start < events.length; start += EVENTS_PER_REQUEST) {
    const batch = events.slice(start, start + EVENTS_PER_REQUEST);
    const flag = historical ? { historical_migration: true } : {};
    const text = JSON.stringify({ api_key: target.projectToken, ...flag, batch });
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    await complete("a batch of demo events", await fetch(`${target.origin}/batch/`, { method: "POST", headers, body: gzipSync(text) }));
  }
};

const Releases = z.object({ results: z.array(z.object({ hash_id: z.string() })) });

/** Makes the releases that are not there yet. */
const saveReleases = async (target: DemoTarget): Promise<void> => {
  const url = `${target.origin}/api/projects/${target.projectId}/error_tracking/releases/`;
  const headers = headersOf(target);
  const { results } = Releases.parse(await (await fetch(url, { headers })).json());
  const known = new Set(results.map(({ hash_id }) => hash_id));
  for (const release of DEMO_RELEASES) {
    if (known.has(release.hash_id)) continue;
    await complete(`the demo release ${release.version}`, await fetch(url, { method: "POST", headers, body: JSON.stringify(release) }));
  }
};

const endpointsUrl = (target: DemoTarget): string => `${target.origin}/api/projects/${target.projectId}/endpoints/`;

const headersOf = ({ personalKey }: DemoTarget) => ({ authorization: `Bearer ${personalKey}`, "content-type": "application/json" });

const saveEndpoints = async (target: DemoTarget): Promise<void> => {
  const headers = headersOf(target);
  for (const endpoint of DEMO_ENDPOINTS) {
    const known = await fetch(`${endpointsUrl(target)}${endpoint.name}/`, { headers });
    await known.arrayBuffer();
    if (known.ok) continue;
    const made = await fetch(endpointsUrl(target), { method: "POST", headers, body: JSON.stringify(endpoint) });
    await complete(`the demo endpoint ${endpoint.name}`, made);
  }
};

/** Makes the dashboard where the project has none: ids of dashboards are new each time. */
const saveDashboard = async (target: DemoTarget): Promise<void> => {
  const url = `${target.origin}/api/projects/${target.projectId}/dashboards/`;
  const headers = headersOf(target);
  const { count } = Object(await (await fetch(`${url}?limit=1`, { headers })).json());
  if (count > 0) return;
  await complete("the demo dashboard", await fetch(url, { method: "POST", headers, body: JSON.stringify(DEMO_DASHBOARD) }));
};

const runShown = (target: DemoTarget): Promise<Response> =>
  fetch(`${endpointsUrl(target)}${SHOWN_ENDPOINT}/run`, {
    method: "POST",
    headers: headersOf(target),
    body: JSON.stringify({ refresh: "force" }),
  });

type LakePorts = Pick<Ports, "table" | "objects" | "clock">;

/** Rows that a query over all time would read, copies that wait to be removed included. */
const rowsIn = async (world: LakePorts, project: number): Promise<number> => {
  const { manifests, waiting } = await pin(world, project, null, { events: true, state: false });
  const files = [...manifests.values()].flatMap((manifest) => [...manifest.files, ...manifest.loose]);
  return [...files, ...waiting.flatMap(({ segments }) => segments)].reduce((sum, { rows }) => sum + rows, 0);
};

/**
 * Makes the demo's releases, sends its events through capture, waits until queries see all of them, because a result of half of the demo would be kept
 * for a day, and saves its endpoints and its dashboard. Doing it again with the same anchor (start of a UTC day, milliseconds) changes nothing.
 */
export const loadDemo = async (world: LakePorts, target: DemoTarget, anchor: number, now: number): Promise<void> => {
  // First, because what comes of an exception takes the release that is there by then.
  await saveReleases(target);
  const events = demoEvents(anchor, now);
  const isHistory = (event: DemoEvent): boolean => Date.parse(event.timestamp) < now - HISTORY_MS;
  await sendEvents(target, events.filter(isHistory), true);
  await sendEvents(
    target,
    events.filter((event) => !isHistory(event)),
    false,
  );
  const deadline = performance.now() + SHOWN_BUDGET_MS;
  while (performance.now() < deadline && (await rowsIn(world, target.projectId)) < events.length) await pause(LOOK_AGAIN_MS);
  // Only now, because a version takes the types that its properties have by then, and somebody is warned of those that have none.
  await saveEndpoints(target);
  await saveDashboard(target);
  await complete("the demo's first run", await runShown(target));
};

/** The first call for a newcomer to copy. The key stays in its file: a terminal's history and its recordings are read by others. */
export const demoCurl = (target: DemoTarget, credentialsFile: string): string => {
  const key = `require(${JSON.stringify(resolve(credentialsFile))}).personal_api_key`;
  return `curl -X POST -H "Authorization: Bearer $(node -p ${shellWord(key)})" ${endpointsUrl(target)}${SHOWN_ENDPOINT}/run`;
};
