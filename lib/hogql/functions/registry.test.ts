import { describe, expect, it } from "vitest";
import { check } from "../check.ts";
import { parse } from "../syntax/parse.ts";

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

  it("a misspelt name is told the nearest one", async () => {
    await expect(checked("toStartOfDya(timestamp)")).rejects.toThrowError(/toStartOfDay/);
  });

  it.each(["constructor(1)", "__proto__(1)", "hasOwnProperty('a')"])("%s is looked up among functions only", async (call) => {
    await expect(checked(call)).rejects.toMatchObject({ code: "unknown_function" });
  });
});
