import { FAMILIES } from "../../lib/hogql/functions/registry.ts";
import type { FunctionSpec } from "../../lib/hogql/functions/spec.ts";
import { SECRET } from "./tenants.ts";

const ALL: readonly FunctionSpec[] = [...FAMILIES.values()].flat();

export const SCALARS = ALL.flatMap((spec) => (spec.kind === "scalar" ? [spec] : []));
export const SPECIALS = ALL.flatMap((spec) => (spec.kind === "special" ? [spec] : []));
export const AGGREGATES = ALL.flatMap((spec) => (spec.kind === "aggregate" ? [spec] : []));
export const WINDOWS = ALL.flatMap((spec) => (spec.kind === "window" ? [spec] : []));
export const REFUSED = ALL.flatMap((spec) => (spec.kind === "unsupported" ? [spec.name] : []));
export const COMBINATORS = ["If", "OrNull", "OrDefault", "Distinct", "Array", "State", "Merge", "ForEach", "IfOrNull", "Map"];

/** Functions of the engine below, and of ClickHouse, that reach out of the query. */
export const REACHING = (file: string): readonly string[] => [
  ...[
    `read_csv('${file}')`,
    `read_csv_auto('${file}')`,
    `read_text('${file}')`,
    `read_blob('${file}')`,
    `read_json('${file}')`,
    `sniff_csv('${file}')`,
  ],
  ...[
    "read_parquet('**/*.parquet')",
    "parquet_scan('**')",
    "glob('/**')",
    "duckdb_settings()",
    "duckdb_secrets()",
    "duckdb_tables()",
    "pragma_version()",
  ],
  ...[
    "sqlite_scan('a.db', 't')",
    "query('SELECT 1')",
    "query_table('events')",
    "url('http://127.0.0.1:9/')",
    "s3('http://127.0.0.1:9/a')",
    "file('/etc/passwd')",
  ],
  ...[
    "remote('127.0.0.1', system.one)",
    "mysql('h:3306', 'd', 't', 'u', 'p')",
    "cluster('c', system.one)",
    "generate_series(1, 1000000000)",
    "range(1000000000)",
  ],
  ...[
    "unnest([1, 2])",
    "repeat_row(1, num_rows=1000000000)",
    "summary('events')",
    "checkpoint()",
    "force_checkpoint()",
    "numbers(1000000)",
    "numbers(5, 10)",
  ],
];

/** What a value may be said to be. */
export type Kind = "text" | "number" | "time" | "list" | "flag";

/** Columns of a table by what they are. */
export type Columns = Readonly<Record<Kind, readonly string[]>>;

const LISTS = ["[1, 2, 3]", "range(5)", "['a', 'b', NULL]", "[[1], [2, 3]]", "splitByChar(',', 'a,b')", "[]"];
const FLAGS = ["true", "false", "1 = 1"];

export const TABLES: readonly (readonly [table: string, columns: Columns])[] = [
  [
    "events",
    {
      text: [
        ...[
          "event",
          "distinct_id",
          "properties.mark",
          "properties.plan",
          "properties['mark']",
          "person.properties.mark",
          "properties.nested.a",
          "`$session_id`",
        ],
        ...[
          "session.$entry_current_url",
          "company.properties.mark",
          "group_0.key",
          "toString(uuid)",
          "toString(person_id)",
          "elements_chain",
          "pdi.distinct_id",
        ],
      ],
      number: [
        "properties.price",
        "person.properties.age",
        "session.$session_duration",
        "length(event)",
        "toInt(properties.nested.a.b[1])",
        "1",
      ],
      time: ["timestamp", "created_at", "properties.when", "person.created_at", "toDate(timestamp)", "session.$start_timestamp"],
      list: ["elements_chain_texts", "session.$urls", "splitByChar(' ', event)", ...LISTS],
      flag: ["properties.active", "event = 'purchase'", "session.$is_bounce", ...FLAGS],
    },
  ],
  [
    "persons",
    {
      text: ["properties.mark", "toString(id)", "pdi.distinct_id"],
      number: ["properties.age", "2"],
      time: ["created_at", "last_seen_at"],
      list: LISTS,
      flag: ["is_identified", ...FLAGS],
    },
  ],
  [
    "person_distinct_ids",
    { text: ["distinct_id", "person.properties.mark"], number: ["length(distinct_id)"], time: ["now()"], list: LISTS, flag: FLAGS },
  ],
  ["groups", { text: ["key", "properties.mark"], number: ["index"], time: ["created_at", "updated_at"], list: LISTS, flag: FLAGS }],
  [
    "sessions",
    {
      text: ["session_id", "$entry_current_url", "$channel_type", "distinct_id"],
      number: ["$session_duration", "$pageview_count"],
      time: ["$start_timestamp", "$end_timestamp"],
      list: ["$urls", ...LISTS],
      flag: ["$is_bounce", ...FLAGS],
    },
  ],
  [
    "numbers(50)",
    {
      text: ["toString(number)", "repeat('x', number)"],
      number: ["number"],
      time: ["toDateTime(number)"],
      list: ["range(number)", ...LISTS],
      flag: ["number = 3", ...FLAGS],
    },
  ],
  [
    "numbers(1000000)",
    {
      text: ["toString(number)"],
      number: ["number"],
      time: ["toDateTime(number)"],
      list: ["range(number)", ...LISTS],
      flag: ["number = 3", ...FLAGS],
    },
  ],
  ["cohort_people", { text: ["toString(person_id)"], number: ["cohort_id"], time: ["now()"], list: LISTS, flag: FLAGS }],
];

