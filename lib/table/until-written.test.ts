import { describe, expect, it } from "vitest";
import { ConditionFailed, Conflict } from "../ports/table.ts";
import { untilWritten } from "./until-written.ts";

const overtaken = [new ConditionFailed([0]), new Conflict("others were at it")];

/** Work that others come before so many times. */
const workAfter = (times: number) => {
  const attempts: number[] = [];
  const work = async (attempt: number): Promise<string> => {
    attempts.push(attempt);
    const error = overtaken[attempt % overtaken.length];
    if (attempt <= times && error !== undefined) throw error;
    return "written";
  };
  return { attempts, work };
};

describe("untilWritten", () => {
  it("does work anew while others were quicker, and says which try it is", async () => {
    const { attempts, work } = workAfter(3);
    expect(await untilWritten({ most: 4, pauseMs: 1 }, work)).toBe("written");
    expect(attempts).toEqual([1, 2, 3, 4]);
  });

  it("gives up after the last try, with its error or with what is said for it", async () => {
    const { attempts, work } = workAfter(5);
    await expect(untilWritten({ most: 5 }, work)).rejects.toBe(overtaken[1]);
    expect(attempts).toHaveLength(5);
    await expect(untilWritten({ most: 2, otherwise: () => new Error("again and again") }, workAfter(5).work)).rejects.toThrow("again");
  });

  it("does not try again what failed for another reason", async () => {
    let tries = 0;
    const fails = async (): Promise<never> => {
      tries += 1;
      throw new Error("it is broken");
    };
    await expect(untilWritten({ most: 5 }, fails)).rejects.toThrow("broken");
    expect(tries).toBe(1);
  });
});
