import fc from "fast-check";
import { FAULTS, OUTCOMES } from "../support/fakes/stripe-account.ts";

const kind = <const K extends string>(name: K) => fc.constant(name);
const of = fc.nat({ max: 9 });
const times = fc.integer({ min: 1, max: 2 });

/** What happens next: by the customer, the operator, the clock, the provider, or by accident. */
const command = fc.oneof(
  { arbitrary: fc.record({ kind: kind("wait"), hours: fc.constantFrom(1, 1, 5, 21, 25, 25, 72, 120, 340, 744) }), weight: 8 },
  { arbitrary: fc.record({ kind: kind("close"), times }), weight: 10 },
  {
    arbitrary: fc.record({
      kind: kind("buy"),
      usd: fc.integer({ min: 1, max: 3 }),
      isCollected: fc.boolean(),
      key: fc.nat({ max: 3 }),
      times,
    }),
    weight: 4,
  },
  { arbitrary: fc.record({ kind: kind("step"), of, step: fc.constantFrom("pay", "void", "write_off", "collect") }), weight: 4 },
  { arbitrary: fc.record({ kind: kind("card"), isOther: fc.boolean() }), weight: 3 },
  {
    arbitrary: fc.record({
      kind: kind("outcomes"),
      next: fc.array(fc.constantFrom(...OUTCOMES, "declined" as const), { minLength: 1, maxLength: 4, size: "max" }),
    }),
    weight: 5,
  },
  {
    arbitrary: fc.record({
      kind: kind("fault"),
      faults: fc.array(fc.constantFrom(...FAULTS), { minLength: 1, maxLength: 3, size: "max" }),
    }),
    weight: 5,
  },
  { arbitrary: fc.record({ kind: kind("kill"), after: fc.nat({ max: 24 }), isApplied: fc.boolean() }), weight: 5 },
  { arbitrary: fc.record({ kind: kind("finish"), of, outcome: fc.constantFrom("succeeded", "declined") }), weight: 4 },
  { arbitrary: fc.record({ kind: kind("late"), of }), weight: 1 },
  { arbitrary: fc.record({ kind: kind("refund"), of, cents: fc.constantFrom(1, 100, 1_000_000) }), weight: 2 },
  { arbitrary: fc.record({ kind: kind("dispute"), of, end: fc.constantFrom("open", "won", "lost") }), weight: 1 },
  { arbitrary: fc.record({ kind: kind("deliver"), of: fc.nat({ max: 29 }), times, isWhileClosing: fc.boolean() }), weight: 6 },
);

export type WalkCommand = typeof command extends fc.Arbitrary<infer T> ? T : never;

export const walks = fc.array(command, { minLength: 12, maxLength: 40, size: "max" });
