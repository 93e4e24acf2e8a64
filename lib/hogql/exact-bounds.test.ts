import { describe, expect, it } from "vitest";
import { lower } from "./lower.ts";
import type { EventScan, LoweredQuery } from "./lowered-query.ts";
import { parse } from "./parse.ts";

const MARCH_US = BigInt(Date.UTC(2026, 2, 1)) * 1_000n;

const loweredOf = async (text: string): Promise<LoweredQuery> =>
  lower(await parse(text), { project: 1, timezone: "UTC", now: 0, variables: {}, page: null }).lowered;

const scanOf = async (text: string): Promise<EventScan | undefined> =>
  (await loweredOf(text)).scans.find((scan): scan is EventScan => scan.kind === "events");

describe("bounds that are exact", () => {
  it("take the conditions on the time out of the text, and the time out of what is read", async () => {
    const { sql, scans } = await loweredOf(
      "SELECT count() FROM events WHERE timestamp >= '2026-03-01' AND (timestamp < '2026-03-02' AND event = 'x')",
    );
    expect(sql).not.toContain("timestamp");
    expect(scans).toMatchObject([{ columns: ["event"], from: MARCH_US, to: MARCH_US + 86_400_000_000n, boundsAreExact: true }]);
  });

  it("still read a time that the query names elsewhere", async () => {
    const scan = await scanOf("SELECT max(timestamp) FROM events WHERE timestamp BETWEEN '2026-03-01' AND '2026-03-02'");
    expect(scan).toMatchObject({ columns: ["timestamp"], boundsAreExact: true, to: MARCH_US + 86_400_000_001n });
  });

  it("reach into a subquery and a CTE that own their scan", async () => {
    const inner = "SELECT event FROM events WHERE timestamp > '2026-03-01'";
    for (const text of [`SELECT count() FROM (${inner})`, `WITH w AS (${inner}) SELECT count() FROM w`]) {
      expect(await scanOf(text)).toMatchObject({ from: MARCH_US + 1n, boundsAreExact: true });
    }
  });

  it.each([
    ["an OR", "SELECT count() FROM events WHERE timestamp >= '2026-03-01' OR event = 'x'"],
    ["a NOT", "SELECT count() FROM events WHERE NOT timestamp < '2026-03-01'"],
    ["a function of the time", "SELECT count() FROM events WHERE toStartOfHour(timestamp) >= '2026-03-01'"],
    ["another column", "SELECT count() FROM events WHERE created_at >= '2026-03-01'"],
    [
      "rows made by a join",
      "SELECT count() FROM numbers(3) n LEFT JOIN events e ON e.event = toString(n.number) WHERE e.timestamp >= '2026-03-01'",
    ],
    ["a query around", "SELECT count() FROM (SELECT timestamp AS at FROM events) WHERE at >= '2026-03-01'"],
    ["HAVING", "SELECT timestamp, count() FROM events GROUP BY timestamp HAVING timestamp >= '2026-03-01'"],
    ["sessions", "SELECT count() FROM sessions WHERE $start_timestamp >= '2026-03-01'"],
    ["a value in the list", "SELECT timestamp >= '2026-03-01' FROM events"],
  ])("leave alone %s", async (_, text) => {
    const { sql, scans } = await loweredOf(text);
    expect(sql).toMatch(/>=|<|BETWEEN/);
    expect(scans[0]).not.toHaveProperty("boundsAreExact");
  });
});

describe("rounding of times", () => {
  it("is plain division where the range lies after 1970, and shifted where it may not", async () => {
    const text = (from: string): string =>
      `SELECT toStartOfHour(timestamp) AS h, toHour(timestamp), count() FROM events WHERE timestamp >= '${from}' GROUP BY ALL`;
    expect((await loweredOf(text("2026-03-01"))).sql).not.toContain("+ 63072000000000000");
    expect((await loweredOf(text("1969-12-31"))).sql).toContain("+ 63072000000000000");
    expect((await loweredOf("SELECT toStartOfHour(timestamp) FROM events")).sql).toContain("+ 63072000000000000");
  });
});
