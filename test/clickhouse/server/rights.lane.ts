import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Login } from "../../../infra/local/clickhouse/server.ts";
import { askAll, newId, type Served, serve } from "./server.ts";

let served: Served;
beforeAll(async () => {
  served = await serve();
  for (const folder of ["events", "fresh", "state", "tables", "waiting", "messages", "keys"])
    await served.objects.put(`${folder}/a.csv`, Buffer.from("1\n"));
});
afterAll(() => served.close());

const ACCESS_DENIED = 497;
const READONLY = 164;

/** What ClickHouse says to a statement: the code of its exception, or 0. */
const codeOf = async (sql: string, { user, password }: Login = served.server.platform, settings = ""): Promise<number> => {
  const headers = { Authorization: `Basic ${btoa(`${user}:${password}`)}` };
  const response = await fetch(`${served.server.url}/?wait_end_of_query=1&max_execution_time=10${settings}`, {
    method: "POST",
    body: sql,
    headers,
  });
  await response.body?.cancel();
  return Number(response.headers.get("x-clickhouse-exception-code") ?? (response.ok ? 0 : response.status));
};

const SQL = join(import.meta.dirname, "../../../infra/clickhouse/user.sql");
const CSV = "format = 'CSV', structure = 'a Int32'";

describe("the file that makes the platform's user", () => {
  it("is ClickHouse's SQL, statement by statement", async () => {
    const statements = (await readFile(SQL, "utf8"))
      .replaceAll(/^--.*$/gm, "")
      .split(";")
      .filter((statement) => statement.trim() !== "");
    expect(statements).toHaveLength(7);
    for (const statement of statements) expect(await codeOf(`SELECT formatQuery('${statement.replaceAll("'", "''")}')`), statement).toBe(0);
  });

  it("is where the rights here come from, and there are no others", async () => {
    const { rows } = await askAll(served.client, "SHOW GRANTS");
    const wanted = [...(await readFile(SQL, "utf8")).matchAll(/^(GRANT .*);$/gm)].map(([, grant = ""]) => grant);
    // Each prints names in its own quotes and order, and the address is the laptop's.
    const shape = (grant: string): string =>
      grant
        .replace(/http.*?\/\(/, "")
        .replaceAll(/[`']/g, "")
        .split(/[(), ]+/)
        .sort()
        .join();
    expect(rows.map(([grant]) => shape(String(grant))).sort()).toEqual(wanted.map(shape).sort());
  });
});

describe("the platform's user", () => {
  it.each(["events", "fresh", "state", "tables", "waiting"])("reads %s", async (folder) => {
    expect((await askAll(served.client, `SELECT a FROM s3(lake, filename = '${folder}/{a,a}.csv', ${CSV})`)).rows).not.toEqual([]);
  });

  it.each([
    "messages/a.csv",
    "keys/a.csv",
    "*/a.csv",
    "**",
    "{events,keys}/a.csv",
    "events/../keys/a.csv",
    "/keys/a.csv",
    "?events/a.csv",
    "keys/events/a.csv",
  ])("does not read %s", async (filename) => {
    expect(await codeOf(`SELECT * FROM s3(lake, filename = '${filename}', ${CSV})`)).not.toBe(0);
  });

  it.each([
    `SELECT * FROM s3(lake, url = 'http://127.0.0.1:1/x/', ${CSV})`,
    `SELECT * FROM s3(lake, access_key_id = 'x', filename = 'events/a.csv', ${CSV})`,
    "SELECT * FROM s3('http://127.0.0.1:1/lake/events/a.csv', 'CSV', 'a Int32')",
    "SELECT * FROM s3('https://bucket.s3.us-east-1.amazonaws.com/events/a.csv', NOSIGN, 'CSV', 'a Int32')",
    `INSERT INTO FUNCTION s3(lake, filename = 'events/b.csv', ${CSV}) SELECT 1`,
    `INSERT INTO FUNCTION s3(lake, filename = 'tables/b.csv', ${CSV}) SELECT 1`,
    "SELECT * FROM url('http://127.0.0.1:1/', 'CSV', 'a Int32')",
    "SELECT * FROM file('/etc/passwd', 'LineAsString', 'a String')",
    "SELECT * FROM remote('127.0.0.1', system.one)",
    "SELECT * FROM mysql('127.0.0.1:1', 'a', 'b', 'c', 'd')",
    "SELECT * FROM postgresql('127.0.0.1:1', 'a', 'b', 'c', 'd')",
    "SELECT * FROM mongodb('127.0.0.1:1', 'a', 'b', 'c', 'd', 'e Int32')",
    "SELECT * FROM redis('127.0.0.1:1', 'k', 'k Int32')",
    "SELECT * FROM sqlite('/tmp/x', 'y')",
    "SELECT * FROM hdfs('hdfs://a:1/b', 'CSV', 'a Int32')",
    "SELECT * FROM azureBlobStorage('a', 'b', 'c')",
    "SELECT * FROM executable('id', TSV, 'a String')",
    "SELECT * FROM icebergS3(lake, filename = 'keys/')",
    "SELECT * FROM deltaLake(lake, filename = 'keys/')",
    "SELECT dictGet('x', 'y', 1)",
    "SELECT addressToLine(1)",
    "SELECT * FROM system.processes",
    "SELECT * FROM system.users",
    "SELECT * FROM system.named_collections",
    "SELECT * FROM system.query_log",
    "SELECT * FROM system.grants",
    "SELECT * FROM information_schema.tables",
    "CREATE TABLE t (a Int32) ENGINE = Memory",
    "CREATE TEMPORARY TABLE t (a Int32) ENGINE = Memory",
    "CREATE FUNCTION f AS (x) -> x",
    "CREATE USER other",
    "GRANT READ ON FILE TO platform",
    "ALTER USER platform IDENTIFIED WITH no_password",
    "DROP NAMED COLLECTION lake",
    "SHOW NAMED COLLECTIONS FROM system",
    "SYSTEM SHUTDOWN",
    "SYSTEM STOP LISTEN HTTP",
    "SET readonly = 0",
    "SELECT 1 SETTINGS readonly = 0",
    "SELECT 1; SELECT 2",
  ])("is refused: %s", async (sql) => {
    expect(await codeOf(sql)).not.toBe(0);
  });

  it("does not lift its profile by a setting beside a query", async () => {
    expect(await codeOf("SELECT 1", served.server.platform, "&readonly=0")).toBe(READONLY);
    expect(await codeOf("SELECT 1", served.server.platform, "&allow_ddl=1&allow_introspection_functions=1")).toBe(0);
    const opened = "&allow_introspection_functions=1&enable_url_encoding=0&s3_truncate_on_insert=1";
    expect(await codeOf("SELECT addressToLine(1)", served.server.platform, opened)).toBe(ACCESS_DENIED);
  });

  it("ends no other user's query", async () => {
    const [operator, queryId] = [served.as(served.server.operator), newId()];
    const answer = askAll(operator, "SELECT count() FROM numbers(100000000) WHERE sipHash64(number) = 1", { queryId });
    const killed = await served.client.kill(queryId).then(
      () => true,
      () => false,
    );
    expect((await answer).rows, String(killed)).toEqual([[0]]);
    await operator.close();
  });
});

describe("nobody else", () => {
  it.each<[string, Login]>([
    ["the program's own user", { user: "default", password: "" }],
    ["a user with a wrong password", { user: "platform", password: "" }],
    ["an operator with a wrong one", { user: "operator", password: "operator" }],
  ])("gets an answer: %s", async (_, login) => {
    expect(await codeOf("SELECT 1", login)).not.toBe(0);
  });

  it.each(["user=default", "user=default&max_sessions_for_user=9", "%75ser=default", "user=operator&password="])(
    "gets one as whom an address names: %s",
    async (named) => {
      expect(await codeOf("SELECT file('/etc/passwd')", served.server.platform, `&${named}`)).not.toBe(0);
    },
  );
});
