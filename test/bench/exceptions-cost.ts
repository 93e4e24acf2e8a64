import { ingest } from "../../functions/ingest/ingest.ts";
import { GroupingRules } from "../../lib/error-tracking/rules.ts";
import { readCommits } from "../../lib/lake/catalogue/commits.ts";
import type { Delivery } from "../../lib/ports/queues.ts";
import { put } from "../../lib/table/store.ts";
import { deliveryOf } from "../support/samples/capture-messages.ts";
import { keyOfWrite, meteredTable } from "../support/table-meter/meter.ts";
import { ingestWorld, NOW } from "../support/worlds/ingest-world.ts";
import { anException, aRule, RULES } from "./exceptions-load.ts";
import { type Figure, median, type Part } from "./figures.ts";

const EVENTS = 4_000;
const PER_MESSAGE = 50;
const MESSAGES_PER_DRAIN = 10;
const ROUNDS = 3;
const FLOOD = 100_000;
const FLOOD_PER_MESSAGE = 1_000;
const MOST_FLOOD_WRITES = 100;
const BUDGET = { remainingMs: () => 600_000 };

/** What a `$exception` costs over a plain event of the same bytes, and what a flood of equal ones writes. In one process, over a table in memory. */
export const exceptionCost: Part = {
  name: "exceptions.cost",
  seconds: 60,
  measures: ["functions/ingest", "lib/error-tracking", "lib/lake"],
  async run(): Promise<readonly Figure[]> {
    const plain: Cost[] = [];
    const exceptions: Cost[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const costs = [await costOf("plain"), await costOf("$exception")] as const;
      // The first one warms the process up.
      if (round > 0) plain.push(costs[0]);
      if (round > 0) exceptions.push(costs[1]);
    }
    const [less, more] = [middle(plain), middle(exceptions)];
    const flood = await floodWrites();
    return [
      {
        name: "exceptions.cpu_ms_over_plain",
        value: more.cpuMs - less.cpuMs,
        unit: "ms",
        baseline: `a 20 KB exception with ${RULES} rules takes ${more.cpuMs.toFixed(3)} ms of processor, a plain event of the same bytes ${less.cpuMs.toFixed(3)} ms`,
      },
      {
        name: "exceptions.calls_over_plain_per_1000",
        value: more.calls - less.calls,
        unit: "calls",
        baseline: `calls to table and store for 1,000 exceptions of 40 kinds, ${PER_MESSAGE * MESSAGES_PER_DRAIN} a drain: ${more.calls.toFixed(1)}; of plain events: ${less.calls.toFixed(1)}`,
      },
      {
        name: "exceptions.flood_writes",
        value: flood.writes,
        unit: "writes",
        baseline: `${FLOOD} equal exceptions, beside ${flood.commits} commits and ${flood.counts} counts; ${flood.stored} are stored, ${flood.counted} counted; at most ${MOST_FLOOD_WRITES}`,
      },
    ];
  },
};

interface Cost {
  /** Of the processor, for one event. */
  readonly cpuMs: number;
  /** To table and store, for a thousand events. */
  readonly calls: number;
}

const middle = (costs: readonly Cost[]): Cost => ({
  cpuMs: median(costs.map(({ cpuMs }) => cpuMs)),
  calls: median(costs.map(({ calls }) => calls)),
});

const costOf = async (event: string): Promise<Cost> => ({ cpuMs: await cpuOf(event), calls: await callsOf(event) });

const cpuOf = async (event: string): Promise<number> => {
  const { world, table } = await ingestWorld([1]);
  await addRules(table, world.ids);
  const drains = drainsOf(event);
  const began = process.cpuUsage();
  for (const drain of drains) await ingested(drain, world);
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1_000 / EVENTS;
};

const callsOf = async (event: string): Promise<number> => {
  let calls = 0;
  const count = (): void => {
    calls += 1;
  };
  const { world, table, objects } = await ingestWorld([1], (own) => meteredTable(own, { record: count }));
  await addRules(table, world.ids);
  const puts = { ...objects, put: (key: string, bytes: Uint8Array) => objects.put(key, bytes).finally(count) };
  calls = 0;
  for (const drain of drainsOf(event)) await ingested(drain, { ...world, objects: puts });
  return (calls * 1_000) / EVENTS;
};

const floodWrites = async () => {
  const written = { writes: 0, commits: 0, counts: 0 };
  const count = (sk: string): void => {
    if (sk.startsWith("commit#")) written.commits += 1;
    else if (sk.startsWith("bucket#")) written.counts += 1;
    else written.writes += 1;
  };
  const { world, table } = await ingestWorld([1], (own) => ({
    ...own,
    get: (...given) => own.get(...given),
    getMany: (...given) => own.getMany(...given),
    query: (...given) => own.query(...given),
    remove: (...given) => own.remove(...given),
    put(item, when) {
      count(item.sk);
      return own.put(item, when);
    },
    update(key, change, when) {
      count(key.sk);
      return own.update(key, change, when);
    },
    transact(writes) {
      for (const write of writes) count(keyOfWrite(write).sk);
      return own.transact(writes);
    },
  }));
  const one = anException("$exception", 0, NOW);
  const perDrain = FLOOD_PER_MESSAGE * MESSAGES_PER_DRAIN;
  for (let sent = 0; sent < FLOOD; sent += perDrain) {
    const messages = Array.from({ length: MESSAGES_PER_DRAIN }, () => aMessage(Array.from({ length: FLOOD_PER_MESSAGE }, () => one)));
    await ingested(messages, world);
  }
  const stored = (await readCommits(table, 1)).reduce((sum, { segments }) => sum + segments.reduce((rows, each) => rows + each.rows, 0), 0);
  const { items } = await table.query({ pk: "errors#1#exception-counts" });
  const counted = items.flatMap(({ pairs }) => JSON.parse(String(pairs))).reduce((sum: number, [, , each]) => sum + Number(each), 0);
  return { ...written, stored, counted };
};

type Parts = Awaited<ReturnType<typeof ingestWorld>>;

const addRules = async (table: Parts["table"], ids: Parts["world"]["ids"]): Promise<void> => {
  for (let rule = 0; rule < RULES; rule += 1) await put(table, GroupingRules, aRule(1, rule, ids.uuid()));
};

const ingested = async (messages: readonly Delivery[], world: Parts["world"]): Promise<void> => {
  const { failed } = await ingest(messages, world, BUDGET, "live");
  if (failed.length > 0) throw new Error("a drain failed");
};

const drainsOf = (event: string): readonly (readonly Delivery[])[] => {
  const messages = Array.from({ length: EVENTS / PER_MESSAGE }, (_, message) =>
    aMessage(Array.from({ length: PER_MESSAGE }, (__, index) => anException(event, message * PER_MESSAGE + index, NOW))),
  );
  return Array.from({ length: messages.length / MESSAGES_PER_DRAIN }, (_, drain) =>
    messages.slice(drain * MESSAGES_PER_DRAIN, (drain + 1) * MESSAGES_PER_DRAIN),
  );
};

const aMessage = (events: readonly object[]): Delivery => deliveryOf(events, { organization: "", received: `${NOW}000` });
