import { describe, expect, it } from "vitest";
import { type MemoryTable, memoryTable } from "../../../test/simulation/ports/table.ts";
import { evidenceFor } from "../../../test/support/samples/property-evidence.ts";
import { pack, unpack } from "../../core/pack.ts";
import type { Table } from "../../ports/table.ts";
import { dayAt, knownType, type LearningOutcome, learnPropertyTypes, NO_TYPES, readPropertyTypes, typeLearner } from "../learn-types.ts";
import { lakePk, TYPES_SK } from "../paths.ts";
import { isMixed, NO_EVIDENCE, nameBytes, ownedName, type PropertyType, type TypeEvidence, withEvent } from "../property-types.ts";
import { withPropertyTypes } from "../query-types.ts";
import { markTypes, needsMark, readMarks } from "./type-marks.ts";

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 0, 12);
const PROJECT = 7;

let table: MemoryTable;

/** What events with some names teach on a day; `kind` is the type that their values speak for. */
const learn = (names: readonly string[], day: number, kind: PropertyType = "Numeric"): Promise<LearningOutcome> =>
  learnPropertyTypes(table, PROJECT, evidenceFor({ event: names.map((name) => [name, kind]) }), NOW + day * DAY_MS);

const many = (count: number, prefix: string): readonly string[] => Array.from({ length: count }, (_, at) => `${prefix}${at}`);

const type = async (name: string): Promise<PropertyType | undefined> => knownType(await readPropertyTypes(table, PROJECT), "event", name);

const count = async (): Promise<number> => (await readPropertyTypes(table, PROJECT)).of.event.size;

const itemBytes = (): number =>
  table
    .everything()
    .flatMap((item) => Object.values(item))
    .reduce<number>((sum, value) => sum + (value instanceof Uint8Array ? value.length : String(value).length), 0);

/** Fills a project up to its last name, as someone with its public token could, over as many days as that takes. */
const filled = async (lastDay: number): Promise<void> => {
  table = memoryTable();
  await learn(many(2_000, "first-"), lastDay - 8);
  for (let day = lastDay - 8; day <= lastDay; day += 1) await flooded(`junk-${day}`, day);
};

/** A day in which more names come than there is room for. */
const flooded = async (prefix: string, day: number): Promise<void> => {
  for (let drain = 0; drain < 5; drain += 1) await learn(many(210, `${prefix}-${drain}-`), day);
};

const A1 = [{ name: "a1", owners: ["event"] }] as const;

