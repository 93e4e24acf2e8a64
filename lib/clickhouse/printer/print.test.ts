import { describe, expect, it } from "vitest";
import { alias, constant, field, from, select } from "../../hogql/build.ts";
import type { LowerOptions, StoredTable } from "../../hogql/options.ts";
import { parse } from "../../hogql/parse.ts";
import { rowList } from "../../hogql/row-list.ts";
import { INT64, STRING } from "../../hogql/types.ts";
import { readNumber } from "../sql/read-number.ts";
import { propertyText, readableJson, unmarked } from "../sql/readable-json.ts";
import { type PrintedStatement, printStatement } from "./print.ts";
import { Unprintable } from "./unprintable.ts";

const TABLE = {
  key: "tables/a.parquet",
  bytes: 1,
  columns: [
    { name: "day", type: STRING, nullable: false },
    { name: "n", type: INT64, nullable: false, parts: "sum" },
  ],
  isWhole: true,
} as const;

/** Three sums of a table, as its runs read it. */
const TOP = select([alias("most", field("kept", "n"))], { from: from("top_v1 (file)", "kept"), limit: constant(3) });

const OPTIONS: LowerOptions = {
  project: 1,
  timezone: "Europe/Berlin",
  now: Date.UTC(2026, 0, 1),
  variables: { plan: "pro", none: null, many: [1, "a"], names: ["x", "y"] },
  propertyType: (owner, name) => (owner === "event" && name === "amount" ? "Numeric" : undefined),
  groupTypes: ["organization"],
  tables: new Map<string, StoredTable>([
    ["daily_v1", TABLE],
    ["top_v1", { ...TABLE, rows: TOP }],
    ["top_v1 (file)", TABLE],
  ]),
  page: null,
};

const print = async (text: string, options: Partial<LowerOptions> = {}): Promise<PrintedStatement> =>
  printStatement(await parse(text), { ...OPTIONS, ...options });

/** The SQL with each parameter's value in its place, in curly brackets. */
const shown = ({ sql, parameters }: PrintedStatement): string =>
  sql.replaceAll(/\{(p\d+):[^}]+\}/g, (_, name: string) => `{${String(parameters.get(name)?.value)}}`);

const texts = ({ parameters }: PrintedStatement): readonly unknown[] => [...parameters.values()].map(({ value }) => value);

const columns = ({ needs }: PrintedStatement): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(needs.map(({ name, columns }) => [name, columns]));

const raw = (column: string, path: string): string => propertyText(`JSONExtractRaw(${column}, ${path})`);

const EVENTS = "FROM (SELECT r2.event AS event FROM base_events AS r2) AS r1";

