import { expect, it } from "vitest";
import { changedLines } from "./diff.tsx";

const shown = (before: string, after: string): readonly string[] =>
  changedLines(before, after).map(({ sign, pieces }) => sign + pieces.map(({ text, changed }) => (changed ? `[${text}]` : text)).join(""));

it("keeps lines that stayed, and marks the words of those that were replaced", () => {
  expect(shown("SELECT day\nFROM events\nLIMIT 10", "SELECT week\nFROM events\nLIMIT 10")).toEqual([
    "−SELECT [day]",
    "+SELECT [week]",
    " FROM events",
    " LIMIT 10",
  ]);
});

it("shows a line that came at the end without the one before it", () => {
  expect(shown("a\nb", "a\nb\nc")).toEqual([" a", " b", "+c"]);
});

it("shows a line that went", () => {
  expect(shown("a\nb\nc\n", "a\nc")).toEqual([" a", "−b", " c"]);
});

it("shows the same text as it is", () => {
  expect(shown("a\n\nb", "a\n\nb")).toEqual([" a", " ", " b"]);
});
