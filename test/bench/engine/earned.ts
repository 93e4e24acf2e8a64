import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EmbeddedEngine } from "../../../lib/engine/engine.ts";
import { openEngine } from "../../../lib/engine/open.ts";
import { type EarnedColumn, type EarnedProperty, earnedColumn } from "../../../lib/event/earned-properties.ts";
import { hotValues } from "../../../lib/event/hot-properties.ts";
import { lower } from "../../../lib/hogql/lower.ts";
import { parse } from "../../../lib/hogql/parse.ts";
import type { FileFacts } from "../../../lib/lake/catalogue.ts";
import { eventFileKey, segmentKey } from "../../../lib/lake/paths.ts";
import { countUsage } from "../../../lib/usage/day-counts.ts";
import { pinnedOf, storedSegment } from "../../support/lake-state.ts";
import { anEventRow } from "../../support/samples/event-rows.ts";
import { corpus } from "../corpus.ts";
import { cpuMs } from "../cpu.ts";
import { type Figure, median, type Part } from "../figures.ts";
import { diskObjects } from "./engine-set.ts";

const PROJECT = 1;
const EVENTS = 1_000_000;
const SEGMENT_ROWS = 50_000;
const FROM = Date.UTC(2025, 5, 1);
const TO = Date.UTC(2025, 5, 9);
const LIMITS = { timeMs: 20_000, maxRows: 1_000, maxReplyBytes: 5_500_000 };
const ROUNDS = 7;
const JSON_ROUNDS = 3;
const MERGES = 3;

/** What an event has beside the corpus: two properties with the values of built-in ones, and what a team's own are like. */
const ownProperties = (known: Readonly<Record<string, unknown>>, at: number): Readonly<Record<string, unknown>> => ({
  browser: known.$browser,
  page: known.$pathname,
  plan: PLANS[at % PLANS.length],
  role: ROLES[(at * 7) % ROLES.length],
  feature: `feature-${at % 40}`,
  amount: (at % 10_000) / 100,
  quantity: at % 12,
  trial: at % 5 === 0,
});

const PLANS = ["free", "team", "scale", "enterprise"];
const ROLES = ["owner", "admin", "member", "guest", "billing"];

/** Sixteen properties of an event that have columns: its own ones, and others of the corpus that have none. */
const EARNED: readonly EarnedColumn[] = (
  [
    ...["browser", "page", "plan", "role", "feature", "trial"].map((property) => ({ property, type: "text" })),
    ...["$browser_version", "$screen_width", "$screen_height", "$timezone", "$insert_id"].map((property) => ({ property, type: "text" })),
    ...["amount", "quantity", "$browser_version", "$screen_width", "$screen_height"].map((property) => ({ property, type: "number" })),
  ] as readonly EarnedProperty[]
).map(earnedColumn);

/** Queries over a property that has earned its column, and the same over a built-in one with the same values. */
const PAIRS: readonly { readonly name: string; readonly earned: string; readonly column: string }[] = [
  ["by few values", "SELECT # AS value, count(), uniq(distinct_id) FROM events GROUP BY value ORDER BY value", "browser"],
  ["by many values", "SELECT # AS value, count() AS times FROM events GROUP BY value ORDER BY times DESC, value LIMIT 20", "page"],
  ["of one value", "SELECT toStartOfDay(timestamp) AS day, count() FROM events WHERE # = 'Safari' GROUP BY day ORDER BY day", "browser"],
  ["that hold a text", "SELECT count() FROM events WHERE # ILIKE '%/page-1%'", "page"],
].map(([name = "", text = "", property = ""]) => ({
  name,
  earned: text.replaceAll("#", `properties.${property}`),
  column: text.replaceAll("#", property === "browser" ? "properties.$browser" : "properties.$pathname"),
}));

/** What a column that a property has earned costs to write, and what a query over it takes beside one over a built-in column. */
export const earnedColumns: Part = {
  name: "engine.earned_ratio_to_column",
  seconds: 150,
  measures: ["lib/engine", "lib/hogql", "lib/event"],
  async run() {
    const root = await mkdtemp(join(tmpdir(), "earned-bench-"));
    const objects = diskObjects(join(root, "objects"));
    const config = { engineDiskBytes: 4_000_000_000, engineMemoryMb: 1_500 };
    const engine = await openEngine({ objects, directory: join(root, "engine"), config, countUsage });
    try {
      const segments: FileFacts[] = [];
      for (const rows of segmentRows()) {
        segments.push(await storedSegment(engine, objects, segmentKey(PROJECT, "2025-06", `s${segments.length}`), rows));
      }
      const written = await merges(engine, segments);
      return [...written.figures, ...(await queries(engine, written))];
    } finally {
      await engine.close();
      await rm(root, { recursive: true, force: true });
    }
  },
};