describe("a query as ClickHouse's SQL", () => {
  it.each([
    ["SELECT event FROM events", `SELECT r1.event AS n1 ${EVENTS} LIMIT 100`],
    [
      "SELECT properties.a.b AS c FROM events LIMIT 5",
      `SELECT ${raw("r1.properties", "{a}, {b}")} AS n1 FROM (SELECT r2.properties AS properties FROM base_events AS r2) AS r1 LIMIT 5`,
    ],
    [
      "SELECT properties FROM events",
      `SELECT ${unmarked("r1.properties")} AS n1 FROM (SELECT r2.properties AS properties FROM base_events AS r2) AS r1 LIMIT 100`,
    ],
    [
      "SELECT p.a FROM (SELECT properties AS p FROM events)",
      `SELECT ${raw("r3.r4", "{a}")} AS n2 FROM (SELECT ${unmarked("r1.properties")} AS n1, r1.properties AS r4 FROM (SELECT r2.properties AS properties FROM base_events AS r2) AS r1) AS r3 LIMIT 100`,
    ],
    [
      "SELECT properties.a FROM (SELECT DISTINCT properties FROM events)",
      `SELECT ${raw(readableJson("r3.n1"), "{a}")} AS n2 FROM (SELECT DISTINCT ${unmarked("r1.properties")} AS n1 FROM (SELECT r2.properties AS properties FROM base_events AS r2) AS r1) AS r3 LIMIT 100`,
    ],
    [
      "SELECT properties['my key'].1 FROM events",
      `SELECT ${raw("r1.properties", "{my key}, 1")} AS n1 FROM (SELECT r2.properties AS properties FROM base_events AS r2) AS r1 LIMIT 100`,
    ],
    [
      "SELECT properties.amount FROM events",
      `SELECT ${readNumber(raw("r1.properties", "{amount}"))} AS n1 FROM (SELECT r2.properties AS properties FROM base_events AS r2) AS r1 LIMIT 100`,
    ],
    [
      "SELECT properties.$browser FROM events",
      "SELECT r1.hot_browser AS n1 FROM (SELECT nullIf(r2.hot_browser, '') AS hot_browser FROM base_events AS r2) AS r1 LIMIT 100",
    ],
    [
      "SELECT organization.key FROM events",
      "SELECT r1.r3_key AS n1 FROM (SELECT r3.`key` AS r3_key FROM base_events AS r2 LEFT JOIN (SELECT * FROM base_groups WHERE `index` = 0) AS r3 ON r3.`key` = r2.group_0) AS r1 LIMIT 100",
    ],
    ["SELECT 1 FROM events WHERE event = 'a'", `SELECT 1 AS n1 ${EVENTS} WHERE equals(r1.event, {a}) LIMIT 100`],
    ["SELECT event = 'a' FROM events", `SELECT ifNull(equals(r1.event, {a}), 0) AS n1 ${EVENTS} LIMIT 100`],
    ["SELECT 1 FROM events WHERE not (event = 'a')", `SELECT 1 AS n1 ${EVENTS} WHERE not(ifNull(equals(r1.event, {a}), 0)) LIMIT 100`],
    ["SELECT 1 FROM events WHERE event != NULL", `SELECT 1 AS n1 ${EVENTS} WHERE isNotNull(r1.event) LIMIT 100`],
    ["SELECT 1 FROM events WHERE event NOT IN ('a', 'b')", `SELECT 1 AS n1 ${EVENTS} WHERE ifNull(r1.event NOT IN {a,b}, 1) LIMIT 100`],
    [
      "SELECT toDateTime(timestamp) FROM events",
      "SELECT toDateTime(r1.timestamp, {Europe/Berlin}) AS n1 FROM (SELECT toTimeZone(r2.timestamp, {Europe/Berlin}) AS timestamp FROM base_events AS r2) AS r1 LIMIT 100",
    ],
    ["SELECT toDateTime('x')", "SELECT parseDateTime64BestEffortOrNull({x}, 6, {Europe/Berlin}) AS n1 LIMIT 100"],
    [
      "SELECT toInt('1'), {variables.plan}, {variables.none}, {variables.many}, {variables.names}",
      "SELECT accurateCastOrNull({1}, 'Int64') AS n1, {pro} AS n2, NULL AS n3, [1, {a}] AS n4, {x,y} AS n5 LIMIT 100",
    ],
    ["SELECT now() - interval 1 day", "SELECT minus(toDateTime(toInt64(1767225600), {Europe/Berlin}), toIntervalDay(1)) AS n1 LIMIT 100"],
    [
      "SELECT now() - toDateTime('x')",
      "SELECT toFloat64(minus(toDateTime(toInt64(1767225600), {Europe/Berlin}), parseDateTime64BestEffortOrNull({x}, 6, {Europe/Berlin}))) AS n1 LIMIT 100",
    ],
    ["SELECT left('é', 1)", "SELECT replaceAll(toValidUTF8(left({é}, 1)), '\uFFFD', '') AS n1 LIMIT 100"],
    ["SELECT reverse(lower('é')), reverse([1])", "SELECT reverseUTF8(lower({é})) AS n1, reverse([1]) AS n2 LIMIT 100"],
    ["SELECT 1 UNION ALL SELECT 2", "SELECT * FROM ((SELECT 1 AS n1) UNION ALL (SELECT 2 AS n2)) LIMIT 100"],
    [
      "SELECT quantile(0.9)(x) OVER (ORDER BY x) FROM (SELECT 1 AS x)",
      "SELECT quantileExactInclusiveOrNull(0.9)(toFloat64(r1.n1)) OVER (ORDER BY r1.n1 ASC NULLS LAST) AS n2 FROM (SELECT 1 AS n1) AS r1 LIMIT 100",
    ],
    ["SELECT y FROM numbers(3) ARRAY JOIN [number] AS y", "SELECT n1 AS r2 FROM numbers(3) AS r1 ARRAY JOIN [r1.number] AS n1 LIMIT 100"],
    [
      "SELECT day, n FROM daily_v1",
      "SELECT r1.c1 AS n1, r1.c2 AS n2 FROM (SELECT r2.c1 AS c1, sum(r2.c2) AS c2 FROM base_1 AS r2 GROUP BY r2.c1) AS r1 LIMIT 100",
    ],
    [
      "SELECT most FROM top_v1",
      "SELECT r3.n1 AS n1 FROM (SELECT r1.c2 AS n1 FROM (SELECT sum(r2.c2) AS c2 FROM base_1 AS r2 GROUP BY r2.c1) AS r1 LIMIT 3) AS r3 LIMIT 100",
    ],
  ])("%s", async (text, sql) => {
    expect(shown(await print(text))).toBe(sql);
  });
});