export const HOSTILE_TABLES = (file: string): readonly string[] => [
  ...[
    `'${file}'`,
    `\`${file}\``,
    `"${file}"`,
    "scan_1",
    "scan_2",
    "main.events",
    "memory.main.events",
    "information_schema.tables",
    "system.one",
  ],
  ...[
    "pg_catalog.pg_class",
    "sqlite_master",
    "duckdb_tables",
    "project_2.events",
    "`events; DROP TABLE x`",
    "`**/*.parquet`",
    "constructor",
    "__proto__",
  ],
];

export const HOSTILE_COLUMNS = [
  ...[
    "team_id",
    "project_id",
    "identity",
    "request",
    "index",
    "scan_1.event",
    "e1.event",
    "properties.`x') FROM read_text('y') --`",
    "`$1$`",
    "`@0@`",
  ],
  ...[
    "constructor",
    "__proto__",
    "properties.__proto__.x",
    "properties.`*`",
    "properties.``",
    "properties.a.`$.*`",
    "events.team_id",
    "person.team_id",
  ],
];

export const ALIASES = ["a", "b", "x", "n", "`two words`", "`💥`"];

export const HOSTILE_ALIASES = [
  ...[
    "event",
    "timestamp",
    "properties",
    "scan_1",
    "c1",
    "e1",
    '`a"b`',
    "`x'; DROP TABLE events; --`",
    "`a\\`b`",
    "`$1$`",
    "`@0@`",
    "team_id",
  ],
  ...["constructor", "__proto__", "`a\nb`", "`ＳＥＬＥＣＴ`", "numbers", "`count()`"],
];

export const NUMBERS = [
  "0",
  "1",
  "2",
  "-1",
  "3.5",
  "1e10",
  "255",
  "1000000",
  "9007199254740993",
  "18446744073709551615",
  "99999999999999999999",
  "1e308",
  "inf",
  "nan",
  "0.1",
];

export const TEXTS = [
  ...[
    "''",
    "'own'",
    "'a'",
    "'1'",
    "'2026-01-15'",
    "'2026-01-15 12:00:00'",
    "'2026-13-45'",
    "'day'",
    "'%Y-%m-%d'",
    "'UTC'",
    "'Europe/Berlin'",
    "'Mars/Base'",
  ],
  ...[
    "'(a+)+$'",
    "'(((a{100}){100}){100})'",
    "'['",
    "'(?=a)'",
    "'\\\\1'",
    "'.*.*.*=.*'",
    "'[\\\\w\\\\W]{1,1000}'",
    '\'{"a":[1,{"b":2}]}\'',
    "'[1,2,3]'",
    "'https://a.example:80/p?q=1#f'",
  ],
  ...[
    "'\\'; SELECT 1 --'",
    "'$1'",
    "'@0@'",
    "'a\\0b'",
    "'\ud800'",
    "'ü💥\u202e'",
    "'String'",
    "'Array(Int64)'",
    "','",
    "'/etc/passwd'",
    `'${SECRET}'`,
  ],
  "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'",
];

export const TYPES = [
  "String",
  "Int64",
  "Float64",
  "Date",
  "DateTime",
  "UUID",
  "Bool",
  "Decimal(10, 2)",
  "Array(String)",
  "Nullable(Int64)",
  "VARCHAR",
  "`x) FROM y --`",
  "constructor",
];

export const OPERATORS = [
  "+",
  "-",
  "*",
  "/",
  "%",
  "||",
  "=",
  "!=",
  "<",
  ">",
  "<=",
  ">=",
  "AND",
  "OR",
  "LIKE",
  "NOT LIKE",
  "ILIKE",
  "=~",
  "!~",
  "=~*",
  "??",
  "<=>",
];

/** Statements and clauses that are none of a query's. */
export const FOREIGN = [
  ...[
    "ATTACH '/tmp/x.db'",
    "COPY (SELECT 1) TO '/tmp/x'",
    "PRAGMA database_list",
    "SET threads = 1",
    "INSTALL httpfs",
    "LOAD httpfs",
    "EXPORT DATABASE '/tmp/x'",
  ],
  ...[
    "CREATE TABLE x AS SELECT 1",
    "DROP TABLE events",
    "INSERT INTO events SELECT 1",
    "CALL pragma_version()",
    "EXPLAIN SELECT 1",
    "DESCRIBE events",
    "SHOW TABLES",
  ],
  ...[
    "; SELECT 2",
    " SETTINGS max_threads = 1",
    " FORMAT CSV",
    " INTO OUTFILE '/tmp/x'",
    " /*",
    " --",
    "$$",
    " UNION ALL SELECT * FROM scan_1",
    " WITH TOTALS",
    " FOR UPDATE",
  ],
];
