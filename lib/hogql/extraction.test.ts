import { describe, expect, it } from "vitest";
import { lower } from "./lower.ts";
import { parse } from "./parse.ts";

const textOf = async (query: string): Promise<string> =>
  lower(await parse(query), { project: 1, timezone: "UTC", now: 0, variables: {}, page: null, groupTypes: ["company"] }).lowered.sql;

const countOf = (text: string, part: string): number => text.split(part).length - 1;

describe("what a query reads from JSON", () => {
  it("is taken out together once a row", async () => {
    const sql = await textOf("SELECT properties.a AS a, max(properties.b), countIf(properties.c = 'x') FROM events GROUP BY a ORDER BY a");
    expect(sql).toContain("FROM (SELECT *, json_extract_string(properties, [");
    expect(countOf(sql, "json_extract_string")).toBe(1);
  });

  it("stands alone when it is one thing", async () => {
    const sql = await textOf("SELECT properties.a AS a, count() FROM events GROUP BY a");
    expect(sql).not.toContain("(SELECT *");
    expect(countOf(sql, "json_extract_string(e1.properties")).toBe(1);
  });

  it("is read by a condition of WHERE by itself", async () => {
    const sql = await textOf("SELECT properties.a, properties.b FROM events WHERE properties.a = 'x' AND properties.d = 'y'");
    expect(countOf(sql, "json_extract_string(e1.properties")).toBe(2);
    expect(sql).toContain("e1.j[2]");
    expect(sql).not.toContain("e1.j[3]");
  });

  it("is taken out of persons and groups before they are joined to events", async () => {
    const sql = await textOf(
      "SELECT person.properties.a AS a, company.properties.b, count() FROM events WHERE person.properties.a = 'x' GROUP BY ALL",
    );
    expect(sql).toContain("LEFT JOIN (SELECT *, json_extract_string(properties, ");
    expect(sql).toContain("p1.j = ");
    expect(countOf(sql, "json_extract_string")).toBe(2);
  });
});
