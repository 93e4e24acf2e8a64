import createParser from "@posthog/hogql-parser";
import { describe, expect, it } from "vitest";
import { pieces } from "./pieces.ts";
import { readAnswer } from "./read-answer.ts";

const read = async (parts: readonly { readonly kind: "query" | "expression"; readonly text: string }[]): Promise<readonly string[]> => {
  const parser = await createParser();
  return parts.map(({ kind, text }) => (kind === "query" ? parser.parseSelect(text) : parser.parseExpr(text)));
};

/** What two trees of the parser have in common that say the same: not where nodes end, and nothing of what is absent. */
const compared = (tree: unknown): unknown =>
  JSON.parse(JSON.stringify(tree, (key, value) => (key === "end" || value === null || value === false ? undefined : value)));

describe("a text in pieces", () => {
  it.each<readonly [string, number]>([
    ["SELECT toString(toDate(toDateTime(concat('2026-01-0', right(event, 1))))) FROM events", 5],
    ["SELECT arrayMap(x -> arrayFilter((y, z) -> lower(concat(y, z)) = x, splitByChar(',', x), [lower(x)]), [upper(event)])", 8],
    ["SELECT cast(lower(concat(event, 'x')) AS Array(Nullable(String))), cast(toString(event), 'Nullable(String)')", 4],
    ["SELECT (SELECT max(length(event)) FROM events), event IN (SELECT lower(event) FROM (SELECT event FROM events) LIMIT 3)", 5],
    ["WITH a AS (SELECT lower(event) AS e FROM events ORDER BY e NULLS FIRST) SELECT e, count() FROM a GROUP BY e LIMIT 2", 2],
    ["(SELECT lower(event) FROM events) UNION ALL (SELECT upper(event) FROM events) LIMIT 3", 1],
    ["SELECT sum(toFloat(lower(properties.a))) OVER (PARTITION BY lower(upper(event)) ORDER BY length(event) DESC) FROM events", 4],
    ["SELECT count(DISTINCT lower(concat(event, 'x'))), groupArray(lower(concat(event, 'x')) ORDER BY upper(lower(event)) DESC)", 4],
    ["SELECT a[length(lower(event))], [length(event), length(lower(event))][1:toInt(lower('2'))], (event ? lower(event) : 'x')", 7],
    ["SELECT f(lower(event) ? concat(lower(a), 'b') : c, d::Int, {'k': lower(upper(event))}) FROM events", 3],
    ["SELECT lower(concat(`ü💥`, '💥 ( '))\n  , /* ( */ upper(lower(event)) -- (\nFROM events WHERE lower(trim(event)) = 'a'", 4],
    [
      `SELECT multiIf(\n  ${Array.from({ length: 20 }, (_, at) => `event = 'ü💥${at}', lower(concat(event, '${at}'))`).join(", ")}, x -> upper(x)  ), 1`,
      42,
    ],
    [`SELECT quantiles( ${Array.from({ length: 20 }, (_, at) => `0.${at}1`).join(",")},)(length(event)) FROM events`, 3],
    [`SELECT sum(f(${"*, a.*, ".repeat(10)}1)) OVER (PARTITION BY event), concat(${"g(a, b), 'x', ".repeat(10)}'') FROM events`, 4],
    ["SELECT 1, // ( \n lower(concat(lower(event), 'x'))", 1],
    ["SELECT f'{lower(concat(lower(event), 1))}', lower(concat(lower(event), 'x'))", 1],
  ])("has the tree of the whole: %s", async (text, count) => {
    const parts = pieces("query", text);
    const whole = [{ kind: "query", text, at: 0 }] as const;
    expect(parts).toHaveLength(count);
    const tree = readAnswer(text, parts, { jsons: await read(parts) });
    expect(compared(tree)).toEqual(compared(readAnswer(text, whole, { jsons: await read(whole) })));
  });

  it("keeps none with calls in calls, whatever stands around it", () => {
    const nested = `${"f(a, [x -> (1, ".repeat(7)}1${")], b)".repeat(7)}`;
    for (const part of pieces("expression", nested))
      expect(part.text.replaceAll(/\{[^}]*\}/g, "").match(/[[(]/g)?.length ?? 0).toBeLessThan(4);
  });
});
