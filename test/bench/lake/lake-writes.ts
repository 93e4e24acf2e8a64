import { createHash } from "node:crypto";
import { ingest } from "../../../functions/ingest/ingest.ts";
import { readCommits } from "../../../lib/lake/catalogue/commits.ts";
import type { Delivery } from "../../../lib/ports/queues.ts";
import { messageOf } from "../../support/samples/capture-messages.ts";
import type { TableCall } from "../../support/table-meter/meter.ts";
import { corpus } from "../corpus.ts";
import type { Figure, Part } from "../figures.ts";
import { type LoadedLake, loadedLake, PROJECT } from "./lake-load.ts";

const MILLION = 1_000_000;
/** What the partition keys of usage begin with. */
const USAGE = "usage";
const PER_REQUEST = 1_000;
/** One invocation gets at most 6 MB of messages. */
const DRAIN_BYTES = 6 * 1024 * 1024;
const IDENTIFY_SHARE = 0.1;
const START = Date.UTC(2026, 2, 12);
const DAY_MS = 86_400_000;
const SECOND_MS = 1_000;
/** Imports arrive about as fast as a script sends them: a drain every few seconds. */
const DRAIN_EVERY_MS = 5 * SECOND_MS;
const BUDGET = { remainingMs: () => 600 * SECOND_MS };

/**
 * Table writes of a million historical events over a year of dates, 1,000 a request: the first drain goes through ingest as it is, the
 * others put the same commit again, until all is compacted, swept and deleted.
 */
export const lakeWrites: Part = {
  name: "calls.table_write",
  seconds: 15,
  measures: ["functions/ingest", "functions/jobs", "lib/lake"],
  async run(): Promise<readonly Figure[]> {
    const bill = { requests: 0, units: 0, counting: 0 };
    const lake = await loadedLake(START, {
      record({ kind, items, writeUnits, indexWriteUnits, written = [] }: TableCall) {
        if (kind === "get" || kind === "getMany" || kind === "query") return;
        bill.requests += items;
        bill.units += writeUnits + indexWriteUnits;
        bill.counting += written.filter((beginning) => beginning === USAGE).length;
      },
    });
    const { deliveries, events } = oneDrain();
    const { failed } = await ingest(deliveries, lake.world, BUDGET, "historical");
    if (failed.length > 0) throw new Error("the drain was not ingested");
    const drains = Math.ceil(MILLION / events);
    await repeatDrain(lake, drains - 1);
    await lake.settle();
    if ((await readCommits(lake.world.table, PROJECT)).length > 0) throw new Error("commits are left over");
    const baseline = `${drains} drains of ${events} events; at most`;
    return [
      { name: "calls.table_writes_per_million_historical", value: bill.requests, unit: "requests", baseline: `${baseline} 1,000` },
      { name: "calls.table_write_units_per_million_historical", value: bill.units, unit: "units", baseline: `${baseline} 4,000` },
      {
        name: "calls.usage_writes_per_million_historical",
        value: bill.counting,
        unit: "requests",
        baseline: "of these, what counting takes",
      },
    ];
  },
};

const repeatDrain = async (lake: LoadedLake, times: number): Promise<void> => {
  const commits = await readCommits(lake.world.table, PROJECT);
  for (let drain = 0; drain < times; drain += 1) {
    await lake.pass(DRAIN_EVERY_MS, DRAIN_EVERY_MS);
    for (const commit of commits) await lake.repeat(commit);
  }
};

/** As many requests of a thousand events, each from its own part of the year, as one drain gets; the script sends them in no order. */
const oneDrain = (): { readonly deliveries: readonly Delivery[]; readonly events: number } => {
  const deliveries: Delivery[] = [];
  const events = [
    ...corpus({ seed: 11, events: MILLION / 10, from: START - 420 * DAY_MS, to: START - 60 * DAY_MS, identify: IDENTIFY_SHARE }),
  ];
  const requests = Math.floor(events.length / PER_REQUEST);
  let bytes = 0;
  for (let request = 0; request < requests; request += 1) {
    const body = messageOf(
      events.filter((_, at) => at % requests === request),
      {
        project: PROJECT,
        organization: "bench",
        request: createHash("md5").update(String(request)).digest("hex"),
        received: String(START * 1_000),
        historical: true,
      },
    );
    if (bytes + body.length > DRAIN_BYTES) break;
    bytes += body.length;
    deliveries.push({ id: String(request), body, attempts: 1 });
  }
  return { deliveries, events: deliveries.length * PER_REQUEST };
};
