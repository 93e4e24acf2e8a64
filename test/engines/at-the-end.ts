import { DAY_US, HOUR_MS, MINUTE_MS } from "../../lib/core/time.ts";
import { utcDay } from "../../lib/event/time-partitions.ts";
import type { Remembered, Run } from "./after-swaps.ts";
import { EVENTS } from "./columns.ts";
import type { Faults } from "./faults.ts";
import { randomFilters } from "./filters.ts";
import { differsFromProduct } from "./product.ts";
import type { Pyiceberg } from "./readers/pyiceberg.ts";
import type { Filter } from "./readers/reader.ts";
import type { Spark } from "./readers/sql.ts";
import { comparesFiltered, comparesPlanned, comparesRows, type Expected } from "./same.ts";

interface End extends Run {
  readonly spark: Spark | undefined;
  readonly pyiceberg: Pyiceberg | undefined;
  readonly remembered: Remembered;
  tell(sentence: string): void;
}

const FILTERS = 30;
const SNAPSHOTS = 3;
const SWEPT_AFTER_MS = 25 * HOUR_MS;

/** All that was gathered, read by every engine that is there, and what the product's own queries say of it. */
export const atTheEnd = async ({ random, faults, questions, readers, spark, pyiceberg, remembered, tell }: End): Promise<void> => {
  const before = random.events();
  if (spark) await faults.during("Spark begins to read", () => spark.plan("before", { table: "events", columns: EVENTS }));
  await random.differ();
  await random.settle();
  random.lake.pass(SWEPT_AFTER_MS);
  await random.lake.sweep();
  if (spark) await comparesPlanned(faults, spark, before, "begun before swaps and a sweep", () => spark.finish("before"));

  const events = random.events();
  const difference = await differsFromProduct(random.lake, events);
  if (difference !== undefined) faults.add(difference);
  tell(`read at the end: ${random.columns.newest().join(", ")}`);
  const tables = [events, ...(await random.state())];
  const snapshots = [...remembered.values()].slice(-SNAPSHOTS);
  for (const reader of readers) {
    random.lake.pass(MINUTE_MS);
    for (const expected of tables) await comparesRows(faults, reader, expected, "at the end");
    for (let left = FILTERS; left > 0; left -= 1) {
      await comparesFiltered(faults, reader, events, randomFilters(questions, events.rows), "at the end");
    }
    for (const old of snapshots) await comparesRows(faults, reader, old, `as of snapshot ${old.snapshot}`);
  }
  const day = newestDay(events);
  if (pyiceberg) await faults.during("pyiceberg plans", () => prunes(faults, pyiceberg, day));
  if (spark) await faults.during("Spark plans", () => pushesDown(faults, spark, day));
};

const newestDay = ({ rows }: Expected): readonly Filter[] => {
  const days = rows.map(({ timestamp }) => utcDay(BigInt(String(timestamp))));
  const start = BigInt(Math.max(...days)) * DAY_US;
  return [{ column: "timestamp", is: ">=", value: { time: start } }];
};

/** Whether a scan of a day leaves files alone that a scan of all opens. */
const prunes = async (faults: Faults, pyiceberg: Pyiceberg, day: readonly Filter[]): Promise<void> => {
  const [all, some] = [await pyiceberg.files("events"), await pyiceberg.files("events", day)];
  if (some === 0 || some * 2 > all) faults.add(`${pyiceberg.version} opens ${some} of ${all} files for the last day`);
};

/** Whether the table itself takes the condition on the time. */
const pushesDown = async (faults: Faults, spark: Spark, day: readonly Filter[]): Promise<void> => {
  const plan = await spark.explain({ table: "events", filters: day });
  if (!/BatchScan .*filters=[^\]]*timestamp/.test(plan)) faults.add(`${spark.version} reads all files for the last day: ${plan}`);
};
