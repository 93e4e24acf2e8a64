import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  knownType,
  learnPropertyTypes,
  NO_TYPES,
  type PropertyTypes,
  readPropertyTypes,
  typeLearner,
} from "../../../lib/lake/learn-types.ts";
import { isAlwaysText, typeOfValue } from "../../../lib/lake/property-types/property-kinds.ts";
import {
  GROUP_OWNERS,
  NO_EVIDENCE,
  type OwnedEvidence,
  PROPERTY_OWNERS,
  type PropertyOwner,
  type PropertyType,
} from "../../../lib/lake/property-types.ts";
import { memoryTable } from "../../simulation/ports/table.ts";

const value = fc.oneof(
  fc.constantFrom<unknown>(1, 2.5, -0, true, false, null, "", "text", "12", "2026-01-31", "2026-01-31T10:00:00Z", "2026-02-30", [], {}),
  fc.jsonValue(),
);
const name = fc.constantFrom("a", "b", "price", "$feature/x", "utm_source", "__proto__", "constructor", "with 'quotes'", "ü.x");
const properties = fc.array(fc.tuple(name, value), { maxLength: 4 }).map(
  (entries): Readonly<Record<string, unknown>> =>
    // As JSON.parse would make it: `__proto__` is a key like others.
    JSON.parse(`{${entries.map(([key, each]) => `${JSON.stringify(key)}:${JSON.stringify(each)}`).join(",")}}`),
);
/** Events are told apart by their identity alone: one that comes again says nothing new. */
interface Sighting {
  readonly owner: PropertyOwner;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly identity: bigint;
}

const sightings = (most: number) =>
  fc
    .array(fc.record({ owner: fc.constantFrom(...PROPERTY_OWNERS), properties }), { maxLength: most })
    .map((all): readonly Sighting[] => all.map((each, at) => ({ ...each, identity: BigInt(at) })));

const learntOf = (known: PropertyTypes, all: readonly Sighting[]): OwnedEvidence | null => {
  const learner = typeLearner(known);
  for (const { owner, properties: seen, identity } of all) learner.see(owner, seen, identity);
  return learner.learnt([]);
};

const flat = (types: PropertyTypes): readonly string[] =>
  PROPERTY_OWNERS.flatMap((owner) => [...types.of[owner]].map(([key, type]) => `${owner} ${key} ${type}`)).sort();

/** The rule in plain words: of each type so many events count, told apart by 32 kinds of identities; more than for all others together wins. */
const expected = (all: readonly Sighting[]): readonly string[] => {
  const found = new Map<string, Map<string, Set<bigint>>>();
  for (const { owner, properties: seen, identity } of all) {
    for (const [key, each] of Object.entries(seen)) {
      const type = typeOfValue(each);
      if (type === null) continue;
      const events = found.get(`${owner} ${key}`) ?? new Map<string, Set<bigint>>();
      const kind = isAlwaysText(key) ? "String" : type;
      events.set(kind, (events.get(kind) ?? new Set()).add(identity % 32n));
      found.set(`${owner} ${key}`, events);
    }
  }
  return [...found]
    .map(([key, events]) => {
      const counts = [...events].map(([type, own]): [string, number] => [type, Math.min(8, own.size)]);
      const whole = counts.reduce((before, [, count]) => before + count, 0);
      const [winner] = counts.find(([, count]) => 2 * count > whole) ?? ["String"];
      return `${key} ${winner}`;
    })
    .sort();
};

describe("property types", () => {
  it("are the same for every order, split, repetition and staleness of deliveries, also by writers at once", async () => {
    await fc.assert(
      fc.asyncProperty(sightings(40), fc.infiniteStream(fc.nat(3)), fc.array(fc.nat(39), { maxLength: 10 }), async (all, chance, again) => {
        const next = (): number => chance.next().value ?? 0;
        const deliveries = [...all, ...again.flatMap((at) => all[at] ?? [])].map((each) => ({ each, order: next() }));
        const table = memoryTable();
        const drains: Promise<unknown>[] = [];
        let memory = NO_TYPES;
        const remember = ({ types }: { readonly types: PropertyTypes }): void => {
          memory = types;
        };
        for (const order of [2, 0, 3, 1]) {
          const learnt = learntOf(
            memory,
            deliveries.filter((delivery) => delivery.order === order).map(({ each }) => each),
          );
          if (learnt !== null) drains.push(learnPropertyTypes(table, 7, learnt, 0).then(remember));
          if (next() === 0) await Promise.all(drains);
        }
        await Promise.all(drains);
        expect(flat(await readPropertyTypes(table, 7))).toEqual(expected(all));
      }),
      { numRuns: 300 },
    );
  });

  const taught = async (...values: readonly unknown[]): Promise<PropertyType | undefined> => {
    const table = memoryTable();
    let known = NO_TYPES;
    for (const [at, price] of values.entries()) {
      const learnt = learntOf(known, [{ owner: "event", properties: { price }, identity: BigInt(at) }]);
      if (learnt !== null) known = (await learnPropertyTypes(table, 7, learnt, 0)).types;
    }
    return knownType(await readPropertyTypes(table, 7), "event", "price");
  };
  const times = (count: number, value: unknown): readonly unknown[] => Array.from({ length: count }, () => value);

  it("are not changed by a stray value, or by a few, wherever they come", async () => {
    expect(await taught(5, 6, "a lot")).toBe("Numeric");
    expect(await taught("a lot", 5, 6)).toBe("Numeric");
    expect(await taught(...times(100, 5), ...times(7, "a lot"), ...times(100, 5))).toBe("Numeric");
  });

  it("become text where as many events speak against them as for them, and for good once eight do", async () => {
    expect(await taught(5, "a lot")).toBe("String");
    expect(await taught(true, true, 1, "2026-01-31")).toBe("String");
    expect(await taught(...times(100, 5), ...times(8, "a lot"), ...times(100, 5))).toBe("String");
  });

  it("cost no further write once they are known", async () => {
    const table = memoryTable();
    const drain = Array.from({ length: 32 }, (_, at): Sighting => {
      return { owner: "event", properties: { price: 1, at: "2026-01-31", flag: true, name: "x" }, identity: BigInt(at) };
    });
    const first = learntOf(NO_TYPES, drain);
    if (first === null) throw new Error("nothing was learnt");
    const { types: known } = await learnPropertyTypes(table, 7, first, 0);
    expect(learntOf(known, drain)).toBeNull();
    const before = table.everything();
    await learnPropertyTypes(table, 7, first, 0);
    expect(table.everything()).toEqual(before);
  });
});

describe("changes", () => {
  it("tell of the properties of persons and of groups by slot", () => {
    const learnt = typeLearner(NO_TYPES).learnt([
      [{ identity: 0n }, { person: { set: { age: 3 }, setOnce: { since: "2026-01-31" } }, group: null }],
      [{ identity: 1n }, { person: null, group: { slot: 3, set: { seats: 5 } } }],
    ]);
    expect(learnt?.person).toEqual(
      new Map([
        ["age", { ...NO_EVIDENCE, Numeric: 1 }],
        ["since", { ...NO_EVIDENCE, DateTime: 1 }],
      ]),
    );
    expect(learnt?.[GROUP_OWNERS[3]]).toEqual(new Map([["seats", { ...NO_EVIDENCE, Numeric: 2 }]]));
  });
});
