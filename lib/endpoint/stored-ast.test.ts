import { expect, it } from "vitest";
import { parse } from "../hogql/parse.ts";
import { packAst, unpackAst } from "./stored-ast.ts";

it("gives back the tree that was packed", async () => {
  const tree = await parse("SELECT event, count() FROM events WHERE properties.n > {variables.n} GROUP BY event LIMIT 5");
  expect(unpackAst(packAst(tree))).toEqual(JSON.parse(JSON.stringify(tree)));
});
