import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { applyDocument } from "../../infra/cli/apply/apply.ts";
import { openData } from "../../infra/local/stores/open-data.ts";
import { forEachConcurrent } from "../../lib/core/concurrency.ts";
import { GroupingRules } from "../../lib/error-tracking/rules.ts";
import { put } from "../../lib/table/store.ts";
import { apiClient } from "../support/api-client.ts";
import { type ATenant, eventually, tenantDocument, tenantOf } from "../support/processes/platform.ts";
import { startProcess, waitingMessages } from "../support/processes/platform-process.ts";
import { sqlQuery } from "../support/samples/saved-query.ts";
import { sourceAndMap } from "../support/symbols/symbol-file.ts";
import { uploadSets } from "../support/symbols/upload.ts";
import { anException, aRule, type BuiltHandlers, buildHandlers, RULES } from "./exceptions-load.ts";
import { median, type Part } from "./figures.ts";
import { CONNECTIONS, post } from "./poster.ts";

const EXCEPTIONS = 4_000;
const PER_REQUEST = 50;
const ROUNDS = 3;
const LEAST = 1_000;
const BUDGET_MS = 120_000;
const LOOK_EVERY_MS = 20;
const CHUNK = "0197c7f2-6f0e-7c1e-9a8f-5d1b8f6f9e11";

/**
 * Exceptions of some 20 KB over HTTP to counted rows of issues, on a running platform, in a project whose two hundred grouping rules
 * are all asked and none of which matches: half of them of built code, whose 25 frames come out as the sources have them. Plain events of
 * the same bytes beside them.
 */
export const exceptionThroughput: Part = {
  name: "exceptions",
  seconds: 120,
  measures: ["functions/capture", "functions/ingest", "lib/error-tracking", "lib/lake"],
  async run() {
    const folder = await mkdtemp(join(tmpdir(), "bench-exceptions-"));
    process.env.THROTTLE_SCALE = "1000";
    const platform = await startProcess(folder);
    try {
      const rates = { $exception: [] as number[], plain: [] as number[] };
      for (let round = 0; round <= ROUNDS; round += 1) {
        for (const event of ["$exception", "plain"] as const) {
          const tenant = await ruledTenant(folder, `bench-${event.replace("$", "")}-${round}`);
          const rate = await oneRound(folder, platform.baseUrl, tenant, event);
          // The first one warms the processes up.
          if (round > 0) rates[event].push(rate);
        }
      }
      const plain = Math.round(median(rates.plain));
      return [
        {
          name: "exceptions.drained_per_s",
          value: Math.round(median(rates.$exception)),
          unit: "exceptions/s",
          baseline: `half of them resolved by a source map, ${RULES} grouping rules, ${PER_REQUEST} a request, median of ${ROUNDS}; plain events of the same size: ${plain}; at least ${LEAST}`,
        },
      ];
    } finally {
      await platform.kill();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

const oneRound = async (folder: string, url: string, tenant: ATenant, event: string): Promise<number> => {
  const api = apiClient(url, tenant.personalKey);
  const path = `/api/projects/${tenant.projectId}/endpoints/`;
  const resolved = "properties.$exception_sources LIKE '%src/handlers.js%' OR toInt(substring(distinct_id, 8)) % 2 = 0";
  const total = `SELECT count() FROM events WHERE event = 'plain' OR (notEmpty(toString(properties.$exception_issue_id)) AND (${resolved}))`;
  await api.post(path, { name: "total", query: sqlQuery(total) });
  const built = await buildHandlers(CHUNK);
  await uploadSets(api, tenant.projectId, { [CHUNK]: sourceAndMap(built) });
  const requests = bodies(tenant.projectToken, event, built);
  const began = performance.now();
  await forEachConcurrent(requests, CONNECTIONS, (body) => post(`${url}/batch/`, body));
  await eventually(
    async () => {
      if (((await waitingMessages(folder)).get("live") ?? 0) > 0) throw new Error("messages wait");
      const { body } = await api.post(`${path}total/run/`, { refresh: "force" });
      const [[count] = []] = Object(body).results ?? [];
      if (count !== EXCEPTIONS) throw new Error(`${count} of ${EXCEPTIONS} are counted`);
    },
    { budgetMs: BUDGET_MS, everyMs: LOOK_EVERY_MS },
  );
  return (EXCEPTIONS * 1_000) / (performance.now() - began);
};

const ruledTenant = async (folder: string, key: string): Promise<ATenant> => {
  const data = await openData(folder);
  try {
    const tenant = tenantOf(await applyDocument(data.world, tenantDocument(key)));
    for (let rule = 0; rule < RULES; rule += 1)
      await put(data.world.table, GroupingRules, aRule(tenant.projectId, rule, data.world.ids.uuid()));
    return tenant;
  } finally {
    await data.close();
  }
};

const bodies = (token: string, event: string, built: BuiltHandlers): readonly Buffer[] => {
  const now = Date.now();
  return Array.from({ length: EXCEPTIONS / PER_REQUEST }, (_, request) => {
    const batch = Array.from({ length: PER_REQUEST }, (_, index) =>
      anException(event, request * PER_REQUEST + index, now, index % 2 === 1 ? built : undefined),
    );
    return gzipSync(JSON.stringify({ api_key: token, batch }));
  });
};
