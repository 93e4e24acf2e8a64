import { expect, test } from "vitest";
import { progressLine } from "./progress-line.ts";

test.each([
  [true, ["\r\u001b[Ka.jsonl: 60,000 read, 60,000/s, 50 %, 1 s left", "\r\u001b[K"]],
  [false, ["a.jsonl: 600,000 read, 100,000/s, 75 %, 2 s left\n"]],
])("progress is told now and then, on a terminal in place: %s", (isTerminal, told) => {
  const said: string[] = [];
  let now = 0;
  const line = progressLine({ now: () => now, tell: (text) => said.push(text), isTerminal }, { file: "", read: 0, share: 0 });
  const positions = [
    { at: 100, read: 1_000, share: 0.01 },
    { at: 1_000, read: 60_000, share: 0.5 },
    { at: 1_100, read: 61_000, share: 0.51 },
  ];
  for (const { at, ...position } of positions) {
    now = at;
    line.at({ file: "a.jsonl", ...position });
  }
  if (!isTerminal) {
    now = 6_000;
    line.at({ file: "a.jsonl", read: 600_000, share: 0.75 });
  }
  line.end();
  expect(said).toEqual(told);
});

test("the time that is left goes by what this command did, not by what was done before", () => {
  const said: string[] = [];
  let now = 0;
  const line = progressLine({ now: () => now, tell: (text) => said.push(text), isTerminal: false }, { file: "", read: 900, share: 0.75 });
  now = 10_000;
  line.at({ file: "b", read: 950, share: 0.875 });
  expect(said).toEqual(["b: 950 read, 5/s, 87 %, 10 s left\n"]);
});