describe("the rows of a whole query", () => {
  it.each([
    ["SELECT 1", {}, " LIMIT 100"],
    ["SELECT 1", { maxRows: 10 }, " LIMIT 10"],
    ["SELECT 1 LIMIT 70", { maxRows: 50 }, " LIMIT 50"],
    ["SELECT 1 LIMIT 7 OFFSET 3", {}, " LIMIT 7 OFFSET 3"],
    ["SELECT 1", { seesMore: true }, " LIMIT 101"],
    ["SELECT 1 LIMIT 20", { page: { limit: 5, offset: 10 } }, " LIMIT 6 OFFSET 10"],
    ["SELECT 1 LIMIT 12", { page: { limit: 5, offset: 10 } }, " LIMIT 3 OFFSET 10"],
    ["SELECT 1 UNION ALL SELECT 2 LIMIT 1", {}, " LIMIT 50000"],
  ] satisfies readonly (readonly [string, Partial<LowerOptions>, string])[])("%s with %j", async (text, options, end) => {
    expect((await print(text, options)).sql).toMatch(new RegExp(`(?<! LIMIT \\d+)${end}$`));
  });
});

/** Texts that would mean something to ClickHouse, in quotes or out of them. */
const HOSTILE = ["'", "\\", "`", '"', "a\nb", "{p1:String}", "'); DROP TABLE events --", "base_events", "\\'", "é日本\u{1F600}"];

