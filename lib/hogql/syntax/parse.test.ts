import { expect, it } from "vitest";
import { parseExpression } from "./parse.ts";

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
