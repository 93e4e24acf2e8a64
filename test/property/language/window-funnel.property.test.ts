import fc from "fast-check";
import { expect, it } from "vitest";
import type { EventRow } from "../../../lib/event/event.ts";
import { openGolden } from "../../golden/harness.ts";
import { STATE } from "../../golden/project.ts";
import { anEventRow } from "../../support/samples/event-rows.ts";

/** A row's second, and its event. */
type Row = readonly [second: number, event: string];

const WINDOW = 5;

/** Events that each step takes: of an event that several take, a row still takes one step only. */
const APART = ["a", "b", "c", "d"];
const MIXED = ["ae", "bef", "cfg", "dg"];

/** The rows one after another, in the order of their times, of one time that of their first step first: the start of the chain that reached each step last. */
const reached = (rows: readonly Row[], steps: readonly string[]): number => {
  const order = ([second, event]: Row): readonly number[] => [
    second,
    steps.findIndex((step) => step.includes(event)),
    ...steps.map((step) => Number(step.includes(event))),
  ];
  const relevant = rows.filter(([, event]) => steps.some((step) => step.includes(event)));
  const starts: (number | undefined)[] = steps.map(() => undefined);
  for (const [second, event] of relevant.toSorted((a, b) => compare(order(a), order(b)))) {
    const before = [...starts];
    for (const [at, step] of steps.entries()) {
      const start = at === 0 ? second : before[at - 1];
      if (step.includes(event) && start !== undefined && second - start <= WINDOW) starts[at] = start;
    }
  }
  return starts.findLastIndex((start) => start !== undefined) + 1;
};

const compare = (a: readonly number[], b: readonly number[]): number => {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
};

const eventsOf = (groups: readonly (readonly Row[])[]): EventRow[] =>
  groups.flatMap((rows, group) =>
    rows.map(([second, event], index) =>
      anEventRow({ event, distinct_id: `g${String(group).padStart(3, "0")}`, timestamp: BigInt(second) * 1_000_000n, index }),
    ),
  );

/** Steps that are only taken behind more rows than are looked at first. */
const LATE: readonly Row[] = [
  ...Array.from({ length: 150 }, (_, at): Row => [at - 1_000, at % 2 === 0 ? "d" : "b"]),
  [0, "a"],
  [1, "b"],
  [2, "c"],
  [3, "d"],
];

const row = fc.tuple(fc.integer({ min: -4, max: 12 }), fc.constantFrom(..."abcdefgx"));

it("windowFunnel follows each group's rows as if one by one, whether its steps want different events or not", () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.array(row, { minLength: 1, maxLength: 14 }), { minLength: 150, maxLength: 150 }), async (drawn) => {
      const groups = [...drawn, LATE];
      const golden = await openGolden(eventsOf(groups), STATE);
      const funnels = [APART, MIXED].flatMap((all) => [1, 2, 3, 4].map((most) => all.slice(0, most)));
      const texts = funnels.map((steps) => {
        const conditions = steps.map((step) => (step.length === 1 ? `event = '${step}'` : `event IN ('${[...step].join("', '")}')`));
        return `windowFunnel(${WINDOW})(timestamp, ${conditions.join(", ")})`;
      });
      const found = await golden.rows(`SELECT ${texts.join(", ")} FROM events GROUP BY distinct_id ORDER BY distinct_id LIMIT 1000`);
      await golden.close();
      expect(found).toEqual(groups.map((rows) => funnels.map((steps) => reached(rows, steps))));
    }),
    { numRuns: 4 },
  ));
