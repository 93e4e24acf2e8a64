import { describe, expect, it } from "vitest";
import { findFunction } from "./registry.ts";

describe("a function that is not there", () => {
  it.each(["windowFunnel", "sumMap", "sumArray", "countForEach", "uniqState", "avgMerge", "convertCurrency", "reinterpretAsInt64"])(
    "%s is refused with what to use instead",
    (name) => expect(() => findFunction(name)).toThrowError(expect.objectContaining({ code: "unsupported_function" })),
  );

  it("a misspelt name is told the nearest one", () => {
    expect(() => findFunction("toStartofDay")).toThrowError(/toStartOfDay/);
  });

  it.each(["toString", "constructor", "__proto__"])("%s is looked up among functions only", (name) => {
    if (name === "toString") return expect(findFunction(name).spec.name).toBe("toString");
    return expect(() => findFunction(name)).toThrowError(expect.objectContaining({ code: "unknown_function" }));
  });
});
