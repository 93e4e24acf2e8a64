import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemIds } from "../../../lib/app/system.ts";
import type { EmbeddedEngine } from "../../../lib/engine/engine.ts";
import { openEngine } from "../../../lib/engine/open.ts";
import { type EarnedColumn, earnedColumn } from "../../../lib/event/earned-properties.ts";
import { derivePersonId } from "../../../lib/event/identity.ts";
import { lower } from "../../../lib/hogql/lower.ts";
import { parse } from "../../../lib/hogql/parse.ts";
import type { StateFile } from "../../../lib/lake/catalogue.ts";
import { buildColumns } from "../../../lib/lake/persons/state-columns.ts";
import { writeFiles } from "../../../lib/lake/persons/state-files.ts";
import { mergedRows } from "../../../lib/lake/persons/state-merge.ts";
import type { StateRow } from "../../../lib/lake/persons/state-rows.ts";
import { POLICIES } from "../../../lib/lake/policy.ts";
import { countUsage } from "../../../lib/usage/day-counts.ts";
import { pinnedOf } from "../../support/lake-state.ts";
import { cpuMs } from "../cpu.ts";
import { diskObjects } from "../engine/engine-set.ts";
import { type Figure, median, type Part } from "../figures.ts";

const PROJECT = 1;
const PERSONS = 300_000;
const ROUNDS = 7;
const WRITES = 3;
const LIMITS = { timeMs: 20_000, maxRows: 1_000, maxReplyBytes: 5_500_000 };
const CUT = { most: POLICIES.deployed.fold.fileRows, withGone: false };

const PLANS = ["free", "team", "scale", "enterprise"];

/** As many as an SDK and a team say of somebody. */
const personRows = (): StateRow<"persons">[] =>
  Array.from({ length: PERSONS }, (_, at): StateRow<"persons"> => {
    const [distinct_id, created_at] = [`user-${at}`, BigInt(at)];
    const properties = JSON.stringify({
      email: `${at}@example.com`,
      name: `Person ${at}`,
      plan: PLANS[at % PLANS.length],
      city: `city ${at % 50}`,
      seats: (at * 13) % 97,
      $initial_referring_domain: "www.google.com",
      $initial_utm_source: at % 3 === 0 ? "news" : "partner",
      $os: "Mac OS X",
      $browser: "Chrome",
      signed_up_at: "2026-01-01T00:00:00Z",
    });
    return [derivePersonId(PROJECT, distinct_id), { distinct_id, created_at, properties, is_identified: true, last_seen_at: created_at }];
  }).sort(([a], [b]) => (a < b ? -1 : 1));

const COLUMNS: readonly EarnedColumn[] = ["plan", "city", "seats", "signed_up_at"].map((property) =>
  earnedColumn({ property, type: "text" }),
);

const QUERIES = [
  "SELECT properties.plan AS plan, count() FROM persons GROUP BY plan ORDER BY plan",
  "SELECT count() FROM persons WHERE properties.city = 'city 7'",
  "SELECT avg(properties.seats) FROM persons",
];

/** What queries over properties of persons take where these have columns, and what it costs to write these. */
export const earnedPersons: Part = {
  name: "persons.earned_ms",
  seconds: 60,
  measures: ["lib/engine", "lib/lake/persons"],
  async run() {
    const root = await mkdtemp(join(tmpdir(), "earned-persons-"));
    const objects = diskObjects(join(root, "objects"));
    const config = { engineDiskBytes: 1_000_000_000, engineMemoryMb: 1_500 };
    const engine = await openEngine({ objects, directory: join(root, "engine"), config, countUsage });
    try {
      const rows = buildColumns("persons", personRows());
      const parts = { objects, ids: systemIds({ now: Date.now }) };
      const [plain, taking]: [number[], number[]] = [[], []];
      const write = async (columns: readonly EarnedColumn[], times: number[]): Promise<readonly StateFile[]> => {
        let files: readonly StateFile[] = [];
        times.push(
          await cpuMs(async () => {
            files = await writeFiles(parts, PROJECT, "persons", mergedRows(objects, "persons", [], rows, CUT), 0, columns);
          }),
        );
        return files;
      };
      let [json, earned]: (readonly StateFile[])[] = [];
      for (let round = 0; round < WRITES; round++) [json, earned] = [await write([], plain), await write(COLUMNS, taking)];
      return [
        ...(await queries(engine, json ?? [], earned ?? [])),
        {
          name: "persons.earned_cost_ratio",
          value: median(taking) / median(plain),
          unit: "ratio",
          baseline: `processor time of writing ${PERSONS} persons, ${seconds(plain)}; taking ${COLUMNS.length} columns from their JSON ${seconds(taking)}`,
        },
      ];
    } finally {
      await engine.close();
      await rm(root, { recursive: true, force: true });
    }
  },
};

const seconds = (times: readonly number[]): string => `${(median(times) / 1e3).toFixed(1)} s`;

const queries = async (engine: EmbeddedEngine, json: readonly StateFile[], earned: readonly StateFile[]): Promise<readonly Figure[]> => {
  const run = async (text: string, persons: readonly StateFile[]): Promise<number> => {
    const propertyType = (_: string, name: string): "Numeric" | "String" => (name === "seats" ? "Numeric" : "String");
    const options = { project: PROJECT, timezone: "UTC", now: 0, variables: {}, page: null, propertyType };
    const { lowered } = lower(await parse(text), { ...options, hasEarned: () => true });
    const state = { v: 1, id: "s", persons, distinctIds: [], groups: [], history: [], absorbed: [], absorbedAt: [] };
    return (await engine.run(lowered, { ...pinnedOf(PROJECT, []), state }, LIMITS)).cost.engineMs;
  };
  const found: { readonly column: number; readonly json: number }[] = [];
  for (const text of QUERIES) {
    const [column, read]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      column.push(await run(text, earned));
      read.push(await run(text, json));
    }
    found.push({ column: median(column), json: median(read) });
  }
  const worst = Math.max(...found.map(({ column }) => column));
  const all = found.map(({ column, json: read }) => `${column.toFixed(1)} instead of ${read.toFixed(0)}`);
  return [
    {
      name: "persons.earned_ms",
      value: worst,
      unit: "ms",
      baseline: `the slowest of ${QUERIES.length} queries over properties of ${PERSONS} persons that have columns; with and without these: ${all.join(", ")} ms`,
    },
  ];
};
