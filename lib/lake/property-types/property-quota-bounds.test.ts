import { describe, expect, it } from "vitest";
import { EMPTY_FILTER } from "../catalogue/name-filter.ts";
import {
  NO_EVIDENCE,
  type OwnedEvidence,
  ownedBy,
  PROPERTY_TYPES,
  type PropertyOwner,
  type PropertyType,
  settledAs,
  type TypeEvidence,
} from "../property-types.ts";
import { isClosed, isConfirmed, isCrowded, type QuotaOutcome, withLearnt } from "./property-quota.ts";
import { type KnownProperty, NOTHING_STORED, type StoredTypes } from "./stored-types.ts";

const TODAY = 20_000;
const NUMBER: KnownProperty = { type: "Numeric", seen: TODAY, evidence: null };
const NUMBERS = settledAs("Numeric");

/** Names of so many bytes each, as an item writes them. */
const names = (count: number, bytes = 10): readonly string[] =>
  Array.from({ length: count }, (_, at) => String(at).padStart(bytes - 2, "0"));

/** A project that knows some names of events. */
const knowing = (known: readonly string[], changes: Partial<StoredTypes> = {}, seen = TODAY): StoredTypes => ({
  ...NOTHING_STORED,
  names: { ...NOTHING_STORED.names, event: new Map(known.map((name) => [name, { ...NUMBER, seen }])) },
  today: { day: TODAY, names: 0, bytes: 0, noted: 0 },
  ...changes,
});

const says = (said: Readonly<Record<string, TypeEvidence>>, owner: PropertyOwner = "event"): OwnedEvidence => ({
  ...ownedBy(() => new Map<string, TypeEvidence>()),
  [owner]: new Map(Object.entries(said)),
});

const numbers = (...all: readonly string[]): OwnedEvidence => says(Object.fromEntries(all.map((name) => [name, NUMBERS])));

/** What became of one name. */
const outcomeOf = (name: string, { stored, rejected, unnoted, evicted }: QuotaOutcome) => ({
  isKnown: stored.names.event.has(name),
  today: [stored.today.names, stored.today.bytes, stored.today.noted],
  rejected,
  unnoted,
  evicted,
});

const today = (added: number, bytes: number, noted: number): StoredTypes["today"] => ({ day: TODAY, names: added, bytes, noted });

/** Names of so many bytes together. */
const bytesOf = (sum: number): readonly string[] => [...names(299, 200), `x${"y".repeat(sum - 299 * 200 - 3)}`];

const KNOWN = { isKnown: true, rejected: 0, unnoted: 0, evicted: 0 };
const REJECTED = { isKnown: false, rejected: 1, unnoted: 0, evicted: 0 };

