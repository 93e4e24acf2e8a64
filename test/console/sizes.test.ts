import { expect, it } from "vitest";
import { consoleSizes } from "./sizes.ts";

const KB = 1_000;

const { all, first, names, firstNames } = await consoleSizes();

it("is at most 250 KB in all, compressed", () => {
  expect(all).toBeLessThanOrEqual(250 * KB);
});

it("loads at most 100 KB before the first paint of the live view, compressed", () => {
  expect(firstNames.length).toBeGreaterThanOrEqual(4);
  expect(first).toBeLessThanOrEqual(100 * KB);
});

it.each(["code-mirror.", "canvas."])("loads %s only with what needs it", (start) => {
  expect(names.some((name) => name.startsWith(start))).toBe(true);
  expect(firstNames.some((name) => name.startsWith(start))).toBe(false);
});
