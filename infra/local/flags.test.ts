import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readOptions } from "./flags.ts";
import { UserError } from "./user-error.ts";

test.each([
  [["--port", "-1"], '"-1" is no port: give a number from 0 to 65535.'],
  [["--port=70000"], '"70000" is no port: give a number from 0 to 65535.'],
  [["--port", "http"], '"http" is no port: give a number from 0 to 65535.'],
  [["--host", ""], "--host names no address: give one, or leave it out."],
  [["--data-dir="], "--data-dir names no directory: give one, or leave it out."],
  [["--log", "xml"], '"xml" is no kind of log: give --log json, or leave it out.'],
  [["--loud"], "Unknown option '--loud': `npm start -- --help` shows the flags."],
  [["--host"], "Option '--host <value>' argument missing: `npm start -- --help` shows the flags."],
  [["here"], "Unexpected argument 'here': `npm start -- --help` shows the flags."],
])("the mistake in %j is told in one sentence", (words, sentence) => {
  expect(() => readOptions(words, {})).toThrow(new UserError(sentence));
});

test("what is not given comes from the environment, and then is as usual", () => {
  const usual = { port: 8000, host: "127.0.0.1", dataDir: ".local", empty: false, clickhouse: false, log: "lines" };
  expect(readOptions([], {})).toEqual(usual);
  expect(readOptions(["--quiet"], { PORT: "0", DATA_DIR: "my data" })).toEqual({ ...usual, port: 0, dataDir: "my data", log: "quiet" });
  expect(readOptions(["--help"], {})).toBeUndefined();
});

test("what the README has a shell know is nothing that a start there reads", async () => {
  const page = await readFile(join(import.meta.dirname, "../../README.md"), "utf8");
  const exported = Object.fromEntries([...page.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]));
  expect(Object.keys(exported)).not.toEqual([]);
  expect(readOptions([], exported)).toEqual(readOptions([], {}));
});
