import type { Figure, Part } from "../figures.ts";
import { type LoadedLake, loadedLake, type RowsPerDay } from "./lake-load.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 1_440 * MINUTE_MS;

/** The middle of a month, so that late events reach into the one before. */
const START = Date.UTC(2026, 2, 12);
const today = (now: number): number => Math.floor(now / DAY_MS);

interface Load {
  readonly name: string;
  /** Feeds the lake; returns the rows ingested. */
  feed(lake: LoadedLake): Promise<number>;
}

const BUSY_ROWS = 2_000;
const BUSY_DRAIN_MS = 20 * SECOND_MS;
const IMPORT_ROWS = 50_000;
const IMPORT_DRAINS = 100;
const LATE_ROWS = 2_000;
const LATE_SHARE = 0.05;
const LATE_DAYS = 30;

const LOADS: readonly Load[] = [
  {
    name: "one busy project, 100 events/s for a day",
    feed: (lake) => live(lake, DAY_MS, BUSY_DRAIN_MS, (now) => new Map([[today(now), BUSY_ROWS]])),
  },
  { name: "one event a minute for a day", feed: (lake) => live(lake, DAY_MS, MINUTE_MS, (now) => new Map([[today(now), 1]])) },
  {
    name: "a year's import of 5 million",
    async feed(lake) {
      for (let drain = 0; drain < IMPORT_DRAINS; drain += 1) {
        await lake.commit("historical", overAYear(lake.world.clock.now()));
        await lake.pass(3 * SECOND_MS, 3 * SECOND_MS);
      }
      return IMPORT_DRAINS * IMPORT_ROWS;
    },
  },
  { name: "5 % of events up to 30 days late, for five days", feed: (lake) => live(lake, 5 * DAY_MS, MINUTE_MS, partlyLate) },
];

/** Rows written by compaction for each row ingested, until all is sealed; the worst of the four loads. */
export const lakeAmplification: Part = {
  name: "compact.worst_amplification",
  seconds: 30,
  measures: ["functions/jobs", "lib/lake"],
  async run(): Promise<readonly Figure[]> {
    const measured: { readonly name: string; readonly value: number }[] = [];
    for (const { name, feed } of LOADS) {
      const lake = await loadedLake(START);
      const rows = await feed(lake);
      await lake.settle();
      measured.push({ name, value: lake.writtenRows() / rows });
    }
    const worst = Math.max(...measured.map(({ value }) => value));
    const all = measured.map(({ name, value }) => `${name}: ${value.toFixed(1)}`).join("; ");
    return [{ name: "compact.worst_amplification", value: worst, unit: "rows/row", baseline: `at most 4; ${all}` }];
  },
};

const live = async (lake: LoadedLake, forMs: number, everyMs: number, rowsAt: (now: number) => RowsPerDay): Promise<number> => {
  let rows = 0;
  for (let passed = 0; passed < forMs; passed += MINUTE_MS) {
    for (let within = 0; within < MINUTE_MS; within += everyMs) {
      const drain = rowsAt(lake.world.clock.now());
      for (const count of drain.values()) rows += count;
      await lake.commit("live", drain);
    }
    await lake.pass(MINUTE_MS);
  }
  return rows;
};

const overAYear = (now: number): RowsPerDay =>
  new Map(
    Array.from({ length: 365 }, (_, day) => [today(now) - 60 - day, Math.floor(IMPORT_ROWS / 365) + (day < IMPORT_ROWS % 365 ? 1 : 0)]),
  );

const partlyLate = (now: number): RowsPerDay => {
  const late = LATE_ROWS * LATE_SHARE;
  const rows = new Map([[today(now), LATE_ROWS - late]]);
  for (let event = 0; event < late; event += 1) {
    const day = today(now) - 1 - (event % LATE_DAYS);
    rows.set(day, (rows.get(day) ?? 0) + 1);
  }
  return rows;
};
