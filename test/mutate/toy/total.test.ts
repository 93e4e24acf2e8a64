import { expect, test } from "vitest";
import { total } from "./total.ts";

test("a small order pays its postage, a large one does not", () => {
  expect(total([10, 20])).toBe(35);
  expect(total([90, 20])).toBe(110);
});
