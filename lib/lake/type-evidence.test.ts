import { describe, expect, it } from "vitest";
import {
  isMixed,
  isSettled,
  NO_EVIDENCE,
  type PropertyType,
  settledAs,
  type TypeEvidence,
  typeOfEvidence,
  withEvent,
  withEvidence,
} from "./property-types.ts";

type Counts = Partial<Readonly<Record<PropertyType, number>>>;

/** What so many events of each type say; the first of each have the same identities. */
const said = ({ String: text = 0, Numeric = 0, Boolean: flags = 0, DateTime = 0 }: Counts): TypeEvidence => {
  const sketch = (events: number): number => (1 << events) - 1;
  return { String: sketch(text), Numeric: sketch(Numeric), Boolean: sketch(flags), DateTime: sketch(DateTime) };
};

describe("an event", () => {
  it.each<[before: Counts, type: PropertyType, identity: bigint]>([
    [{ Numeric: 1 }, "Numeric", 0n],
    [{ Numeric: 1 }, "Numeric", 32n],
    [{ Numeric: 8 }, "Numeric", 20n],
    [{ String: 8 }, "Numeric", 20n],
    [{ Numeric: 8, String: 8 }, "Boolean", 0n],
  ])("says nothing new after %j for %s with the identity %s", (before, type, identity) => {
    const evidence = said(before);
    expect(withEvent(evidence, type, identity)).toBe(evidence);
    expect(withEvidence(evidence, withEvent(NO_EVIDENCE, type, identity))).toBe(evidence);
  });

  it.each<[before: Counts, type: PropertyType, identity: bigint, after: TypeEvidence]>([
    [{}, "Boolean", 0n, { ...NO_EVIDENCE, Boolean: 1 }],
    [{}, "Numeric", 31n, { ...NO_EVIDENCE, Numeric: -(2 ** 31) }],
    [{ Numeric: 7 }, "Numeric", 7n, said({ Numeric: 8 })],
    [{ Numeric: 8 }, "String", 0n, said({ Numeric: 8, String: 1 })],
    [{ String: 7 }, "DateTime", 0n, said({ String: 7, DateTime: 1 })],
    [{ Numeric: 1 }, "String", 0n, said({ Numeric: 1, String: 1 })],
  ])("counts after %j for %s with the identity %s", (before, type, identity, after) => {
    expect(withEvent(said(before), type, identity)).toEqual(after);
    expect(withEvidence(said(before), withEvent(NO_EVIDENCE, type, identity))).toEqual(after);
  });

  it("adds nothing to what enough events said, also when it comes with others that count", () => {
    const more = { ...NO_EVIDENCE, Numeric: 1 << 20, Boolean: 1 << 20 };
    expect(withEvidence(said({ Numeric: 8 }), more)).toEqual({ ...said({ Numeric: 8 }), Boolean: 1 << 20 });
  });
});

describe("the type of a property", () => {
  it.each<[Counts, PropertyType]>([
    [{}, "String"],
    [{ Numeric: 1 }, "Numeric"],
    [{ Boolean: 1 }, "Boolean"],
    [{ DateTime: 1 }, "DateTime"],
    [{ String: 1 }, "String"],
    [{ Numeric: 1, String: 1 }, "String"],
    [{ Numeric: 2, String: 1 }, "Numeric"],
    [{ Numeric: 1, Boolean: 1 }, "String"],
    [{ Numeric: 1, Boolean: 3, DateTime: 1 }, "Boolean"],
    [{ Numeric: 1, Boolean: 2, DateTime: 1 }, "String"],
    [{ Numeric: 1, DateTime: 3, String: 1 }, "DateTime"],
    [{ Numeric: 20, String: 7 }, "Numeric"],
    [{ Numeric: 20, String: 8 }, "String"],
  ])("after %j is %s", (counts, type) => {
    expect(typeOfEvidence(said(counts))).toBe(type);
  });

  it("that is settled is what it was settled as", () => {
    for (const type of ["String", "Numeric", "Boolean", "DateTime"] as const) {
      const evidence = settledAs(type);
      expect([typeOfEvidence(evidence), isSettled(evidence), isMixed(evidence)]).toEqual([type, true, false]);
    }
  });

  it.each<[Counts, isSettled: boolean, isMixed: boolean]>([
    [{}, false, false],
    [{ Numeric: 1 }, false, false],
    [{ Numeric: 7 }, false, false],
    [{ Numeric: 8 }, true, false],
    [{ Numeric: 8, String: 1 }, false, true],
    [{ String: 7 }, false, false],
    [{ String: 8 }, true, false],
    [{ String: 1, Boolean: 1 }, false, true],
    [{ Boolean: 2, DateTime: 3 }, false, true],
    [{ String: 7, Numeric: 1, Boolean: 1 }, true, true],
    [{ Numeric: 8, Boolean: 8 }, true, true],
  ])("after %j is settled: %s, and was said to be several: %s", (counts, settled, mixed) => {
    expect([isSettled(said(counts)), isMixed(said(counts))]).toEqual([settled, mixed]);
  });
});
