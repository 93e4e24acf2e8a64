import { describe, expect, it } from "vitest";
import { runningTotal, smooth } from "./lines.ts";

describe("numbers of a line", () => {
  it("add up", () => expect(runningTotal([1, 0, 2.5])).toEqual([1, 1, 3.5]));
  it("are means of what is there, cut down", () => expect(smooth([1, 2, 4, 9], 3)).toEqual([1, 1, 2, 5]));
  it("of nothing are nothing", () => expect([...runningTotal([]), ...smooth([], 2)]).toEqual([]));
});
