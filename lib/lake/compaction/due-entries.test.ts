import { expect, it } from "vitest";
import { memoryTable } from "../../../test/simulation/ports/table.ts";
import { commitItem } from "../catalogue/commits.ts";
import { CATALOGUE_FORMAT, type Commit } from "../catalogue.ts";
import { HEAD_SK, lakePk, laterKeys } from "../paths.ts";
import { dueLater, dueProjects, lakeProjects } from "./due-entries.ts";

type MemoryTable = ReturnType<typeof memoryTable>;

/** The same with pages of so many items. */
const inPages = (table: MemoryTable, limit: number): MemoryTable => ({ ...table, query: (asked) => table.query({ ...asked, limit }) });

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

it("sums up all pages of all projects of a shard, in the order of projects", async () => {
  const table = memoryTable();
  for (const [project, id] of [
    [17, "c1"],
    [17, "c2"],
    [33, "c3"],
    [2, "c4"],
  ] as const)
    await table.put(commitItem(project, aCommit(id, "live", 10)));
  for (const limit of [1, 100]) {
    const found = await dueProjects(inPages(table, limit));
    expect(found.map(({ project, backlogs: { live } }) => [project, live.commits])).toEqual([
      [2, 1],
      [17, 2],
      [33, 1],
    ]);
  }
});

it("takes some thousands of each shard at a time of what has come due later", async () => {
  const table = memoryTable();
  for (const [project, count] of [
    [1, 6_500],
    [2, 4_500],
  ] as const)
    for (let at = 0; at < count; at += 1) {
      const sk = `retired#${String(at).padStart(6, "0")}`;
      await table.put({ pk: lakePk(project), ...laterKeys(project, 1, sk), sk });
    }
  const found = await dueLater(inPages(table, 1_000), 10);
  expect([1, 2].map((project) => found.filter((each) => each.project === project).length)).toEqual([5_000, 4_500]);
});

it("names each project that has rows once, whenever its next audit is, lowest first", async () => {
  const table = memoryTable();
  for (const project of [18, 3, 19, 2]) {
    await table.put({ pk: lakePk(project), ...laterKeys(project, 10 ** 12, HEAD_SK), sk: HEAD_SK });
    await table.put({ pk: lakePk(project + 100), ...laterKeys(project + 100, 5, "seal#2026-01"), sk: "seal#2026-01" });
  }
  for (const limit of [1, 100]) expect(await lakeProjects(inPages(table, limit))).toEqual([2, 3, 18, 19]);
});