describe("values beside others", () => {
  it.each([
    [
      "SELECT 1 FROM events WHERE timestamp > '2026-01-05'",
      "greater(r1.timestamp, fromUnixTimestamp64Micro(toInt64(1767567600000000), {Europe/Berlin}))",
    ],
    ["SELECT 1 FROM events WHERE uuid = 'x'", "equals(r1.uuid, accurateCastOrNull({x}, 'UUID'))"],
    ["SELECT 1 FROM events WHERE person_id IN ('x')", "r1.person_id IN arrayMap(one -> toUUID(one), {})"],
    ["SELECT 1 FROM events WHERE toDate(timestamp) = '2026-01-05'", "equals(toDate(r1.timestamp), toDate(toUInt16(20458)))"],
  ])("%s", async (text, condition) => {
    expect(shown(await print(text))).toContain(` WHERE ${condition} LIMIT 100`);
  });
  it("are the moment of the run, never the server's", async () => {
    const { sql } = await print("SELECT now(), NOW(), now64(), today(), current_date(), yesterday(), timeZone()");
    expect(sql).not.toMatch(/now|NOW|today|current_date|timeZone\(/);
  });
});

describe("an aggregate", () => {
  it.each([
    ["uniq(event)", "uniqExact(r1.event)"],
    ["uniqIf(event, event = 'a')", "uniqExactIf(r1.event, ifNull(equals(r1.event, {a}), 0))"],
    ["avgOrDefault(length(event))", "avgOrDefault(length(r1.event))"],
    ["COUNT(DISTINCT event)", "count(DISTINCT r1.event)"],
    [
      "groupArray(event ORDER BY event DESC)",
      "arrayMap(one -> assumeNotNull(tupleElement(one, 1)), arrayReverseSort(one -> tupleElement(one, 2), groupArrayIf(tuple(r1.event, tuple(r1.event)), isNotNull(r1.event))))",
    ],
  ])("%s", async (text, sql) => {
    expect(shown(await print(`SELECT ${text} FROM events`))).toBe(`SELECT ${sql} AS n1 ${EVENTS} LIMIT 100`);
  });
  it.each([
    "SELECT groupArray(event ORDER BY event DESC, uuid) FROM events",
    "SELECT count() FROM events SAMPLE 0.1",
    "SELECT countryCodeToName('DE')",
    "SELECT n FROM (SELECT * FROM daily_v1 ORDER BY 2 LIMIT 1)",
  ])("or a query that has no such form: %s", async (text) => {
    await expect(print(text)).rejects.toThrow(Unprintable);
  });
});

describe("a position", () => {
  it("counts the columns of a `*` where all of them are printed", async () => {
    expect(shown(await print("SELECT * FROM daily_v1 ORDER BY 2"))).toContain(" ORDER BY 2 ASC NULLS LAST ");
    expect(shown(await print("SELECT day FROM (SELECT DISTINCT * FROM daily_v1 ORDER BY 2)"))).toContain(" ORDER BY 2 ASC NULLS LAST)");
  });
});

describe("what an author wrote", () => {
  const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const ident = (text: string): string => `\`${text.replaceAll("\\", "\\\\").replaceAll("`", "``")}\``;

  it.each(HOSTILE)("goes along as a parameter: %j", async (text) => {
    const statement = await print(`SELECT properties[${quoted(text)}] AS x FROM events WHERE event = ${quoted(text)}`);
    expect(texts(statement)).toEqual([text]);
    expect(shown({ ...statement, parameters: new Map() })).toBe(
      `SELECT ${raw("r1.properties", "{undefined}")} AS n1 FROM (SELECT r2.properties AS properties, r2.event AS event FROM base_events AS r2) AS r1 WHERE equals(r1.event, {undefined}) LIMIT 100`,
    );
  });
  it.each(HOSTILE)("names nothing in the SQL: %j", async (text) => {
    const name = ident(text);
    const statement = await print(
      `WITH ${name} AS (SELECT 1 AS ${name}) SELECT t.${name}, arrayMap(${name} -> 1, [2]) FROM ${name} AS t ORDER BY t.${name}`,
    );
    expect(statement.parameters.size).toBe(0);
    expect(statement.sql).toMatch(/^[\w\s.,()[\]*>-]+$/);
  });
  it("may be the name of what is read, of a parameter, or of another relation", async () => {
    const { sql, needs } = await print("SELECT n1, r1 FROM (SELECT event AS n1, 2 AS r1 FROM events) AS base_events");
    expect(needs.map(({ name }) => name)).toEqual(["base_events"]);
    expect(sql).toBe(
      "SELECT r3.n1 AS n1, r3.n2 AS n2 FROM (SELECT r1.event AS n1, 2 AS n2 FROM (SELECT r2.event AS event FROM base_events AS r2) AS r1) AS r3 LIMIT 100",
    );
  });
  it.each([...HOSTILE, "a\0b"])("is a variable's value: %j", async (hostile) => {
    const statement = await print("SELECT {variables.hostile}, {variables.both}", { variables: { hostile, both: [hostile, hostile] } });
    expect(statement.sql).toBe("SELECT {p1:String} AS n1, {p2:Array(String)} AS n2 LIMIT 100");
    expect(texts(statement)).toEqual([hostile, [hostile, hostile]]);
  });
  it("is the pattern of a sequence, whose seconds are counted in microseconds", async () => {
    const statement = await print("SELECT sequenceMatch('(?1)(?t<10)(?2)')(timestamp, event = 'a', event = 'b') FROM events");
    expect(texts(statement)).toContain("(?1)(?t<10000000)(?2)");
  });
  it("is no function that the language does not have", async () => {
    await expect(print("SELECT url('http://a')")).rejects.toThrow(Unprintable);
    await expect(print("SELECT file('/etc/passwd')")).rejects.toThrow(Unprintable);
    await expect(print("SELECT 1 FROM url('http://a')")).rejects.toThrow(Unprintable);
    await expect(print("SELECT 1 FROM system.users")).rejects.toThrow(Unprintable);
    await expect(print("SELECT 1 FROM unknown")).rejects.toThrow(Unprintable);
  });
});

describe("what a statement reads", () => {
  it.each([
    ["SELECT count() FROM events", { base_events: ["person_mode"] }],
    ["SELECT event FROM (SELECT * FROM events)", { base_events: ["event"] }],
    ["WITH a AS (SELECT * FROM events) SELECT event FROM a UNION ALL SELECT distinct_id FROM a", { base_events: ["distinct_id", "event"] }],
    ["SELECT person_id FROM events", { base_events: ["person_id"] }],
    ["SELECT person.id, pdi.person_id FROM events", { base_events: ["person_id"] }],
    ["SELECT person.properties.email FROM events", { base_events: ["person_id"], base_persons: ["person_id", "properties"] }],
    ["SELECT group_1.created_at FROM events", { base_events: ["group_1"], base_groups: ["created_at", "index", "key"] }],
    ["SELECT session.duration FROM events", { base_events: ["session_id", "timestamp"] }],
    ["SELECT $session_duration FROM sessions", { base_events: ["session_id", "timestamp"] }],
    ["SELECT id FROM persons", { base_persons: ["person_id"] }],
    [
      "SELECT id FROM persons WHERE pdi.distinct_id = 'a'",
      { base_persons: ["person_id"], base_person_distinct_ids: ["distinct_id", "person_id"] },
    ],
    [
      "SELECT person.is_identified FROM person_distinct_ids",
      { base_person_distinct_ids: ["person_id"], base_persons: ["is_identified", "person_id"] },
    ],
    ["SELECT 1 FROM cohort_people", {}],
    ["SELECT n FROM daily_v1", { base_1: ["c1", "c2"] }],
  ])("%s", async (text, read) => {
    expect(columns(await print(text))).toEqual(read);
  });
  it("is named ahead of it, so a query with WITH of its own stands in brackets", async () => {
    const { sql } = await print("WITH a AS (SELECT 1 AS x) SELECT x FROM a");
    expect(sql).toBe("SELECT * FROM (WITH r1 AS (SELECT 1 AS n1) SELECT r2.n1 AS n1 FROM r1 AS r2 LIMIT 100)");
  });
  it("reads what became of issues from lists, and nothing where they are empty", async () => {
    const pairs = (...all: readonly (readonly [string, string])[]) =>
      rowList([
        { name: "source", kind: "text", values: all.map(([source]) => source) },
        { name: "target", kind: "text", values: all.map(([, target]) => target) },
      ]);
    const text = "SELECT issue_id, fingerprint FROM events";
    const own = { base_events: ["hot_exception_fingerprint", "hot_exception_issue_id"] };
    expect(columns(await print(text, { moved: { fingerprints: pairs(), issues: pairs() } }))).toEqual(own);
    const moved = await print(text, { moved: { fingerprints: pairs(["f'", "issue"]), issues: pairs(["old", "new"]) } });
    expect(columns(moved)).toEqual({ ...own, base_2: ["source", "target"], base_3: ["source", "target"] });
    expect(moved.sql).not.toContain("f'");
  });
  it("reads the issues from their list, and events only for when they were last seen", async () => {
    expect(columns(await print("SELECT id, status FROM error_tracking_issues"))).toEqual({ base_1: ["id", "status"] });
    expect(columns(await print("SELECT count() FROM error_tracking_issues"))).toEqual({ base_1: ["id"] });
    expect(columns(await print("SELECT max(last_seen) FROM error_tracking_issues"))).toEqual({
      base_2: ["id"],
      base_events: ["event", "hot_exception_issue_id", "timestamp"],
    });
  });
});
