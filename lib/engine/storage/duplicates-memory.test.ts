import { describe, expect, it } from "vitest";
import { aFile } from "../../../test/support/samples/small-lake.ts";
import { openDuplicateFinder } from "./duplicates.ts";

/** A finder that counts how often it compares for each project, each of which has so many segments waiting. */
const counting = (mostBytes?: number, rowsShared = 0, sharing = 1) => {
  const compared: number[] = [];
  const rows = Array.from({ length: rowsShared }, (_, at) => at);
  const finder = openDuplicateFinder(async (project, { segments, others }) => {
    compared.push(project);
    const segment = segments[0]?.key ?? "";
    const some = rowsShared === 0 ? [] : others.slice(1, 1 + sharing);
    return some.map(({ file }) => ({ segment, other: file.key, waiting: true, rows }));
  }, mostBytes);
  return {
    /** Whether asking had to compare anything. */
    async asks(project: number, segments = 10, files = 1): Promise<boolean> {
      const before = compared.length;
      await finder.find(
        project,
        Array.from({ length: segments }, (_, at) => aFile(`${project}-${at}`)),
        Array.from({ length: files }, (_, at) => aFile(`${project}-file-${at}`)),
      );
      return compared.length > before;
    },
  };
};

/** Ten segments take some two kilobytes. */
const ROOM_FOR_TWO = 5_000;

describe("what the search for duplicates remembers", () => {
  it("is not found out a second time", async () => {
    const { asks } = counting(ROOM_FOR_TWO);
    expect([await asks(1), await asks(2), await asks(1), await asks(2)]).toEqual([true, true, false, false]);
  });

  it("is forgotten of the project that was asked for least recently, when it is too much", async () => {
    const { asks } = counting(ROOM_FOR_TWO);
    for (const project of [1, 2, 1, 3]) await asks(project);
    expect([await asks(1), await asks(3), await asks(2)]).toEqual([false, false, true]);
  });

  it("stays of a project most of whose files are in use, however much it takes", async () => {
    const { asks } = counting(1);
    expect([await asks(1), await asks(1)]).toEqual([true, false]);
    await asks(2);
    expect(await asks(1)).toBe(true);
    expect([await asks(3, 5, 20), await asks(3, 5, 20)]).toEqual([true, false]);
  });

  it("is forgotten of as many projects as it takes", async () => {
    const { asks } = counting(ROOM_FOR_TWO);
    for (const project of [1, 2]) await asks(project);
    await asks(3, 20);
    expect(await asks(2)).toBe(true);
  });

  it("is forgotten of a project whose files have mostly gone", async () => {
    const { asks } = counting(1);
    await asks(1, 24);
    await asks(1, 9);
    expect(await asks(1, 9)).toBe(true);
  });

  it("counts the rows that were found", async () => {
    const { asks } = counting(ROOM_FOR_TWO, 400);
    for (const project of [1, 2]) await asks(project);
    expect([await asks(2), await asks(1)]).toEqual([false, true]);
  });

  it("counts the rows of each pair of files", async () => {
    const { asks } = counting(6_000, 40, 9);
    for (const project of [1, 2]) await asks(project);
    expect([await asks(2), await asks(1)]).toEqual([false, true]);
  });

  it("counts what each segment was compared with", async () => {
    // The keys alone take 600 kilobytes, and a bit for each pair a megabyte.
    const { asks } = counting(1_300_000);
    await asks(1, 3_000);
    await asks(2);
    expect([await asks(2), await asks(1)]).toEqual([false, true]);
  });

  it("counts what was found out since it was last counted", async () => {
    const { asks } = counting(ROOM_FOR_TWO);
    for (const [project, segments] of [
      [1, 2],
      [1, 20],
      [2, 10],
    ] as const)
      await asks(project, segments);
    expect([await asks(2), await asks(1, 2)]).toEqual([false, true]);
  });

  it.each([
    ["stays", 24, 15_000, false],
    ["goes", 40, 25_000, true],
  ])("%s where two projects take %i MB", async (_, _megabytes, rowsShared, isForgotten) => {
    const { asks } = counting(undefined, rowsShared, 99);
    for (const project of [1, 2]) await asks(project, 100);
    expect(await asks(1, 100)).toBe(isForgotten);
  });
});
