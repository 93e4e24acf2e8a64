import { zstdCompressSync } from "node:zlib";
import { expect, it } from "vitest";
import { parse, parseExpression } from "../../hogql/parse.ts";
import { packAst, packExpressions, unpackAst, unpackExpressions } from "./stored-ast.ts";

it("gives back the tree that was packed", async () => {
  const tree = await parse("SELECT event, count() FROM events WHERE properties.n > {variables.n} GROUP BY event LIMIT 5");
  expect(unpackAst(packAst(tree))).toEqual(JSON.parse(JSON.stringify(tree)));
});

it("unpacks a tree once, however often it is read from the table", async () => {
  const packed = packAst(await parse("SELECT count() FROM events WHERE event = 'unpacked once'"));
  expect(unpackAst(packed.slice())).toBe(unpackAst(packed.slice()));
});

it("gives back the expressions that were packed, by their texts, and never one form for the other", async () => {
  const packed = packExpressions({ "sum(x)": await parseExpression("sum(x)") });
  expect(unpackExpressions(packed)).toEqual({ "sum(x)": { kind: "call", name: "sum", args: [{ kind: "field", chain: ["x"] }] } });
  expect(() => unpackAst(packed)).toThrow("not those of a query");
});

it("reads trees of the format before, in which literals of numbers had another name", () => {
  const before = {
    v: 1,
    tree: {
      kind: "select",
      columns: [
        { kind: "odd-number", text: "NaN" },
        { kind: "constant", value: "odd-number" },
      ],
    },
  };
  expect(unpackAst(zstdCompressSync(JSON.stringify(before)))).toEqual({
    kind: "select",
    columns: [
      { kind: "numeric-literal", text: "NaN" },
      { kind: "constant", value: "odd-number" },
    ],
  });
  expect(() => unpackAst(zstdCompressSync(JSON.stringify({ ...before, v: 0 })))).toThrow("format 0");
});