function* segmentRows() {
  let rows = [];
  let at = 0;
  for (const { event, distinct_id, uuid = "", timestamp, properties } of corpus({ seed: 11, events: EVENTS, from: FROM, to: TO })) {
    const all = { ...properties, ...ownProperties(properties, at) };
    const micros = BigInt(Date.parse(timestamp)) * 1_000n;
    rows.push(
      anEventRow({ event, distinct_id, uuid, timestamp: micros, properties: JSON.stringify(all), hot: hotValues(all), index: at % 100 }),
    );
    at += 1;
    if (rows.length < SEGMENT_ROWS) continue;
    yield rows;
    rows = [];
  }
}

interface Written {
  readonly json: readonly FileFacts[];
  readonly earned: readonly FileFacts[];
  readonly figures: readonly Figure[];
}

const bytesOf = (files: readonly FileFacts[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

/** The same rows merged without such columns and with sixteen, in turns, and what came of it merged again. */
const merges = async (engine: EmbeddedEngine, segments: readonly FileFacts[]): Promise<Written> => {
  let keys = 0;
  const merged = async (of: readonly FileFacts[], earned: readonly EarnedColumn[]) => {
    const sources = of.map((file) => ({ file, skip: [] }));
    let files: readonly FileFacts[] = [];
    const ms = await cpuMs(async () => {
      files = await engine.rowFiles.merge(PROJECT, sources, "days", () => eventFileKey(PROJECT, "2025-06", `f${keys++}`), earned);
    });
    return { files, ms };
  };
  let json = (await merged(segments, [])).files;
  let earned: readonly FileFacts[] = [];
  const [plain, taking, again, copying]: [number[], number[], number[], number[]] = [[], [], [], []];
  for (let round = 0; round < MERGES; round++) {
    const [first, second] = [await merged(segments, []), await merged(segments, EARNED)];
    const [third, fourth] = [await merged(first.files, []), await merged(second.files, EARNED)];
    plain.push(first.ms);
    taking.push(second.ms);
    again.push(third.ms);
    copying.push(fourth.ms);
    [json, earned] = [third.files, fourth.files];
  }
  const seconds = (times: readonly number[]): string => `${(median(times) / 1e3).toFixed(1)} s`;
  const megabytes = (files: readonly FileFacts[]): string => `${(bytesOf(files) / 1e6).toFixed(0)} MB`;
  return {
    ...{ json, earned },
    figures: [
      {
        name: "compact.merge_cpu_s_per_million",
        value: median(plain) / 1e3,
        unit: "s",
        baseline: `processor time of merging a million events of ${megabytes(json)} without such columns; until its month is sealed an event is merged as often as compact.worst_amplification says at most, which together is to be at most 30`,
      },
      {
        name: "compact.earned_cost_ratio",
        value: median(taking) / median(plain),
        unit: "ratio",
        baseline: `processor time of merging a million events without such columns, ${seconds(plain)}; taking ${EARNED.length} of them from the JSON ${seconds(taking)}`,
      },
      {
        name: "compact.earned_copy_ratio",
        value: median(copying) / median(again),
        unit: "ratio",
        baseline: `processor time of merging these files again, without such columns ${seconds(again)}; copying ${EARNED.length} of them ${seconds(copying)}`,
      },
      {
        name: "compact.earned_bytes_ratio",
        value: bytesOf(earned) / bytesOf(json),
        unit: "ratio",
        baseline: `bytes of the same files without such columns, ${megabytes(json)}; with them ${megabytes(earned)}`,
      },
    ],
  };
};

const queries = async (engine: EmbeddedEngine, { json, earned }: Written): Promise<readonly Figure[]> => {
  const run = async (text: string, files: readonly FileFacts[]): Promise<number> => {
    const options = {
      project: PROJECT,
      timezone: "UTC",
      now: 0,
      variables: {},
      page: null,
      propertyType: (): "String" => "String",
    } as const;
    const { lowered } = lower(await parse(text), { ...options, hasEarned: () => files === earned });
    const { cost } = await engine.run(lowered, pinnedOf(PROJECT, files), LIMITS);
    return cost.engineMs;
  };
  const found: { readonly name: string; readonly earned: number; readonly column: number; readonly json: number }[] = [];
  for (const { name, earned: named, column } of PAIRS) {
    const [own, builtIn, read]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round <= ROUNDS; round++) {
      // Who goes first changes, so that what else the machine does falls on both.
      const before = round % 2 === 0 ? await run(column, earned) : undefined;
      const mine = await run(named, earned);
      const other = before ?? (await run(column, earned));
      // The first round brings the columns.
      if (round === 0) continue;
      own.push(mine);
      builtIn.push(other);
    }
    for (let round = 0; round < JSON_ROUNDS; round++) read.push(await run(named, json));
    found.push({ name, earned: median(own), column: median(builtIn), json: median(read) });
  }
  return [
    {
      name: "engine.earned_ratio_to_column",
      value: Math.max(...found.map(({ earned: own, column }) => own / column)),
      unit: "ratio",
      baseline: "the worst of the queries below, beside the same over a built-in column with the same values; a million events",
    },
    ...found.map(({ name, earned: own, column, json: read }) => ({
      name: `engine.earned_ratio_to_column: ${name}`,
      value: own,
      unit: "ms",
      baseline: `${column.toFixed(0)} ms from the built-in column, ${read.toFixed(0)} ms from the JSON`,
    })),
  ];
};
