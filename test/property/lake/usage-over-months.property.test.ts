import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { EventRow } from "../../../lib/event/event.ts";
import { commitDrain } from "../../../lib/lake/commit.ts";
import { compact } from "../../../lib/lake/compact.ts";
import { initialHead } from "../../../lib/lake/head.ts";
import { POLICIES } from "../../../lib/lake/policy.ts";
import { foldUsage, recountDay } from "../../../lib/lake/usage.ts";
import { countUsage } from "../../../lib/usage/day-counts.ts";
import { projectUsage } from "../../../lib/usage/roll-ups.ts";
import { memoryRowFiles, rowLists } from "../../simulation/ports/row-files.ts";
import { memoryTable } from "../../simulation/ports/table.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { anEventRow } from "../../support/samples/event-rows.ts";
import { type CountedEvent, settledUsage } from "../../support/settled-usage.ts";

const OWNER = { organization: "0190d0aa-0000-7000-8000-000000000001", project: 7 };
const POLICY = { ...POLICIES.local, rewriteMinRows: 4, fileRows: 4, tierFiles: 2 };
const MONTHS = ["2026-01", "2026-02", "2026-03"] as const;
type Month = (typeof MONTHS)[number];
const DAYS = ["2026-01-02", "2026-01-31", "2026-02-01", "2026-02-28", "2026-03-01"].map((date) => Date.parse(date) / 86_400_000);

const someEvents = (kinds: readonly CountedEvent["kind"][]): fc.Arbitrary<readonly CountedEvent[]> => {
  const one = fc.record({
    kind: fc.constantFrom(...kinds),
    day: fc.constantFrom(...DAYS),
    id: fc.constantFrom("a", "b"),
    cents: fc.integer({ min: 1, max: 9 }),
  });
  const event = one.map(({ cents, kind, ...rest }): CountedEvent => (kind === "cost" ? { kind, ...rest, cents } : { kind, ...rest }));
  return fc.array(event, { minLength: 2, maxLength: EVENTS });
};
const EVENTS = 8;
const events = fc.oneof(
  someEvents(["submission"]),
  someEvents(["web", "mobile"]),
  someEvents(["free", "cost"]),
  someEvents(["submission", "web", "mobile", "free", "cost"]),
);

const FREE = { messages: [{ tool_calls: [{ name: "summarize_sessions" }] }] };

/** The name and the properties of an event that clients send. */
const sentAs = (event: CountedEvent): readonly [name: string, properties: object] => {
  switch (event.kind) {
    case "submission":
      return ["survey sent", { $survey_id: "s", $survey_submission_id: event.id }];
    case "free":
      return ["$ai_trace", { $ai_trace_id: event.id, $ai_output_state: FREE }];
    case "cost":
      return [
        "$ai_generation",
        { ai_product: "assistant", $ai_billable: true, $ai_trace_id: event.id, $ai_total_cost_usd: event.cents / 100 },
      ];
    default:
      return ["$snapshot", { $session_id: event.id, $snapshot_source: event.kind }];
  }
};

const rowOf = (event: CountedEvent, number: number): EventRow => {
  const [name, properties] = sentAs(event);
  return anEventRow({
    uuid: `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`,
    event: name,
    timestamp: BigInt(event.day) * 86_400_000_000n,
    person_mode: "propertyless",
    properties: JSON.stringify(properties),
    request: String(number),
  });
};

/**
 * What happens in turn: some events arrive (perhaps again) and months are gathered; then more arrive, and months are gathered and
 * counted while other jobs of usage are done, of which one may be killed at one of its writes.
 */
const aStep = fc.record({
  arrive: fc.subarray([...Array(EVENTS).keys()]),
  gather: fc.subarray([...MONTHS]),
  late: fc.subarray([...Array(EVENTS).keys()], { maxLength: 3 }),
  meanwhile: fc.subarray([...MONTHS]),
  count: fc.array(fc.constantFrom(...MONTHS), { maxLength: 3 }),
  killedAt: fc.integer({ min: 0, max: 5 }),
});
type Step = typeof aStep extends fc.Arbitrary<infer T> ? T : never;

