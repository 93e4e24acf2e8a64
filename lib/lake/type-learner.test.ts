import { describe, expect, it } from "vitest";
import { NO_TYPES, type PropertyTypes, typeLearner } from "./learn-types.ts";
import { NO_EVIDENCE, type PropertyType, settledAs, type TypeEvidence } from "./property-types.ts";

const names = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `name-${at}`);
const numbersOf = (all: readonly string[]): Readonly<Record<string, number>> => Object.fromEntries(all.map((name) => [name, 1]));

/** What is known of properties of events: types that are settled, and what was said of those that are not. */
const knowing = (
  types: Readonly<Record<string, PropertyType>>,
  open: Readonly<Record<string, TypeEvidence>> = {},
  used: readonly string[] = [],
): PropertyTypes => ({
  ...NO_TYPES,
  of: { ...NO_TYPES.of, event: new Map(Object.entries(types)) },
  open: { ...NO_TYPES.open, event: new Map(Object.entries(open)) },
  used: new Map(used.map((name) => [name, 20_000])),
});

const FEW = { ...NO_EVIDENCE, Numeric: 1 };
const ONE_TEXT = { ...NO_EVIDENCE, String: 1 };

/** What one event with the identity 0 says of `price`. */
const told = (known: PropertyTypes, value: unknown): TypeEvidence | null => {
  const learner = typeLearner(known);
  learner.see("event", { price: value }, 0n);
  return learner.learnt([])?.event.get("price") ?? null;
};

describe("what an event tells of a property", () => {
  it.each<[what: string, known: PropertyTypes, value: unknown, said: TypeEvidence | null]>([
    ["is its first type", NO_TYPES, 5, FEW],
    ["is nothing new where it is text for good", knowing({ price: "String" }), 5, null],
    ["is nothing new where it is a number for good", knowing({ price: "Numeric" }), 5, null],
    ["speaks against a type that is settled", knowing({ price: "Numeric" }), "text", { ...settledAs("Numeric"), String: 1 }],
    ["is nothing new where this very event was counted", knowing({ price: "Numeric" }, { price: FEW }), 5, null],
    ["adds to what was said", knowing({ price: "Numeric" }, { price: FEW }), "text", { ...FEW, String: 1 }],
    ["adds to what was said of text, too", knowing({ price: "String" }, { price: ONE_TEXT }), 5, { ...ONE_TEXT, Numeric: 1 }],
    ["says nothing where it has no value", NO_TYPES, null, null],
    ["says nothing where it has no value, though its type is open", knowing({ price: "Numeric" }, { price: FEW }), "", null],
  ])("%s", (_, known, value, said) => {
    expect(told(known, value)).toEqual(said);
  });

  it("adds up over events of a drain", () => {
    const learner = typeLearner(NO_TYPES);
    learner.see("event", { price: 5 }, 0n);
    learner.see("event", { price: 5 }, 1n);
    learner.see("event", { price: "text" }, 2n);
    learner.see("event", { price: null }, 3n);
    expect(learner.learnt([])?.event).toEqual(new Map([["price", { ...NO_EVIDENCE, Numeric: 3, String: 4 }]]));
  });

  it("is text for names whose values are text whatever they look like", () => {
    const learner = typeLearner(NO_TYPES);
    learner.see("event", { utm_term: 5, $group_0: 7 }, 0n);
    expect(learner.learnt([])?.event).toEqual(
      new Map([
        ["utm_term", settledAs("String")],
        ["$group_0", settledAs("String")],
      ]),
    );
  });

  it("is kept apart for events, persons and each kind of group", () => {
    const of = (set: Readonly<Record<string, unknown>>) => ({ set, setOnce: null });
    const learnt = typeLearner(NO_TYPES).learnt([
      [{ identity: 0n }, { person: of({ a: 1 }), group: null }],
      [{ identity: 0n }, { person: { ...of({}), set: null, setOnce: { b: true } }, group: null }],
      [{ identity: 0n }, { person: null, group: { slot: 0, set: { c: 1 } } }],
      [{ identity: 0n }, { person: null, group: { slot: 4, set: { d: 1 } } }],
    ]);
    const one = (name: string, type: PropertyType) => new Map([[name, { ...NO_EVIDENCE, [type]: 1 }]]);
    expect(learnt).toEqual({
      event: new Map(),
      person: new Map([...one("a", "Numeric"), ...one("b", "Boolean")]),
      group_0: one("c", "Numeric"),
      group_1: new Map(),
      group_2: new Map(),
      group_3: new Map(),
      group_4: one("d", "Numeric"),
    });
  });

  it("is nothing where nothing was said", () => {
    expect(typeLearner(NO_TYPES).learnt([])).toBeNull();
    expect(typeLearner(NO_TYPES).learnt([[{ identity: 0n }, { person: null, group: null }]])).toBeNull();
  });
});

describe("names that are not known", () => {
  it.each([
    [4_999, 4_999],
    [5_000, 5_000],
    [5_001, 5_000],
    [5_100, 5_000],
  ])("are looked at up to 5,000 a drain: of %i %i", (sent, seen) => {
    const learner = typeLearner(NO_TYPES);
    learner.see("event", numbersOf(names(sent)), 0n);
    expect([...(learner.learnt([])?.event.keys() ?? [])]).toEqual(names(seen));
  });

  it("are looked at beyond these where queries use them, and once they were seen", () => {
    const learner = typeLearner(knowing({ known: "Numeric" }, {}, ["event:awaited", "person:other"]));
    learner.see("event", { ...numbersOf(names(5_000)), other: 1, awaited: 1 }, 0n);
    learner.see("event", { "name-0": 1, awaited: 1, known: "text" }, 1n);
    const event = learner.learnt([])?.event;
    expect(event?.size).toBe(5_002);
    expect([event?.has("other"), event?.get("name-0"), event?.get("awaited"), event?.has("known")]).toEqual([
      false,
      { ...NO_EVIDENCE, Numeric: 3 },
      { ...NO_EVIDENCE, Numeric: 3 },
      true,
    ]);
  });

  it("are not looked at on a day that takes none, but for those that queries use", () => {
    const learner = typeLearner(knowing({ known: "Numeric" }, {}, ["event:awaited"]), { isClosed: true });
    learner.see("event", { a: 1, b: 1, awaited: 1, known: "text" }, 0n);
    expect([...(learner.learnt([])?.event.keys() ?? [])]).toEqual(["awaited", "known"]);
    const open = typeLearner(NO_TYPES, { isClosed: false });
    open.see("event", { a: 1 }, 0n);
    expect(open.learnt([])?.event.size).toBe(1);
  });

  it.each([
    [200, true],
    [201, false],
  ])("of %i characters are looked at: %s", (length, isSeen) => {
    const name = "x".repeat(length);
    const learner = typeLearner(knowing({}, {}, [`event:${name}`]));
    learner.see("event", { [name]: 1 }, 0n);
    expect(learner.learnt([])?.event.has(name) ?? false).toBe(isSeen);
  });
});
