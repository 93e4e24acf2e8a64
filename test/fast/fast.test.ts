import { describe, expect, it } from "vitest";
import { files } from "../support/imports.ts";
import { choose } from "./choose.ts";
import { SECONDS } from "./seconds.ts";

const imported = (file: string, to: string) => ({ file, to, isType: false, isLazy: false });

const TESTS = ["lib/a.test.ts", "lib/slow.test.ts", "test/near.test.ts", "test/far.test.ts", "test/long.test.ts", "test/other.test.ts"];
const IMPORTS = [
  imported("lib/a.test.ts", "lib/a.ts"),
  imported("lib/slow.test.ts", "lib/other.ts"),
  imported("test/near.test.ts", "lib/a.ts"),
  imported("test/long.test.ts", "lib/a.ts"),
  imported("lib/b.ts", "lib/a.ts"),
  imported("test/far.test.ts", "lib/b.ts"),
  imported("test/other.test.ts", "lib/other.ts"),
];
const chosen = (changed: readonly string[], seconds: Readonly<Record<string, number>> = {}) =>
  choose(TESTS, IMPORTS, changed, (file) => seconds[file] ?? { "lib/slow.test.ts": 9 }[file] ?? 1);

describe("what the fast loop runs", () => {
  it("is the quick unit tests, whatever changed", () => {
    expect(chosen([])).toEqual({ files: ["lib/a.test.ts"], slow: ["lib/slow.test.ts"], far: [] });
  });
  it("is what reaches a change besides, the nearest first", () => {
    const { files: run, far } = chosen(["lib/a.ts"], { "test/long.test.ts": 2 });
    expect([run, far]).toEqual([["lib/a.test.ts", "test/near.test.ts", "test/long.test.ts", "test/far.test.ts"], []]);
  });
  it("leaves out what does not fit into its time, and says so", () => {
    const { files: run, far } = chosen(["lib/a.ts"], { "test/near.test.ts": 30, "test/long.test.ts": 41, "test/far.test.ts": 11 });
    expect([run, far]).toEqual([
      ["lib/a.test.ts", "test/near.test.ts"],
      ["test/long.test.ts", "test/far.test.ts"],
    ]);
  });
  it("is a slow unit test, too, where it reaches the change", () => {
    const { files: run, slow } = chosen(["lib/other.ts"]);
    expect([run, slow]).toEqual([["lib/a.test.ts", "test/other.test.ts", "lib/slow.test.ts"], []]);
  });
});

it("the files whose time is known are there", () => {
  expect(Object.keys(SECONDS).filter((file) => !files.includes(file))).toEqual([]);
});