const aLake = async (sent: readonly CountedEvent[], scheduler: fc.Scheduler) => {
  let now = Date.UTC(2026, 3, 1);
  let ulids = 0;
  const clock = { now: () => now++ };
  const ids = { uuid: () => "", ulid: () => String(ulids++).padStart(26, "0"), secret: () => new Uint8Array() };
  const table = memoryTable();
  const objects = memoryObjects();
  const rowFiles = memoryRowFiles(objects, rowLists(), { countUsage });
  const parts = { table, objects, clock, ids, rowFiles, segments: rowFiles };
  await table.put(initialHead(OWNER.project, 0));
  /** Jobs that were asked for and have not ended well. */
  const asked = new Set<Month>();
  const side = (killedAt: number) => {
    let updates = 0;
    return {
      ...parts,
      table: {
        ...table,
        get: scheduler.scheduleFunction(table.get),
        transact: scheduler.scheduleFunction(table.transact),
        update: scheduler.scheduleFunction(async (...given: Parameters<typeof table.update>) => {
          updates += 1;
          if (updates === killedAt) throw new Error("killed");
          return table.update(...given);
        }),
      },
    };
  };
  const gather = async (month: Month, by = parts): Promise<void> => {
    const gathered = async (): Promise<void> => void asked.add(month);
    await compact(by, POLICY, { project: OWNER.project, partition: month, upTo: "~", seal: false }, { gathered });
  };
  const count = async (month: Month, killedAt: number): Promise<void> => {
    asked.delete(month);
    try {
      await foldUsage(side(killedAt), { ...OWNER, partition: month });
    } catch (error) {
      if (!(error instanceof Error && error.message === "killed")) throw error;
      asked.add(month);
    }
  };
  const arrived = new Set<number>();
  const arrive = (numbers: readonly number[]): Promise<unknown> => {
    for (const number of numbers) arrived.add(number);
    const rows = [...new Set(numbers)].flatMap((number) => {
      const event = sent[number];
      return event === undefined ? [] : [rowOf(event, number)];
    });
    return rows.length === 0 ? Promise.resolve() : commitDrain(parts, { project: OWNER.project, lane: "live", rows, changes: new Map() });
  };
  return {
    async step(step: Step): Promise<void> {
      await arrive(step.arrive);
      for (const month of step.gather) await gather(month);
      await arrive(step.late);
      const gathered = step.meanwhile.map(async (month) => {
        await gather(month, side(0));
        await count(month, 0);
      });
      const jobs = step.count.map((month, at) => count(month, at === 0 ? step.killedAt : 0));
      await scheduler.waitFor(Promise.all([...gathered, ...jobs]));
    },
    /** What has not arrived does, all is gathered, and each job that was asked for ends well. */
    async end(): Promise<void> {
      await arrive([...sent.keys()].filter((number) => !arrived.has(number)));
      for (const month of MONTHS) await gather(month);
      for (const month of asked) await scheduler.waitFor(count(month, 0));
    },
    async counts(): Promise<ReadonlyMap<string, number>> {
      const days = await projectUsage(parts, OWNER, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
      const all = Object.entries(days).flatMap(([day, types]) =>
        Object.entries(types).map(([type, units]) => [`${day} ${type}`, units] as const),
      );
      return new Map(all.filter(([name]) => !name.endsWith(" ai_event_count_in_period")));
    },
    recount: (day: number) => recountDay(parts, OWNER, day),
  };
};

const sorted = (counts: ReadonlyMap<string, number>) => [...counts].sort(([one], [other]) => (one < other ? -1 : 1));

it("usage comes to the same in whatever order and groups events arrive, are gathered and are counted, whoever is killed", async () => {
  await fc.assert(
    fc.asyncProperty(events, fc.array(aStep, { maxLength: 5 }), fc.scheduler(), async (sent, steps, scheduler) => {
      const lake = await aLake(sent, scheduler);
      for (const step of steps) await lake.step(step);
      await lake.end();
      expect(sorted(await lake.counts())).toEqual(sorted(settledUsage(sent)));
      for (const day of DAYS) expect((await lake.recount(day))?.differences ?? []).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
