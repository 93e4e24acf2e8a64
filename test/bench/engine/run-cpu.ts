import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { type Answer, apiClient } from "../../support/api-client.ts";
import { type ATenant, eventually, tenantIn } from "../../support/processes/platform.ts";
import { startProcess } from "../../support/processes/platform-process.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";
import type { Figure, Part } from "../figures.ts";
import { post } from "../poster.ts";
import { treeCpuMs } from "../process-cpu.ts";
import { megabyteMs } from "../yardstick.ts";

/** Events, each of a customer of their own: so many rows has the table. */
const EVENTS = 50_000;
const EVENTS_A_REQUEST = 1_000;
const WARM_RUNS = 300;
const RUNS = 1_000;
const IDLE_MS = 5_000;

/** What a customer's page asks, by their id. */
const QUERY =
  "SELECT distinct_id, event, count() AS n, max(timestamp) AS last FROM events WHERE distinct_id = {variables.who} GROUP BY 1, 2";

/** What one run takes of the processors of a whole platform, of each kind, one run after the other. */
export const runCpu: Part = {
  name: "run.cpu",
  seconds: 90,
  measures: ["functions/endpoint-runs", "infra/local", "lib/endpoints", "lib/engine"],
  async run(): Promise<readonly Figure[]> {
    const folder = await mkdtemp(join(tmpdir(), "bench-run-cpu-"));
    const platform = await startProcess(folder, 0, { environment: { THROTTLE_SCALE: "1000000" } });
    try {
      const tenant = await tenantIn(folder, "customers");
      await sendEvents(platform.baseUrl, tenant);
      const project = projectOf(platform.baseUrl, tenant);
      await project.save("live", false);
      await project.save("made", true);
      const read = (name: string, path: string, refresh: string, whose: (run: number) => string) =>
        cpuOf(platform.pid, (run) => project.run(name, path, refresh, whose(run)));
      const other = (run: number): string => `customer-${(run * 7_919) % EVENTS}`;
      const made = await read("made", "materialised", "force", other);
      const kept = await read("live", "kept", "cache", () => "customer-1");
      const live = await read("live", "direct", "force", other);
      const yardstick = await megabyteMs();
      const figure = (name: string, value: number, goal: string): Figure => ({
        name,
        value: Math.round(value * 100) / 100,
        unit: "ms",
        baseline: `${goal}; ${(value / yardstick).toFixed(2)} times unpacking and parsing a megabyte of events (${yardstick.toFixed(1)} ms)`,
      });
      return [
        figure("materialised.cpu_ms", made, `of a run from a table of ${EVENTS} rows, of all of the platform's processes; at most 2`),
        figure("run.kept_cpu_ms", kept, "the same of a kept result; at most 2"),
        figure("run.cpu_ms", live, `the same of a live run over ${EVENTS} events; at most 12`),
      ];
    } finally {
      await platform.kill();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

const eventsFrom = (first: number) =>
  Array.from({ length: EVENTS_A_REQUEST }, (_, at) => ({
    event: "order placed",
    distinct_id: `customer-${first + at}`,
    properties: { amount: at, plan: "team", $browser: "Chrome", $current_url: `https://example.com/orders/${at}` },
  }));

const sendEvents = async (origin: string, { projectToken }: ATenant): Promise<void> => {
  for (let first = 0; first < EVENTS; first += EVENTS_A_REQUEST) {
    const body = gzipSync(JSON.stringify({ api_key: projectToken, batch: eventsFrom(first) }));
    await post(`${origin}/batch/`, body);
  }
};

/** Endpoints of the tenant's project, over HTTP. */
const projectOf = (origin: string, { projectId, personalKey }: ATenant) => {
  const api = apiClient(origin, personalKey);
  const held = ({ status, body }: Answer) => {
    if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
    return Object(body);
  };
  const ask = async (path: string, body: unknown) => held(await api.post(`/api/projects/${projectId}/${path}`, body));
  return {
    /** Once all events are there, and its table is, where it is to have one. */
    async save(name: string, isMaterialised: boolean): Promise<void> {
      const counting = { query: sqlQuery("SELECT count() FROM events", {}), refresh: "force" };
      await eventually(async () => {
        const [[count]] = (await ask("query/", counting)).results;
        if (count !== EVENTS) throw new Error(`${count} events are counted`);
      });
      await ask("endpoints/", { name, query: sqlQuery(QUERY, { who: "customer-1" }), is_materialized: isMaterialised });
      if (!isMaterialised) return;
      await eventually(async () => {
        const { status } = held(await api.get(`/api/projects/${projectId}/endpoints/${name}/materialization_status/`));
        if (status !== "Completed") throw new Error(`the table is ${status}`);
      });
    },
    async run(name: string, path: string, refresh: string, who: string): Promise<void> {
      const { results } = await ask(`endpoints/${name}/run/`, { refresh, variables: { who } });
      if (results.length !== 1 || results[0][0] !== who) throw new Error(`${path}: ${JSON.stringify(results)}`);
    },
  };
};

/** Processor time of one run, less what the platform takes by itself meanwhile, milliseconds. */
const cpuOf = async (pid: number, run: (number: number) => Promise<void>): Promise<number> => {
  for (let number = 0; number < WARM_RUNS; number += 1) await run(number);
  const atRest = treeCpuMs(pid);
  await pause(IDLE_MS);
  const idle = (treeCpuMs(pid) - atRest) / IDLE_MS;
  const [began, before] = [performance.now(), treeCpuMs(pid)];
  for (let number = 0; number < RUNS; number += 1) await run(number);
  return (treeCpuMs(pid) - before - idle * (performance.now() - began)) / RUNS;
};
