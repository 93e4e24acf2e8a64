import { describe, expect, it } from "vitest";
import { aFile } from "../../../test/support/samples/small-lake.ts";
import { openDuplicateFinder } from "./duplicates.ts";

/** A finder that counts how often it compares for each project, each of which has so many segments waiting. */
const counting = (mostBytes: number, rowsShared = 0) => {
  const compared: number[] = [];
  const finder = openDuplicateFinder(async (project, { segments, others }) => {
    compared.push(project);
    const [first, second] = [segments[0]?.key ?? "", others[1]?.file.key ?? ""];
    const rows = Array.from({ length: rowsShared }, (_, at) => at);
    return rowsShared === 0 ? [] : [{ segment: first, other: second, waiting: true, rows }];
  }, mostBytes);
  return {
    /** Whether asking had to compare anything. */
    async asks(project: number, segments = 10): Promise<boolean> {
      const before = compared.length;
      await finder.find(
        project,
        Array.from({ length: segments }, (_, at) => aFile(`${project}-${at}`)),
        [aFile(`${project}-file`)],
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
  });

  it("is forgotten of a project whose files have mostly gone", async () => {
    const { asks } = counting(1);
    await asks(1, 30);
    await asks(1, 3);
    expect(await asks(1, 3)).toBe(true);
  });

  it("counts the rows that were found", async () => {
    const { asks } = counting(ROOM_FOR_TWO, 400);
    for (const project of [1, 2]) await asks(project);
    expect([await asks(2), await asks(1)]).toEqual([false, true]);
  });
});
