import { describe, expect, it } from "vitest";
import { pack } from "../../core/pack.ts";
import { Defect } from "../../core/unreachable.ts";
import type { Item } from "../../ports/table.ts";
import { mayHold, withNames } from "../catalogue/name-filter.ts";
import { NO_EVIDENCE, ownedBy, PROPERTY_OWNERS, settledAs } from "../property-types.ts";
import { byName, decodeTypes, encodeTypes, type KnownProperty, knownBy, NOTHING_STORED, type StoredTypes } from "./stored-types.ts";

const KEY = { pk: "p", sk: "s" };

const open = { String: 1, Numeric: 2, Boolean: 4, DateTime: 16 };
const NAMES: readonly (readonly [string, KnownProperty])[] = [
  ["amount", { type: "Numeric", seen: 20_000, evidence: null }],
  ["born", { type: "DateTime", seen: 20_000, evidence: null }],
  ["flag", { type: "Boolean", seen: 19_998, evidence: null }],
  ["plan", { type: "String", seen: 20_000, evidence: null }],
  ["price", { type: "Numeric", seen: 19_999, evidence: { ...NO_EVIDENCE, Numeric: 3 } }],
  ["several", { type: "String", seen: 20_000, evidence: open }],
];

const FULL: StoredTypes = {
  names: ownedBy((owner) => new Map(NAMES.slice(PROPERTY_OWNERS.indexOf(owner)))),
  used: new Map([
    ["event:price", 19_990],
    ["person:plan", 20_000],
  ]),
  today: { day: 20_000, names: 1, bytes: 7, noted: 2 },
  lost: withNames(NOTHING_STORED.lost, ["Numeric:event:gone"]),
};

describe("the item of a project's property types", () => {
  it("gives back all that was stored", () => {
    const item = { ...KEY, ...encodeTypes(FULL) };
    expect(decodeTypes(item)).toEqual(FULL);
    expect(mayHold(decodeTypes(item).lost, "Numeric:event:gone")).toBe(true);
    expect(decodeTypes({ ...KEY, ...encodeTypes(NOTHING_STORED) })).toEqual(NOTHING_STORED);
  });

  it("says of what it is the second version, which programs of yesterday read", () => {
    expect(encodeTypes(FULL).v).toBe(2);
  });

  it("that is not there says nothing, and that nothing was added on any day", () => {
    expect(decodeTypes(undefined)).toEqual({
      names: ownedBy(() => new Map()),
      used: new Map(),
      today: { day: 0, names: 0, bytes: 0, noted: 0 },
      lost: { bits: null },
    });
  });

  it("of the version before has names that were seen on no day", () => {
    const body = pack({ names: { event: { Numeric: ["a", "b"], String: ["c"] }, group_4: { Boolean: ["d"] } } });
    const seen = (type: KnownProperty["type"]): KnownProperty => ({ type, seen: 0, evidence: null });
    expect(decodeTypes({ ...KEY, v: 1, body })).toEqual({
      ...NOTHING_STORED,
      names: {
        ...NOTHING_STORED.names,
        event: new Map([
          ["a", seen("Numeric")],
          ["b", seen("Numeric")],
          ["c", seen("String")],
        ]),
        group_4: new Map([["d", seen("Boolean")]]),
      },
    });
  });

  it("that says nothing of names that are not settled has them settled", () => {
    const body = pack({ names: { person: { Numeric: { "20000": ["age"] } } }, used: [], today: FULL.today });
    expect(decodeTypes({ ...KEY, v: 2, body }).names.person).toEqual(new Map([["age", { type: "Numeric", seen: 20_000, evidence: null }]]));
  });

  it.each<[string, Partial<Item>]>([
    ["a newer version", { v: 4 }],
    ["no version", { v: "2" }],
    ["another body", { body: "text" }],
  ])("is refused with %s", (_, changed) => {
    expect(() => decodeTypes({ ...KEY, ...encodeTypes(FULL), ...changed })).toThrow(Defect);
  });
});

describe("what is known of a property", () => {
  it("keeps what events said of it until its type is settled", () => {
    const evidence = { ...NO_EVIDENCE, Numeric: 3, String: 1 };
    expect(knownBy(evidence, 20_000)).toEqual({ type: "Numeric", seen: 20_000, evidence });
    expect(knownBy(settledAs("Boolean"), 20_000)).toEqual({ type: "Boolean", seen: 20_000, evidence: null });
  });

  it("is in the order of names", () => {
    const sorted = ["a", "A", "ü", "b", "aa", "a"].map((name) => [name, null] as const).sort(byName);
    expect(sorted.map(([name]) => name)).toEqual(["A", "a", "a", "aa", "b", "ü"]);
    expect([byName(["a", 1], ["a", 2]), byName(["a", 1], ["b", 1]), byName(["b", 1], ["a", 1])]).toEqual([0, -1, 1]);
  });
});
