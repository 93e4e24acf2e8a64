import { expect, it } from "vitest";
import { memoryTable } from "../../../test/simulation/ports/table.ts";
import { fromPlace, readPlace, writePlace } from "./sweep-place.ts";

const entries = [1, 1, 3, 5].map((project) => ({ project }));
const projects = (place: number | undefined) => fromPlace(entries, place).map(({ project }) => project);

it("a sweep begins with the project where the one before stopped, and gets to all others after it", () => {
  expect(projects(undefined)).toEqual([1, 1, 3, 5]);
  expect(projects(3)).toEqual([3, 5, 1, 1]);
  expect(projects(2)).toEqual([3, 5, 1, 1]);
  expect(projects(1)).toEqual([1, 1, 3, 5]);
  expect(projects(9)).toEqual([1, 1, 3, 5]);
  expect(fromPlace([{ project: 1 }, { project: 2 }], 2)).toEqual([{ project: 2 }, { project: 1 }]);
});

it("each part of a sweep finds its own place again, whichever of them changed, and what did not change is not written", async () => {
  const table = memoryTable();
  let writes = 0;
  const counting: typeof table = {
    ...table,
    put: (item, when) => {
      writes += 1;
      return table.put(item, when);
    },
  };
  let before = await readPlace(counting);
  expect(before).toEqual({});
  for (const next of [{ due: 3 }, { due: 3, later: 4 }, { due: 7, later: 4 }, { later: 4 }, {}]) {
    await writePlace(counting, before, next);
    before = await readPlace(counting);
    expect(before).toEqual(next);
    expect(table.everything()).toMatchObject([{ pk: "sweep", sk: "place", v: 1, ...next }]);
  }
  expect(writes).toBe(5);
  await writePlace(counting, before, {});
  expect(writes).toBe(5);
});