describe("a name that comes first", () => {
  it.each<[what: string, before: StoredTypes, expected: ReturnType<typeof outcomeOf>]>([
    ["is free as the 2,000th", knowing(names(1_999)), { ...KNOWN, today: [0, 0, 0] }],
    ["is one of its day as the 2,001st", knowing(names(2_000)), { ...KNOWN, today: [1, 3, 0] }],
    ["is free up to 60,000 bytes", knowing(bytesOf(59_997)), { ...KNOWN, today: [0, 0, 0] }],
    ["is one of its day beyond 60,000 bytes", knowing(bytesOf(59_998)), { ...KNOWN, today: [1, 3, 0] }],
    ["has room as the 1,000th of its day", knowing(names(2_000), { today: today(999, 0, 0) }), { ...KNOWN, today: [1_000, 3, 0] }],
    ["has none as the 1,001st of its day", knowing(names(2_000), { today: today(1_000, 0, 0) }), { ...REJECTED, today: [1_000, 0, 1] }],
    ["has room up to 30,000 bytes of its day", knowing(names(2_000), { today: today(9, 29_997, 0) }), { ...KNOWN, today: [10, 30_000, 0] }],
    [
      "has none beyond 30,000 bytes of its day",
      knowing(names(2_000), { today: today(9, 29_998, 0) }),
      { ...REJECTED, today: [9, 29_998, 1] },
    ],
    [
      "has room on the day after one that took 1,000",
      knowing(names(2_000), { today: { ...today(1_000, 9_000, 500), day: TODAY - 1 } }),
      { ...KNOWN, today: [1, 3, 0] },
    ],
    ["is free, whatever the day took", knowing(names(10), { today: today(1_000, 30_000, 500) }), { ...KNOWN, today: [1_000, 30_000, 500] }],
    [
      "takes nothing of its day where queries use it",
      knowing(names(2_000), { today: today(1_000, 30_000, 0), used: new Map([["event:n", TODAY]]) }),
      { ...KNOWN, today: [1_000, 30_000, 0] },
    ],
    [
      "is rejected where queries use that of another owner",
      knowing(names(2_000), { today: today(1_000, 30_000, 0), used: new Map([["person:n", TODAY]]) }),
      { ...REJECTED, today: [1_000, 30_000, 1] },
    ],
    ["is noted as the 500th", knowing(names(2_000), { today: today(1_000, 0, 499) }), { ...REJECTED, today: [1_000, 0, 500] }],
    [
      "is not noted as the 501st",
      knowing(names(2_000), { today: today(1_000, 0, 500) }),
      { ...REJECTED, unnoted: 1, today: [1_000, 0, 500] },
    ],
    ["has room as the 10,000th", knowing(names(9_999)), { ...KNOWN, today: [1, 3, 0] }],
    ["has none as the 10,001st", knowing(names(10_000)), { ...REJECTED, today: [0, 0, 1] }],
    ["has room up to 220,000 bytes", knowing([...names(1_099, 200), "x".repeat(195)]), { ...KNOWN, today: [1, 3, 0] }],
    ["has none beyond 220,000 bytes", knowing([...names(1_099, 200), "x".repeat(196)]), { ...REJECTED, today: [0, 0, 1] }],
  ])("%s", (_, before, expected) => {
    const outcome = withLearnt(before, numbers("n"), TODAY);
    expect(outcomeOf("n", outcome)).toEqual(expected);
    expect(outcome.stored === before).toBe(expected.unnoted === 1);
    expect(outcome.stored.today.day === TODAY || outcome.stored === before).toBe(true);
    expect(outcome.stored.names.event.get("n")).toEqual(expected.isKnown ? NUMBER : undefined);
  });

  it.each([
    [199, 0],
    [200, 0],
    [201, 1],
  ])("with %i others beyond the free ones in one drain leaves %i rejected", (count, rejected) => {
    const outcome = withLearnt(knowing(names(2_000)), numbers(...names(count, 12)), TODAY);
    expect([outcome.rejected, outcome.stored.today]).toEqual([rejected, today(count - rejected, 12 * (count - rejected), rejected)]);
  });

  it("is found room for in the order of names, of events first and of groups last", () => {
    const before = knowing(names(2_000), { today: today(998, 0, 0) });
    const learnt = { ...numbers("c", "b"), group_4: new Map([["a", NUMBERS]]) };
    const { stored, rejected } = withLearnt(before, learnt, TODAY);
    expect([stored.names.event.has("b"), stored.names.event.has("c"), stored.names.group_4.size, rejected]).toEqual([true, true, 0, 1]);
    expect([...withLearnt(before, numbers("z", "y", "x"), TODAY).stored.names.event.keys()].slice(-2)).toEqual(["x", "y"]);
    expect(withLearnt(knowing([]), says({ a: NUMBERS }, "group_4"), TODAY).stored.names.group_4).toEqual(new Map([["a", NUMBER]]));
  });

  it.each([
    [200, true],
    [201, false],
  ])("has a type with %i characters: %s", (length, hasType) => {
    const before = knowing([]);
    const { stored, rejected } = withLearnt(before, numbers("x".repeat(length)), TODAY);
    expect([stored.names.event.size === 1, stored === before, rejected]).toEqual([hasType, !hasType, 0]);
  });

  it("counts all names of a project, whoever owns them", () => {
    const half = new Map(names(1_000).map((name) => [name, NUMBER]));
    const before = knowing([], { names: { ...NOTHING_STORED.names, person: half, group_3: half } });
    expect(isCrowded(before)).toBe(true);
    expect(withLearnt(before, numbers("n"), TODAY).stored.today).toEqual(today(1, 3, 0));
    const long = new Map(names(150, 200).map((name) => [name, NUMBER]));
    expect(isCrowded(knowing([], { names: { ...NOTHING_STORED.names, person: long, group_4: long } }))).toBe(true);
  });
});

