import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { apiClient } from "../../support/api-client.ts";
import { eventually, tenantIn } from "../../support/processes/platform.ts";
import { startProcess, waitingMessages } from "../../support/processes/platform-process.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";
import { median, type Part } from "../figures.ts";
import type { Burst } from "./ingest-load.ts";

const EVENTS = 60_000;
const ROUNDS = 5;
const DAY_MS = 86_400_000;
const BUDGET_MS = 60_000;
const LOOK_EVERY_MS = 20;

interface Shape {
  readonly name: string;
  readonly perRequest: number;
  readonly least: number;
}

const SHAPES: readonly Shape[] = [
  { name: "ingest.drained_events_per_s", perRequest: 500, least: 25_000 },
  { name: "ingest.drained_events_per_s_sdk", perRequest: 100, least: 9_000 },
];

/**
 * The whole way on a running platform: requests over HTTP from another process, a tenth of them identifying, until every row is
 * counted by a saved query and the queue is empty. Each round has a project of its own. The figure is the worse of two days of
 * live events and a year of history.
 */
export const ingestThroughput: Part = {
  name: "ingest",
  seconds: 150,
  measures: ["functions/capture", "functions/ingest", "infra/local", "lib/intake", "lib/lake"],
  async run() {
    const folder = await mkdtemp(join(tmpdir(), "bench-ingest-"));
    // Looking whether all is counted is no client's traffic.
    process.env.THROTTLE_SCALE = "1000";
    const platform = await startProcess(folder);
    const sender = fork(new URL("./ingest-load.ts", import.meta.url));
    try {
      const figures = [];
      for (const shape of SHAPES) {
        const live = await rates(folder, platform.baseUrl, sender, shape, false);
        const historical = await rates(folder, platform.baseUrl, sender, shape, true);
        figures.push({
          name: shape.name,
          value: Math.round(Math.min(median(live), median(historical))),
          unit: "events/s",
          baseline:
            `${shape.perRequest} events a request, medians of ${ROUNDS}: two days live ${Math.round(median(live))}, ` +
            `a year of history ${Math.round(median(historical))}; at least ${shape.least}`,
        });
      }
      return figures;
    } finally {
      sender.kill();
      await platform.kill();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

const rates = async (folder: string, url: string, sender: ChildProcess, shape: Shape, historical: boolean): Promise<readonly number[]> => {
  const measured: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const rate = await oneRound(folder, url, sender, { perRequest: shape.perRequest, historical, seed: round + 1 });
    // The first one warms the processes up.
    if (round > 0) measured.push(rate);
  }
  return measured;
};

const oneRound = async (
  folder: string,
  url: string,
  sender: ChildProcess,
  { perRequest, historical, seed }: { readonly perRequest: number; readonly historical: boolean; readonly seed: number },
): Promise<number> => {
  const tenant = await tenantIn(folder, `bench-${perRequest}-${historical}-${seed}`);
  const api = apiClient(url, tenant.personalKey);
  const path = `/api/projects/${tenant.projectId}/endpoints/`;
  await api.post(path, { name: "total", query: sqlQuery("SELECT count() FROM events") });
  const to = Date.now();
  const from = historical ? to - 430 * DAY_MS : to - 2 * DAY_MS;
  const burst: Burst = {
    url,
    token: tenant.projectToken,
    seed,
    events: EVENTS,
    perRequest,
    from,
    to: historical ? to - 60 * DAY_MS : to,
    historical,
  };
  await told(sender, burst, "ready");
  const began = performance.now();
  await told(sender, "go", "sent");
  await eventually(
    async () => {
      const waiting = await waitingMessages(folder);
      if ((waiting.get(historical ? "historical" : "live") ?? 0) > 0) throw new Error("messages wait");
      const { body } = await api.post(`${path}total/run/`, { refresh: "force" });
      const [[count] = []] = Object(body).results ?? [];
      if (count !== EVENTS) throw new Error(`${count} of ${EVENTS} events are counted`);
    },
    { budgetMs: BUDGET_MS, everyMs: LOOK_EVERY_MS },
  );
  return (EVENTS * 1000) / (performance.now() - began);
};

const told = async (sender: ChildProcess, message: Burst | "go", answer: string): Promise<void> => {
  const stop = new AbortController();
  const said = Promise.race([
    once(sender, "message", stop).then(([word]) => `said ${word}`),
    once(sender, "exit", stop).then(([code]) => `ended with ${code}`),
  ]);
  sender.send(message);
  const heard = await said.finally(() => stop.abort());
  if (heard !== `said ${answer}`) throw new Error(`the sender ${heard}`);
};
