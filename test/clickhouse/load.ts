import { ANSWER_SETTINGS } from "../../lib/clickhouse/answer-settings.ts";
import type { Need } from "../../lib/clickhouse/printer/statement.ts";
import { Defect } from "../../lib/core/unreachable.ts";
import { isoTimestamp } from "../../lib/engine/query/timestamps.ts";
import { type ColumnKind, EVENT_COLUMNS } from "../../lib/event/event.ts";
import type { SetUp } from "./clickhouse.ts";
import type { Project } from "./project.ts";

/** Times as ISO text in UTC, NaN and infinities as null, tuples as lists: what our own JSON has. */
const FORMAT = {
  output_format_json_quote_64bit_integers: 0,
  output_format_json_quote_denormals: 0,
  output_format_json_quote_decimals: 0,
  output_format_json_named_tuples_as_objects: 0,
  date_time_output_format: "iso",
  max_threads: 2,
};

/** Settings, and the project's rows in tables that have the columns of the lake's files. */
export const setUpOf = (project: Project): SetUp => ({
  once: [
    `SET ${Object.entries({ ...ANSWER_SETTINGS, ...FORMAT })
      .map(([setting, value]) => `${setting} = ${typeof value === "string" ? `'${value}'` : value}`)
      .join(", ")}`,
    "CREATE DATABASE lake",
    ...tables(project),
  ],
  zone: (zone) => [`SET session_timezone = '${zone}'`],
});

/** The base relation of a statement, over the tables of the lake. */
export const baseRelation = (need: Need): string => {
  if (need.table === "table" || need.table === "list") throw new Defect(`no case reads a ${need.table} of its own`);
  return `${need.name} AS (SELECT ${need.columns.map((column) => `\`${column}\``).join(", ")} FROM lake.${need.table})`;
};

const TYPES: Readonly<Record<ColumnKind, string>> = {
  uuid: "UUID",
  text: "String",
  optional: "Nullable(String)",
  number: "Nullable(Float64)",
  timestamp: "DateTime64(6, 'UTC')",
  int64: "Int64",
  int32: "Int32",
  boolean: "Bool",
};

const TIME = TYPES.timestamp;

const tables = ({ events, persons, distinctIds, groups }: Project): readonly string[] => {
  const people = new Map(distinctIds.map(({ distinct_id, person_id }) => [distinct_id, person_id]));
  return [
    `CREATE TABLE lake.events (${EVENT_COLUMNS.map(({ name, kind }) => `\`${name}\` ${TYPES[kind]}`).join(", ")}) ENGINE = Memory`,
    `CREATE TABLE lake.persons (person_id UUID, created_at ${TIME}, properties String, is_identified Bool, last_seen_at ${TIME}) ENGINE = Memory`,
    "CREATE TABLE lake.person_distinct_ids (distinct_id String, person_id UUID) ENGINE = Memory",
    `CREATE TABLE lake.groups (\`index\` Int32, \`key\` String, created_at ${TIME}, updated_at ${TIME}, properties String) ENGINE = Memory`,
    insert(
      "events",
      events.map((row) => ({
        ...Object.fromEntries(EVENT_COLUMNS.map((column) => [column.name, cell(column.kind, column.of(row))])),
        person_id: people.get(row.distinct_id) ?? row.person_id,
      })),
    ),
    insert(
      "persons",
      persons.map((person) => ({ ...person, created_at: stamp(person.created_at), last_seen_at: stamp(person.last_seen_at) })),
    ),
    insert("person_distinct_ids", distinctIds),
    insert(
      "groups",
      groups.map((group) => ({ ...group, created_at: stamp(group.created_at), updated_at: stamp(group.updated_at) })),
    ),
  ];
};

const stamp = (micros: bigint): string => isoTimestamp(micros, "UTC");

const cell = (kind: ColumnKind, value: string | number | bigint | boolean | null): string | number | boolean | null => {
  if (typeof value !== "bigint") return value;
  return kind === "timestamp" ? stamp(value) : String(value);
};

const insert = (table: string, rows: readonly object[]): string =>
  `INSERT INTO lake.${table} FORMAT JSONEachRow ${rows.map((row) => JSON.stringify(row)).join("\n")}`;