describe("a name that is known", () => {
  const OF_A_FEW = { ...NO_EVIDENCE, Numeric: 3 };

  it.each<[what: string, count: number, daysAgo: number, isWritten: boolean]>([
    ["is not said to be seen in a project with room", 1_998, 100, false],
    ["is said to be seen after three days where there is none", 1_999, 3, true],
    ["is not said to be seen before that", 1_999, 2, false],
  ])("%s", (_, others, daysAgo, isWritten) => {
    const before = knowing([...names(others), "n"], {}, TODAY - daysAgo);
    const { stored } = withLearnt(before, numbers("n"), TODAY);
    expect(stored === before).toBe(!isWritten);
    expect(stored.names.event.get("n")?.seen).toBe(isWritten ? TODAY : TODAY - daysAgo);
    expect(stored.names.event.size).toBe(others + 1);
    expect(isConfirmed(TODAY - daysAgo, TODAY)).toBe(daysAgo < 3);
  });

  it("is written where something new is said of it, whatever room there is", () => {
    const before = knowing([]);
    const open = { ...before, names: { ...before.names, event: new Map([["n", { ...NUMBER, seen: TODAY - 9, evidence: OF_A_FEW }]]) } };
    const said = { ...NO_EVIDENCE, String: 1 };
    expect(withLearnt(open, says({ n: said }), TODAY)).toEqual({
      stored: { ...open, names: { ...open.names, event: new Map([["n", { ...NUMBER, evidence: { ...OF_A_FEW, String: 1 } }]]) } },
      rejected: 0,
      unnoted: 0,
      evicted: 0,
    });
    expect(withLearnt(open, says({ n: { ...NO_EVIDENCE, Numeric: 2 } }), TODAY).stored).toBe(open);
  });

  it("is said to be seen also where bytes are short, and not one byte before", () => {
    for (const [sum, isShort] of [
      [59_999, false],
      [60_000, true],
    ] as const) {
      const before = knowing(bytesOf(sum), {}, TODAY - 3);
      const [name = ""] = before.names.event.keys();
      expect([isCrowded(before), withLearnt(before, numbers(name), TODAY).stored !== before]).toEqual([isShort, isShort]);
    }
  });

  it("was seen three days ago where no day was kept, and on its own day where one was", () => {
    const undated = knowing(["a"], { today: { day: 0, names: 0, bytes: 0, noted: 0 } }, 0);
    expect(withLearnt(undated, numbers("n"), TODAY).stored.names.event).toEqual(
      new Map([
        ["a", { ...NUMBER, seen: TODAY - 3 }],
        ["n", NUMBER],
      ]),
    );
    const dated = withLearnt(knowing(["a"], {}, TODAY - 9), numbers("n"), TODAY);
    expect(dated.stored.names.event.get("a")?.seen).toBe(TODAY - 9);
  });
});

