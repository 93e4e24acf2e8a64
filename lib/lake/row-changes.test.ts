import { expect, it } from "vitest";
import { anEventRow } from "../../test/support/samples/event-rows.ts";
import { excessProperties, rowDeltas } from "./commit.ts";
import type { RowChange } from "./rows.ts";

it("rows say who was seen first and last, and what they change of persons and groups, unless they are of nobody", () => {
  const rows = [4n, 2n, 9n, 1n, 3n].map((timestamp, index) => anEventRow({ timestamp, index, uuid: `u${index}` }));
  const [middle, , last] = rows;
  const nobody = anEventRow({ person_mode: "propertyless", distinct_id: "nobody" });
  if (middle === undefined || last === undefined) throw new Error("there are five rows");
  const person = { merge: null, set: { plan: 1 }, setOnce: null, unset: null };
  const group = { slot: 1, key: "acme", set: { seats: 7 } };
  const changes = new Map<typeof nobody, RowChange>([
    [middle, { person, group: null, over: 2 }],
    [last, { person: null, group, over: 3 }],
    [nobody, { person, group }],
  ]);
  const at = (time: bigint, index: number) => ({ time, index, uuid: `u${index}` });
  expect(rowDeltas([...rows, nobody], changes)).toEqual({
    seen: [{ id: "ann", first: at(1n, 3), last: 9n }],
    persons: [{ at: at(4n, 0), id: "ann", ...person }],
    groups: [{ at: at(9n, 2), ...group }],
  });
  expect([excessProperties(rows, changes), excessProperties([], changes), excessProperties([nobody], changes)]).toEqual([5, 0, 0]);
});