describe("names that nobody could have meant", () => {
  it("come in at most 2,200 from one request, and at most 1,000 more a day", async () => {
    table = memoryTable();
    const { rejected } = await learn(many(20_000, "junk-"), 0);
    expect([await count(), rejected]).toEqual([2_200, 17_800]);
    for (let drain = 0; drain < 10; drain += 1) await learn(many(210, `more-${drain}-`), 0);
    expect(await count()).toBe(3_000);
    await learn(["price"], 1);
    expect(await type("price")).toBe("Numeric");
  });

  it("cost no write once a day took 1,000 and noted 500 more, and then not even a look", async () => {
    table = memoryTable();
    await learn(many(2_000, "own-"), 0);
    let puts = 0;
    const counting: Table = {
      ...table,
      put: async (item, when) => {
        puts += 1;
        return table.put(item, when);
      },
    };
    let last: LearningOutcome | undefined;
    for (let drain = 0; drain < 60; drain += 1) {
      const junk = many(50, `junk-${drain}-`).map((name) => [name, "Numeric"] as const);
      last = await learnPropertyTypes(counting, PROJECT, evidenceFor({ event: junk }), NOW);
    }
    expect(puts).toBe(30);
    expect(last).toMatchObject({ isClosed: true, rejected: 50, unnoted: 50 });
    const learner = typeLearner(last?.types ?? NO_TYPES, { isClosed: true });
    learner.see("event", { unheard: 1, "own-1": "text" }, 0n);
    expect([...(learner.learnt([])?.event.keys() ?? [])]).toEqual(["own-1"]);
  });

  it("are noted once, however often they come again without finding room", async () => {
    table = memoryTable();
    await learn(many(2_000, "own-"), 0);
    for (let drain = 0; drain < 5; drain += 1) await learn(many(200, `junk-${drain}-`), 0);
    const late = many(50, "late-");
    expect(await learn(late, 0)).toMatchObject({ rejected: 50, unnoted: 0 });
    for (let again = 0; again < 12; again += 1) expect(await learn(late, 0)).toMatchObject({ rejected: 50, unnoted: 0, isClosed: false });
  });

  it("are nothing to store where all are known, or nothing is said of them", () => {
    const known = { ...NO_TYPES, of: { ...NO_TYPES.of, event: new Map<string, PropertyType>([["price", "Numeric"]]) } };
    const learner = typeLearner(known);
    learner.see("event", { price: 7, plan: null, note: "" }, 0n);
    expect(learner.learnt([])).toBeNull();
    learner.see("person", { price: 7 }, 0n);
    expect(learner.learnt([])?.person).toEqual(new Map([["price", { ...NO_EVIDENCE, Numeric: 1 }]]));
  });

  it("are looked at 5,000 at a time", () => {
    const learner = typeLearner(NO_TYPES);
    learner.see("event", Object.fromEntries(many(6_000, "junk-").map((name) => [name, 1])), 0n);
    expect(learner.learnt([])?.event.size).toBe(5_000);
  });

  it("come in at most 60,000 bytes from one request, however long they are", async () => {
    table = memoryTable();
    await learn(many(2_000, "long-name-".repeat(18)), 0);
    const bytes = [...(await readPropertyTypes(table, PROJECT)).of.event.keys()].reduce((sum, name) => sum + nameBytes(name), 0);
    expect(bytes).toBeGreaterThan(60_000);
    expect(bytes).toBeLessThanOrEqual(90_000);
  });

  it("never fill the item, however long and odd they are", async () => {
    table = memoryTable();
    const odd = (day: number, at: number): string =>
      Array.from({ length: 190 }, (_, place) => String.fromCharCode(0xd800 + ((day * 7919 + at * 104_729 + place * at * 31) % 2_000))).join(
        "",
      );
    for (let day = 0; day < 60; day += 1)
      await learn(
        many(300, "").map((_, at) => odd(day, at)),
        day,
      );
    for (let day = 60; day < 70; day += 1) await flooded(String(day), day);
    expect(itemBytes()).toBeLessThan(380_000);
    await learn(["price"], 70);
    expect(await type("price")).toBe("Numeric");
  });
});

describe("a project with an ordinary number of names", () => {
  it("knows each of them for ever, without being told again", async () => {
    table = memoryTable();
    await learn(["price"], 0);
    const { types } = await learn(["plan"], 100);
    expect([...types.of.event.keys()].toSorted()).toEqual(["plan", "price"]);
  });
});