describe("a name that was not seen for a week", () => {
  /** A project without room, and some names of it that were last seen so many days ago. */
  const full = (daysAgo: Readonly<Record<string, number>>, changes: Partial<StoredTypes> = {}): StoredTypes => {
    const before = knowing(names(10_000 - Object.keys(daysAgo).length), changes);
    const old = Object.entries(daysAgo).map(([name, days]) => [name, { ...NUMBER, seen: TODAY - days }] as const);
    return { ...before, names: { ...before.names, event: new Map([...before.names.event, ...old]) } };
  };
  const left = (before: StoredTypes, learnt: OwnedEvidence) => {
    const { stored, evicted, rejected } = withLearnt(before, learnt, TODAY);
    return { gone: [...before.names.event.keys()].filter((name) => !stored.names.event.has(name)), evicted, rejected };
  };

  it.each<[daysAgo: Readonly<Record<string, number>>, gone: readonly string[]]>([
    [{ old: 6 }, []],
    [{ old: 7 }, ["old"]],
    [{ older: 9, old: 8 }, ["older"]],
    [{ old: 8, older: 9 }, ["older"]],
  ])("makes room, the oldest first: %j", (daysAgo, gone) => {
    expect(left(full(daysAgo), numbers("n"))).toEqual({ gone, evicted: gone.length, rejected: 1 - gone.length });
  });

  it("makes none where queries use it", () => {
    const before = full({ old: 9 }, { used: new Map([["event:old", TODAY]]) });
    expect(left(before, numbers("n"))).toEqual({ gone: [], evicted: 0, rejected: 1 });
  });

  it("makes none once it was seen in the very drain that needs room", () => {
    expect(left(full({ "m-old": 9, older: 12 }), numbers("a", "m-old", "n"))).toEqual({ gone: ["older"], evicted: 1, rejected: 1 });
    expect(left(full({ "m-old": 9, older: 12, young: 8 }), numbers("a", "m-old", "n"))).toEqual({
      gone: ["older", "young"],
      evicted: 2,
      rejected: 0,
    });
  });

  it.each<[lengths: readonly number[], evicted: number]>([
    [[100], 1],
    [[150], 2],
    [[150, 50], 2],
    [[150, 50, 3], 3],
    [[150, 51], 3],
  ])("makes room for names of %j bytes by %i of a hundred bytes", (lengths, evicted) => {
    const old = ["c", "d", "e", "f"].map((letter) => letter.repeat(98));
    const before = knowing([...names(1_098, 200), ...old]);
    const event = new Map(
      [...before.names.event].map(([name, known]) => [name, old.includes(name) ? { ...known, seen: TODAY - 8 } : known]),
    );
    const added = lengths.map((length, at) => `${at}${"n".repeat(length - 3)}`);
    const outcome = withLearnt({ ...before, names: { ...before.names, event } }, numbers(...added), TODAY);
    expect([outcome.evicted, outcome.rejected, outcome.stored.names.event.size]).toEqual([evicted, 0, 1_102 + added.length - evicted]);
  });

  it("is gone also where the room that it makes is not enough", () => {
    const crowd = knowing([...names(1_099, 200), "x".repeat(190)], { today: today(0, 0, 500) });
    const before = { ...crowd, names: { ...crowd.names, event: new Map([...crowd.names.event, ["old", { ...NUMBER, seen: TODAY - 8 }]]) } };
    const outcome = withLearnt(before, numbers("n".repeat(100)), TODAY);
    expect(outcomeOf("n".repeat(100), outcome)).toEqual({ ...REJECTED, unnoted: 1, evicted: 1, today: [0, 0, 500] });
    expect(outcome.stored.names.event.has("old")).toBe(false);
  });

  it("is text when it comes again in the same drain with values of another type", () => {
    const before = full({ old: 8, "old-2": 7 });
    const { stored } = withLearnt(before, says({ a: NUMBERS, old: settledAs("Boolean"), "old-3": settledAs("Boolean") }), TODAY);
    expect([stored.names.event.get("old")?.type, stored.names.event.get("old-2"), stored.names.event.has("old-3")]).toEqual([
      "String",
      undefined,
      false,
    ]);
  });
});

