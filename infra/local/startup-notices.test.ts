import { expect, test } from "vitest";
import { shellWord } from "./shell-word.ts";
import { type LeftState, startupNotices } from "./startup-notices.ts";

const NO_LETTERS = { live: 0, historical: 0, jobs: 0 };
const said = (left: Partial<LeftState>, dataDir = ".local") =>
  startupNotices({ wasKilled: false, inWork: 0, deadLetters: NO_LETTERS, ...left }, dataDir);

test("after a platform that was stopped a start says nothing", () => {
  expect(said({})).toEqual([]);
});

test.each([
  [0, "no message was left unfinished"],
  [1, "1 unfinished message is processed again"],
  [3, "3 unfinished messages are processed again"],
])("after one that was killed with %i messages in work it says so in a sentence", (inWork, what) => {
  expect(said({ wasKilled: true, inWork })).toEqual([`The platform was not shut down properly the last time: ${what}.`]);
});

test("dead letters are told with what to do", () => {
  expect(said({ deadLetters: { ...NO_LETTERS, live: 2, jobs: 1 } }, "my data")).toEqual([
    "Messages lie in the dead letters (live 2, jobs 1): infra/runbook.md says how to find out why, and `npm run --silent admin -- redrive --data-dir 'my data'` sends them back.",
  ]);
});

test.each([
  [".local", ".local"],
  ["/tmp/a-b_c", "/tmp/a-b_c"],
  ["my data", "'my data'"],
  ["it's $HOME", "'it'\\''s $HOME'"],
  ["", "''"],
])("%j is one word of a command line", (text, word) => {
  expect(shellWord(text)).toBe(word);
});
