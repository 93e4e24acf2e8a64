import { describe, expect, it } from "vitest";
import { check } from "../lower.ts";
import { parse } from "../parse.ts";
import { ABSENT } from "./absent-functions.ts";
import { findFunction } from "./registry.ts";

const checked = async (expression: string) => check(await parse(`SELECT ${expression} FROM events`), { timezone: "UTC" });

describe("a function that is not there", () => {
  it.each([
    "topKArray([1])",
    "argMinForEach([1])",
    "uniqState(event)",
    "avgMerge(event)",
    "convertCurrency('a', 'b', 1)",
    "reinterpretAsUUID(event)",
  ])("%s is refused with what to use instead", async (call) => {
    await expect(checked(call)).rejects.toMatchObject({ code: "unsupported_function" });
  });

  it.each(ABSENT.flatMap(([names, instead]) => names.split(" ").map((name): [string, string] => [name.replace("*", "X"), instead])))(
    "%s, which upstream has, is refused with what to write instead",
    async (name, instead) => {
      await expect(checked(`${name}(event)`)).rejects.toMatchObject({
        code: "unsupported_function",
        message: expect.stringContaining(instead),
      });
    },
  );

  it("what is to be written instead is there", () => {
    const named = ABSENT.flatMap(([, instead]) => [...instead.matchAll(/\b([A-Za-z_]\w*)\(/g)].map(([, name]) => name ?? ""));
    for (const name of new Set(named)) if (name !== "OVER") expect(findFunction(name).spec.kind).not.toBe("unsupported");
  });

  it.each(["sumForEachState(event)", "avgMergeOrDefaultIf(event)", "countDistinctArgMaxOrNullIf(event, event)"])(
    "%s is told that such an aggregate is not kept or not taken",
    async (call) => {
      await expect(checked(call)).rejects.toMatchObject({ code: "unsupported_function" });
    },
  );

  it("a misspelt name is told the nearest one", async () => {
    await expect(checked("toStartOfDya(timestamp)")).rejects.toThrowError(/toStartOfDay/);
  });

  it.each(["constructor(1)", "__proto__(1)", "hasOwnProperty('a')"])("%s is looked up among functions only", async (call) => {
    await expect(checked(call)).rejects.toMatchObject({ code: "unknown_function" });
  });
});
