import { expect, it } from "vitest";
import { findSightings } from "./row-files.ts";

it("the sightings of a segment are those of the copies that do not count, and beside them what else shows the same people", () => {
  const row = (distinct_id: string, index: number, person_mode: "full" | "propertyless" = "full") => ({
    ...{ distinct_id, index, person_mode },
    timestamp: BigInt(100 + index),
    uuid: `u${index}`,
  });
  const rows = [row("ann", 0), row("bob", 1), row("ann", 2), row("ann", 3, "propertyless"), row("cid", 4, "propertyless"), row("dan", 5)];
  const seen = (id: string, index: number) => ({ id, at: { time: BigInt(100 + index), index, uuid: `u${index}` } });
  expect(findSightings(rows, [0, 4])).toEqual({ skipped: [seen("ann", 0)], staying: [seen("ann", 2)] });
  expect(findSightings(rows, [])).toEqual({ skipped: [], staying: [] });
});