describe("a project that was filled with names", () => {
  it("goes on learning: names that nobody saw for a week make room, those that come stay", async () => {
    await filled(0);
    expect(await count()).toBe(10_000);
    const own = many(50, "own-");
    await learn(own, 1);
    for (let day = 2; day < 30; day += 1) {
      await flooded(`junk-${day}`, day);
      if (day % 3 === 0) await learn(own, day);
    }
    expect(await Promise.all(own.map(type))).toEqual(own.map(() => "Numeric"));
    expect(await count()).toBe(10_000);
    expect(await type("junk-2-0-1")).toBeUndefined();
  });

  it("forgets no property that a query asked for, and learns its type first", async () => {
    await filled(0);
    await learn(["kept"], 0);
    const wanted = ["junk-0-0-1", "awaited"].map((name) => ({ name, owners: ["event"] as const }));
    const asking = (propertyType: (owner: "event", name: string) => unknown): unknown => [
      propertyType("event", "junk-0-0-1"),
      propertyType("event", "awaited"),
    ];
    await withPropertyTypes(table, PROJECT, NOW, wanted, asking);
    expect(await type("awaited")).toBeUndefined();
    const learner = typeLearner(await readPropertyTypes(table, PROJECT), { isClosed: true });
    learner.see("event", { awaited: true, unheard: 1 }, 0n);
    expect([...(learner.learnt([])?.event.keys() ?? [])]).toEqual(["awaited"]);
    await learn(["awaited"], 8, "Boolean");
    for (let day = 8; day < 20; day += 1) await flooded(`later-${day}`, day);
    expect([await type("junk-0-0-1"), await type("awaited"), await type("junk-0-0-2")]).toEqual(["Numeric", "Boolean", undefined]);
  });

  it.each([
    ["String", "Numeric", "String"],
    ["Numeric", "DateTime", "String"],
    ["Numeric", "Numeric", "Numeric"],
    ["Boolean", "Boolean", "Boolean"],
  ] as const)("gives a name that was %s when it was evicted and comes again as %s the type %s", async (first, again, now) => {
    table = memoryTable();
    await learn(["price"], -20, first);
    for (let day = -10; day <= 0; day += 1) await flooded(`junk-${day}`, day);
    expect(await type("price")).toBeUndefined();
    await learn(["price"], 1, again);
    expect(await type("price")).toBe(now);
  });

  it("gives a name that found no room the type of all its values once there is room", async () => {
    table = memoryTable();
    await learn([...many(2_300, "a"), "price"], 0, "String");
    expect(await type("price")).toBeUndefined();
    await learn(["price", "other"], 1);
    expect([await type("price"), await type("other")]).toEqual(["String", "Numeric"]);
  });

  it("forgets nothing that was seen within the week", async () => {
    await filled(0);
    await learn([...(await readPropertyTypes(table, PROJECT)).of.event.keys()], 3);
    expect(await learn(["price"], 9)).toMatchObject({ rejected: 1, evicted: 0 });
    expect(await learn(["price"], 10)).toMatchObject({ rejected: 0, evicted: 1 });
  });

  it("has a writer say of a name every three days that it is seen", async () => {
    await filled(0);
    const known = async (day: number): Promise<PropertyType | undefined> => knownType((await learn([], day)).types, "event", "junk-0-0-1");
    expect([await known(2), await known(3)]).toEqual(["Numeric", undefined]);
  });

  it("says so of each name that it refuses or forgets", async () => {
    await filled(0);
    expect(await learn(many(300, "more-"), 1)).toMatchObject({ rejected: 100, unnoted: 0, evicted: 200, isClosed: false });
  });
});

describe("marks of queries", () => {
  it("are made only where names may be evicted, and once in thirty days", async () => {
    table = memoryTable();
    await learn(many(1_999, "a"), 0);
    let puts = 0;
    let gets = 0;
    const counting = (): Table => ({
      ...table,
      get: async (...given) => {
        gets += 1;
        return table.get(...given);
      },
      put: async (item, when) => {
        puts += 1;
        return table.put(item, when);
      },
    });
    const ask = (day: number) =>
      withPropertyTypes(counting(), PROJECT, NOW + day * DAY_MS, A1, (propertyType) => propertyType("event", "a1"));
    await ask(0);
    expect(puts).toBe(0);
    await learn(["b"], 0);
    await ask(0);
    gets = 0;
    for (const day of [1, 29]) await ask(day);
    expect([puts, gets]).toEqual([1, 4]);
    await ask(30);
    expect(puts).toBe(2);
  });

  it("end at 1,000, and those that were not made again for ninety days make room", async () => {
    table = memoryTable();
    const names = (prefix: string) => many(1_200, prefix).map((name) => ownedName("event", name));
    await markTypes(table, PROJECT, names("a"), dayAt(NOW));
    await markTypes(table, PROJECT, names("b"), dayAt(NOW + 89 * DAY_MS));
    const used = async () => [...(await readMarks(table, PROJECT)).keys()];
    expect(await used()).toEqual(names("a").slice(0, 1_000));
    await markTypes(table, PROJECT, names("b"), dayAt(NOW + 90 * DAY_MS));
    expect(await used()).toEqual(names("b").slice(0, 1_000));
    expect(
      [89, 90, 180].map((day) =>
        needsMark(
          new Map(
            names("b")
              .slice(0, 1_000)
              .map((name) => [name, 90]),
          ),
          "event:c",
          day,
        ),
      ),
    ).toEqual([false, false, true]);
  });

  it("end at 40,000 bytes of names", async () => {
    table = memoryTable();
    const names = many(1_000, "long-name-".repeat(15)).map((name) => ownedName("event", name));
    await markTypes(table, PROJECT, names, dayAt(NOW));
    const used = [...(await readMarks(table, PROJECT)).keys()];
    const bytes = used.reduce((sum, name) => sum + nameBytes(name), 0);
    expect(used).toEqual(names.slice(0, used.length));
    expect(bytes).toBeLessThanOrEqual(40_000);
    expect(bytes).toBeGreaterThan(39_500);
    await markTypes(table, PROJECT, names.slice(used.length), dayAt(NOW));
    expect([...(await readMarks(table, PROJECT)).keys()]).toEqual(used);
    const full: Table = { ...table, put: () => Promise.reject(new Error("there is nothing to write")) };
    await markTypes(full, PROJECT, names, dayAt(NOW));
  });

  it("are worth no query", async () => {
    table = memoryTable();
    await learn(many(2_000, "a"), 0);
    const failing: Table = { ...table, put: () => Promise.reject(new Error("the table does not answer")) };
    expect(await withPropertyTypes(failing, PROJECT, NOW, A1, (propertyType) => propertyType("event", "a1"))).toMatchObject({
      made: "Numeric",
    });
  });
});

