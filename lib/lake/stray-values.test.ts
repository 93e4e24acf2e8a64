import { expect, it } from "vitest";
import type { PropertyTypes } from "./learn-types.ts";
import { NO_EVIDENCE, ownedBy, type PropertyType, type TypeEvidence, typeOfEvidence } from "./property-types.ts";
import { strayProperties } from "./stray-values.ts";

/** What so many events of each type say, the first of each with the same identities. */
const said = (counts: Partial<Record<PropertyType, number>>): TypeEvidence => ({
  ...NO_EVIDENCE,
  ...Object.fromEntries(Object.entries(counts).map(([type, events]) => [type, (1 << events) - 1])),
});

const typesOf = (event: Readonly<Record<string, TypeEvidence>>): PropertyTypes => ({
  of: ownedBy((owner) => new Map(owner === "event" ? Object.entries(event).map(([name, each]) => [name, typeOfEvidence(each)]) : [])),
  open: ownedBy((owner) => new Map(owner === "event" ? Object.entries(event) : [])),
  isCrowded: false,
  used: new Map(),
});

it("properties with values of another type than theirs are told, those of most events first; text takes every value", () => {
  const types = typesOf({
    weight: said({ Numeric: 3, String: 1 }),
    paid: said({ Boolean: 8, String: 2, Numeric: 4 }),
    note: said({ String: 3, Numeric: 3 }),
    plain: said({ Numeric: 2 }),
  });
  expect(strayProperties(types)).toEqual([
    { owner: "event", name: "paid", type: "Boolean", events: 6 },
    { owner: "event", name: "weight", type: "Numeric", events: 1 },
  ]);
});
