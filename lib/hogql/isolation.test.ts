import { describe, expect, it } from "vitest";
import { QueryError } from "./errors.ts";
import { check, lower } from "./lower.ts";
import { parse } from "./parse.ts";

const refused = async (text: string): Promise<string> => {
  try {
    check(await parse(text), { timezone: "UTC" });
    return "accepted";
  } catch (error) {
    return error instanceof QueryError ? error.code : "defect";
  }
};

describe("a query can reach nothing but its project's tables", () => {
  it.each([
    "SELECT * FROM read_parquet('/etc/passwd')",
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM glob('*')",
    "SELECT * FROM '/etc/passwd'",
    'SELECT * FROM "/etc/passwd"',
    "SELECT * FROM information_schema.tables",
    "SELECT * FROM duckdb_settings()",
    "SELECT * FROM pragma_database_list",
    "SELECT * FROM sqlite_master",
    "SELECT * FROM scan_1",
    "SELECT * FROM generate_series(1, 2)",
    "SELECT * FROM s3('https://example.com/x')",
    "SELECT * FROM url('https://example.com/x')",
    "SELECT * FROM events, remote('x')",
    "SELECT getvariable('x')",
    "SELECT current_setting('threads')",
    "SELECT read_text('/etc/passwd')",
    "SELECT pg_sleep(1)",
    "SELECT constructor(1)",
    "SELECT __proto__(1)",
    "SELECT toString.x FROM events",
    "SELECT e1.properties FROM events",
    "SELECT constructor FROM events",
    "INSERT INTO events VALUES (1)",
    "DROP TABLE events",
    "SELECT 1; DROP TABLE events",
    "ATTACH 'x'",
    "COPY events TO 'x'",
  ])("%s", async (text) =>
    expect(["unknown_table", "unknown_function", "unknown_field", "syntax_error", "unsupported"]).toContain(await refused(text)),
  );

  it("names a column or table of its own making, never a tenant's", async () => {
    const text = `SELECT event AS "a""; DROP TABLE x; --", properties."we'ird $1$ @0@" AS \`b\` FROM events AS "t;" WHERE "t;".event = 'x'' OR 1=1 --'`;
    const { lowered } = lower(await parse(text), { project: 1, timezone: "UTC", now: 0, variables: {}, page: null });
    expect(lowered.sql).toBe(
      `SELECT e1.event AS c1, nullif(json_extract_string(e1.properties, $1::VARCHAR), '') AS c2 FROM scan_1 AS e1 WHERE (e1.event = $2::VARCHAR) LIMIT $3::BIGINT`,
    );
    expect(lowered.parameters).toEqual([`$."we'ird $1$ @0@"`, "x' OR 1=1 --", 100n]);
  });
});
