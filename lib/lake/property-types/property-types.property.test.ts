import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryTable } from "../../../test/simulation/ports/table.ts";
import { typeOfValue } from "./property-kinds.ts";
import { GROUP_OWNERS, type OwnedTypes, PROPERTY_OWNERS } from "./property-owners.ts";
import { learnPropertyTypes, NO_TYPES, type PropertyTypes, readPropertyTypes, typeOf } from "./property-types.ts";
import { typeLearner } from "./type-learner.ts";

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
const sighting = fc.record({ owner: fc.constantFrom(...PROPERTY_OWNERS), properties });
type Sighting = { readonly owner: (typeof PROPERTY_OWNERS)[number]; readonly properties: Readonly<Record<string, unknown>> };

const learntOf = (known: PropertyTypes, sightings: readonly Sighting[]): OwnedTypes | null => {
  const learner = typeLearner(known);
  for (const { owner, properties: seen } of sightings) learner.see(owner, seen);
  return learner.learnt([]);
};

const typesOf = (sightings: readonly Sighting[]): PropertyTypes => {
  return { ...NO_TYPES, of: learntOf(NO_TYPES, sightings) ?? NO_TYPES.of };
};

const flat = (types: PropertyTypes): readonly string[] =>
  PROPERTY_OWNERS.flatMap((owner) => [...types.of[owner]].map(([key, type]) => `${owner} ${key} ${type}`)).sort();

describe("property types", () => {
  it("are the same for every order, split, repetition and staleness of deliveries, also by writers at once", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(sighting, { maxLength: 20 }),
        fc.infiniteStream(fc.nat(3)),
        fc.array(fc.nat(19), { maxLength: 10 }),
        async (all, chance, again) => {
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
          expect(flat(await readPropertyTypes(table, 7))).toEqual(flat(typesOf(all)));
        },
      ),
      { numRuns: 300 },
    );
  });

  it("lose no value: what is no text is what every value is", () => {
    fc.assert(
      fc.property(fc.array(sighting, { maxLength: 12 }), (all) => {
        const types = typesOf(all);
        for (const { owner, properties: seen } of all) {
          for (const [key, each] of Object.entries(seen)) {
            const own = typeOfValue(each);
            const type = typeOf(types, owner, key);
            if (own === null) continue;
            expect([own, "String"]).toContain(type);
          }
        }
      }),
    );
  });

  it("cost no further write once they are known", async () => {
    const table = memoryTable();
    const drain: readonly Sighting[] = [{ owner: "event", properties: { price: 1, at: "2026-01-31", flag: true, name: "x" } }];
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
      { person: { merge: null, set: { age: 3 }, setOnce: { since: "2026-01-31" }, unset: null }, group: null },
      { person: null, group: { slot: 3, key: "k", set: { seats: 5 } } },
    ]);
    expect(learnt?.person).toEqual(
      new Map([
        ["age", "Numeric"],
        ["since", "DateTime"],
      ]),
    );
    expect(learnt?.[GROUP_OWNERS[3]]).toEqual(new Map([["seats", "Numeric"]]));
  });
});
