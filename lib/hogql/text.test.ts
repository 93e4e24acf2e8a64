import { describe, expect, it } from "vitest";
import { parse } from "./parse.ts";
import { queryText } from "./text.ts";

const TEXTS = [
  "SELECT count(), event AS e FROM events WHERE event = {variables.e} AND not (distinct_id = 'it''s') GROUP BY event, 1 HAVING count() > 1 ORDER BY e DESC LIMIT 5 OFFSET 1",
  "WITH 5 AS five, a AS (SELECT * FROM events SAMPLE 0.5) SELECT DISTINCT properties.$browser, a.properties['my key'], five FROM a INNER JOIN persons p ON p.id = a.person_id",
  "SELECT quantile(0.9)(toFloat(properties.x)), count(DISTINCT event), sumIf(1, event LIKE 'a%' OR event IN ('b', 'c')) FROM events",
  "SELECT row_number() OVER (PARTITION BY event ORDER BY timestamp ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM events",
  "SELECT arrayMap(x -> x * 2 + 1, [1, 2]), (1, 'a').1, CASE WHEN 1 = 1 THEN NULL ELSE 2 END, timestamp - INTERVAL 1 DAY, x::Int FROM events",
  "SELECT event FROM events UNION ALL SELECT `odd name` FROM (SELECT event AS `odd name` FROM events) LIMIT 3",
  "SELECT event, count() FROM events WHERE timestamp BETWEEN '2026-01-01' AND now() AND event IS NOT NULL GROUP BY ALL LIMIT 2 BY event",
];

describe("the text of a query", () => {
  it.each(TEXTS)("parses to the query again: %s", async (text) => {
    const tree = await parse(text);
    expect(JSON.stringify(await parse(queryText(tree)))).toEqual(JSON.stringify(tree));
  });
});
