import { expect, it } from "vitest";
import { linesAround } from "./lines-around.ts";

const NUMBERS = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`);
const shown = (content: string, line: number) => {
  const context = linesAround(content, line);
  return context && [context.before.map(({ line }) => line), context.line, context.after.map(({ line }) => line)];
};

it.each(["\n", "\r", "\r\n", "\u2028", "\u2029"])("shows five lines before and behind where %j ends them", (end) => {
  const content = NUMBERS.join(end);
  expect(shown(content, 10)).toEqual([
    ["line 9", "line 8", "line 7", "line 6", "line 5"],
    { number: 10, line: "line 10" },
    ["line 11", "line 12", "line 13", "line 14", "line 15"],
  ]);
  expect(shown(content, 1)).toEqual([[], { number: 1, line: "line 1" }, NUMBERS.slice(1, 6)]);
  expect(shown(`${content}${end}`, 21)).toEqual([NUMBERS.slice(15).toReversed(), { number: 21, line: "" }, []]);
});

it("shows nothing where there is no such line, or no text", () => {
  expect(shown(NUMBERS.join("\n"), 21)).toBeNull();
  expect(linesAround(undefined, 1)).toBeNull();
  expect(shown("", 1)).toEqual([[], { number: 1, line: "" }, []]);
});

it("makes nothing of the lines before, however many there are, and looks through no file that is a bundle itself", {
  timeout: 30_000,
}, () => {
  const most = "\n".repeat(2_000_000);
  for (let line = most.length - 20; line < most.length; line += 1)
    expect(linesAround(most, line)?.line).toEqual({ number: line, line: "" });
  expect(linesAround(`${most} `, 1)).toBeNull();
});
