import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { parse, parseExpression } from "./parse.ts";

it("reads an expression that stands alone", async () => {
  expect(await parseExpression("count() / 2")).toMatchObject({
    kind: "arithmetic",
    op: "/",
    left: { kind: "call", name: "count" },
    right: { kind: "constant", value: 2 },
  });
});

it.each(["", "1, 2", "1) OR (2", "SELECT 1", "count("])("refuses what is no expression: %s", async (text) => {
  await expect(parseExpression(text)).rejects.toMatchObject({ name: "QueryError", code: "syntax_error" });
});

it("remembers the tree of a text for its project, and nothing of one that was refused", async () => {
  const text = "SELECT event FROM events LIMIT 3";
  const first = await parse(text, 1);
  expect(await parse(text, 1)).toBe(first);
  const others = await parse(text, 2);
  expect(others).not.toBe(first);
  expect(others).toEqual(first);
  const refused = () => parse("SELECT event FROM", 1).catch((error: unknown) => error);
  const error = await refused();
  expect(error).toMatchObject({ code: "syntax_error" });
  expect(await refused()).not.toBe(error);
});

it("answers a program that waits for nothing else", async () => {
  const program = `import { parse } from ${JSON.stringify(join(import.meta.dirname, "parse.ts"))}; console.log((await parse("SELECT 1")).kind);`;
  const folder = await mkdtemp(join(tmpdir(), "parse-"));
  try {
    await writeFile(join(folder, "program.mjs"), program);
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, "program.mjs")]);
    expect(stdout.trim()).toBe("select");
  } finally {
    await rm(folder, { recursive: true });
  }
});