describe("an item of the format before", () => {
  it("that was full for ever learns again, and keeps the names that are still seen", async () => {
    table = memoryTable();
    const old = many(10_000, "old-");
    const body = pack({ full: true, names: { event: { Numeric: old.slice(0, 9_000), String: old.slice(9_000) } } });
    await table.put({ pk: lakePk(PROJECT), sk: TYPES_SK, v: 1, rev: 4, body });
    expect([await type("old-1"), await type("old-9500")]).toEqual(["Numeric", "String"]);
    await learn(["price"], 0);
    expect([await count(), await type("price")]).toEqual([10_000, undefined]);
    for (const day of [0, 3, 6, 9]) await learn(["old-1", "price"], day);
    expect([await type("old-1"), await type("price")]).toEqual(["Numeric", "Numeric"]);
    await learn(["old-2"], 9, "DateTime");
    expect(await type("old-2")).toBe("String");
  });
});

describe("names whose types few events told", () => {
  const evidence = (name: string, ...types: readonly PropertyType[]) =>
    [name, types.reduce((said, kind) => withEvent(said, kind, 3n), NO_EVIDENCE)] as const;
  const tell = (said: ReadonlyMap<string, TypeEvidence>) => learnPropertyTypes(table, PROJECT, { ...evidenceFor({}), event: said }, NOW);

  it("take a bounded part of the item: the rest keep the type that they have, or are text where they had several", async () => {
    table = memoryTable();
    const { types } = await tell(
      new Map(
        many(2_000, "a-name-of-some-length-").map((name, at) =>
          at < 1_000 ? evidence(name, "Numeric") : evidence(name, "Numeric", "Boolean"),
        ),
      ),
    );
    expect(types.open.event.size).toBeLessThan(500);
    expect([...types.open.event.values()].every(isMixed)).toBe(true);
    expect([types.of.event.get("a-name-of-some-length-0"), types.of.event.get("a-name-of-some-length-1999")]).toEqual([
      "Numeric",
      "String",
    ]);
    const learner = typeLearner(types);
    learner.see("event", { "a-name-of-some-length-0": 1, "a-name-of-some-length-1999": true }, 9n);
    expect(learner.learnt([])).toBeNull();
  });

  it("are settled in an item that a program wrote which settled every name at once", async () => {
    table = memoryTable();
    await tell(new Map([evidence("price", "Numeric")]));
    const item = table.everything().find(({ sk }) => sk === TYPES_SK);
    const { open: _, ...before } = Object(unpack(item?.body as Uint8Array));
    await table.put({ ...Object(item), body: pack(before) });
    await tell(new Map([evidence("price", "String")]));
    expect(await type("price")).toBe("Numeric");
  });
});
