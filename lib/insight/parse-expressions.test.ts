import { expect, it } from "vitest";
import { parseExpressions } from "./parse-expressions.ts";

it("reads each text once, without the alias of the whole", async () => {
  expect(await parseExpressions(["count() AS n", "x"])).toMatchObject({
    "count() AS n": { kind: "call", name: "count", args: [] },
    x: { kind: "field", chain: ["x"] },
  });
});

it("keeps the tree of a text that was read before", async () => {
  const [first, again] = [await parseExpressions(["event || 'x'"]), await parseExpressions(["event || 'x'"])];
  expect(again["event || 'x'"]).toBe(first["event || 'x'"]);
});

it.each([
  ["a text that is no expression", "count(", "syntax_error", /count\(\n/],
  ["a placeholder", "sum(1 + {variables.x})", "placeholder", /no placeholders.*\n.*\n {8}\^$/],
])("refuses %s, and shows where", async (_, text, code, message) => {
  await expect(parseExpressions([text])).rejects.toMatchObject({ name: "QueryError", code, message: expect.stringMatching(message) });
});

it("refuses expressions that take the parser too long together, and reads what comes after them", async () => {
  const slow = (index: number): string => `concat(${Array.from({ length: 900 }, (_, at) => `'${index}_${at}'`).join(", ")})`;
  const texts = Array.from({ length: 30 }, (_, index) => slow(index));
  await expect(parseExpressions(texts)).rejects.toMatchObject({ code: "query_too_large" });
  expect(await parseExpressions(["after"])).toMatchObject({ after: { kind: "field" } });
});

it("refuses more expressions than the parser reads soon", async () => {
  const texts = Array.from({ length: 51 }, (_, index) => `${index}`);
  await expect(parseExpressions(texts)).rejects.toMatchObject({ code: "too_complex" });
});
