import { expect, it } from "vitest";
import { memoryTable } from "../../../test/simulation/ports/table.ts";
import { CATALOGUE_FORMAT, type Commit } from "../catalogue/catalogue.ts";
import { commitItem } from "../catalogue/commits.ts";
import { HEAD_SK, lakePk, laterKeys } from "../catalogue/paths.ts";
import { dueLater, dueProjects } from "./due-entries.ts";

const aCommit = (id: string, lane: Commit["lane"], at: number): Commit => ({
  v: CATALOGUE_FORMAT,
  id,
  at,
  lane,
  segments: [],
  deltas: null,
});

it("sums up what waits of each project, live events and imports apart", async () => {
  const table = memoryTable();
  for (const [project, commit] of [
    [2, aCommit("c3", "live", 30)],
    [1, aCommit("c1", "live", 10)],
    [1, aCommit("c2", "historical", 20)],
    [1, aCommit("c4", "historical", 40)],
  ] as const)
    await table.put(commitItem(project, commit));
  expect(
    (await dueProjects(table)).map(({ project, backlogs: { live, historical } }) => [project, live.oldest, historical.commits]),
  ).toEqual([
    [1, 10, 2],
    [2, 30, 0],
  ]);
});

it("names what has come due later in the order of projects, and nothing that has not", async () => {
  const table = memoryTable();
  for (const [project, at] of [
    [9, 5],
    [3, 10],
    [12, 1],
    [4, 11],
  ] as const)
    await table.put({ pk: lakePk(project), ...laterKeys(project, at, HEAD_SK), sk: HEAD_SK });
  expect((await dueLater(table, 10)).map(({ project }) => project)).toEqual([3, 9, 12]);
});
