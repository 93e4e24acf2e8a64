import { describe, expect, it } from "vitest";
import { lower } from "./lower.ts";
import type { LoweredQuery } from "./lowered-query.ts";
import { parse } from "./parse.ts";

const loweredOf = async (text: string): Promise<LoweredQuery> =>
  lower(await parse(text), { project: 1, timezone: "UTC", now: 0, variables: {}, page: null }).lowered;

describe("rows that are wanted first", () => {
  it.each([
    ["newest", "SELECT event FROM events ORDER BY timestamp DESC LIMIT 100"],
    ["oldest", "SELECT event FROM events ORDER BY timestamp LIMIT 100"],
    ["newest", "SELECT timestamp AS at, event FROM events WHERE distinct_id = 'a' ORDER BY at DESC, event LIMIT 100"],
    ["newest", "SELECT event, timestamp FROM events ORDER BY 2 DESC"],
    ["newest", "SELECT count() FROM (SELECT event FROM events ORDER BY timestamp DESC LIMIT 10)"],
    [undefined, "SELECT event FROM events ORDER BY event, timestamp DESC LIMIT 100"],
    [undefined, "SELECT event FROM events ORDER BY created_at DESC LIMIT 100"],
    [undefined, "SELECT event FROM events LIMIT 100"],
    [undefined, "SELECT timestamp, count() FROM events GROUP BY timestamp ORDER BY timestamp DESC LIMIT 100"],
  ])("are the %s of %s", async (first, text) => {
    const { scans } = await loweredOf(text);
    expect(scans).toHaveLength(1);
    expect(scans[0]).toEqual(
      first === undefined ? expect.not.objectContaining({ first: expect.anything() }) : expect.objectContaining({ first }),
    );
  });
});

describe("a few values that a column may have", () => {
  it.each([
    ["event IN ('a', 'b')", true],
    ["distinct_id IN ('a', 'b', 'c', 'd', 'e')", true],
    ["properties.$browser IN ('a', 'b')", true],
    ["event = 'x' AND distinct_id IN ('a', 'b')", true],
    ["distinct_id IN ('a', 'b', 'c', 'd', 'e', 'f')", false],
    ["event NOT IN ('a', 'b')", false],
    ["lower(event) IN ('a', 'b')", false],
  ])("are asked of the scan itself in %s: %s", async (condition, asked) => {
    const { sql } = await loweredOf(`SELECT count() FROM events WHERE ${condition}`);
    expect(/coalesce\(\(e1\.\w+ IN \([^()]*\)\), false\)/.test(sql)).toBe(asked);
  });

  it("are asked plainly where no scan asks them", async () => {
    const { sql } = await loweredOf("SELECT countIf(event IN ('a', 'b')) FROM events HAVING count() > 1");
    expect(sql).toContain("IN ($1::VARCHAR, $2::VARCHAR)");
    expect(sql).not.toContain("coalesce");
  });
});
