import { expect, it } from "vitest";
import { memoryTable } from "../../test/simulation/ports/table.ts";
import { type LaneLimits, nextTurn, withBegun } from "../core/turns.ts";
import { changeTurns, readTurns } from "./stored-turns.ts";

const LIMITS: LaneLimits = { atOnce: 3, ofGroup: 2, ofOwner: 1 };

it("stored turns are given to exactly as many as may run, however many ask at once", async () => {
  const table = memoryTable();
  const take = (owner: string) =>
    changeTurns(table, "tables", 1_000, (turns) => {
      const next = nextTurn(turns, [{ owner, group: owner }], LIMITS);
      if (next === undefined) return { result: false };
      return { turns: withBegun(turns, next, { name: owner, began: 1_000, until: 2_000 }), result: true };
    });
  const taken = await Promise.all(Array.from({ length: 60 }, (_, at) => take(`o${at}`)));
  expect(taken.filter((isTaken) => isTaken)).toHaveLength(LIMITS.atOnce);
  expect((await readTurns(table, "tables", 1_000)).running).toHaveLength(LIMITS.atOnce);
  expect((await readTurns(table, "jobs", 1_000)).running).toEqual([]);
  expect((await readTurns(table, "tables", 2_000)).running).toEqual([]);
});