describe("a name that found no room", () => {
  const refusing = knowing(names(2_000), { today: today(1_000, 0, 0) });
  const tomorrow = (stored: StoredTypes, said: OwnedEvidence): QuotaOutcome => withLearnt(stored, said, TODAY + 1);

  it.each(PROPERTY_TYPES.flatMap((lost) => PROPERTY_TYPES.map((again) => [lost, again] as const)))(
    "as %s and comes again as %s has the type of all its values",
    (lost, again) => {
      const { stored } = withLearnt(refusing, says({ n: settledAs(lost) }), TODAY);
      const learnt = { ...says({ n: settledAs(again), other: settledAs(again) }), person: new Map([["n", settledAs(again)]]) };
      const next = tomorrow(stored, learnt).stored;
      const expected: PropertyType = lost === again ? again : "String";
      expect(next.names.event.get("n")).toEqual({ type: expected, seen: TODAY + 1, evidence: null });
      expect([next.names.event.get("other")?.type, next.names.person.get("n")?.type]).toEqual([again, again]);
    },
  );

  it("is noted once for each type that it had", () => {
    const first = withLearnt(refusing, numbers("n"), TODAY);
    expect(first).toMatchObject({ rejected: 1, unnoted: 0, stored: { today: { noted: 1 } } });
    const again = withLearnt(first.stored, numbers("n"), TODAY);
    expect([again.rejected, again.unnoted, again.stored === first.stored]).toEqual([1, 0, true]);
    const other = withLearnt(first.stored, says({ n: settledAs("Boolean") }), TODAY);
    expect(other.stored.today.noted).toBe(2);
  });

  it("leaves all else as it was", () => {
    const { stored } = withLearnt(refusing, numbers("n"), TODAY);
    expect(stored).toEqual({ ...refusing, today: today(1_000, 0, 1), lost: stored.lost });
    expect(stored.lost).not.toEqual(EMPTY_FILTER);
  });
});

describe("names whose types are not settled", () => {
  const FEW = { ...NO_EVIDENCE, Numeric: 1 };
  const SEVERAL = { ...NO_EVIDENCE, Numeric: 3, Boolean: 1 };
  /** Each takes 100 bytes: its name 70, what events said 30. */
  const open = (count: number, evidence: TypeEvidence, letter: string): Readonly<Record<string, TypeEvidence>> =>
    Object.fromEntries(names(count, 69).map((name) => [`${letter}${name}`, evidence]));
  const learn = (said: Readonly<Record<string, TypeEvidence>>): readonly KnownProperty[] => [
    ...withLearnt(knowing([]), says(said), TODAY).stored.names.event.values(),
  ];
  const settled = (all: readonly KnownProperty[]) => all.filter(({ evidence }) => evidence === null);

  it.each([
    [200, 0],
    [201, 1],
    [210, 10],
  ])("take 20,000 bytes: of %i of one type %i are settled as what they are", (count, beyond) => {
    const all = learn(open(count, FEW, "a"));
    expect(settled(all)).toEqual(Array.from({ length: beyond }, () => NUMBER));
    expect(all.filter(({ evidence }) => evidence !== null)).toEqual(Array.from({ length: 200 }, () => ({ ...NUMBER, evidence: FEW })));
  });

  it("of several types stay open before those of one, and are text where there are too many", () => {
    const all = learn({ ...open(20, FEW, "a"), ...open(190, SEVERAL, "b"), ...open(20, FEW, "c") });
    expect(settled(all)).toEqual(Array.from({ length: 30 }, () => NUMBER));
    expect(all.filter(({ evidence }) => evidence?.Boolean === 1)).toHaveLength(190);
    expect(settled(learn(open(202, SEVERAL, "b")))).toEqual(Array.from({ length: 2 }, () => ({ ...NUMBER, type: "String" })));
  });

  it("are left alone by what is settled, however much that is", () => {
    const all = learn({ ...open(200, FEW, "b"), ...Object.fromEntries(names(500, 60).map((name) => [name, NUMBERS])) });
    expect(settled(all)).toHaveLength(500);
  });
});

describe("a day", () => {
  it.each<[today: StoredTypes["today"], closed: boolean]>([
    [today(1_000, 0, 500), true],
    [today(999, 29_799, 500), false],
    [today(999, 29_800, 500), true],
    [today(1_000, 30_000, 499), false],
    [{ ...today(1_000, 30_000, 500), day: TODAY - 1 }, false],
  ])("that took %j takes no further name and notes none: %s", (taken, closed) => {
    expect(isClosed(knowing([], { today: taken }), TODAY)).toBe(closed);
  });
});

describe("a project", () => {
  it.each<[stored: StoredTypes, crowded: boolean]>([
    [knowing(names(1_999)), false],
    [knowing(names(2_000)), true],
    [knowing(bytesOf(59_999)), false],
    [knowing(bytesOf(60_000)), true],
  ])("keeps up days and marks once it has 2,000 names or 60,000 bytes of them", (stored, crowded) => {
    expect(isCrowded(stored)).toBe(crowded);
  });
});
