import { isoTimestamp } from "../../lib/engine/query/timestamps.ts";
import { type OpenGolden, openGolden, type StateTables } from "../golden/harness.ts";
import type { Project } from "./project.ts";

/** The project behind our own path: parsed queries are lowered and run by DuckDB. */
export const openOurs = ({ events, ...state }: Project): Promise<OpenGolden> => openGolden(events, stateOf(state));

const stateOf = ({ persons, distinctIds, groups }: Omit<Project, "events">): StateTables => ({
  persons: table(
    persons.map(({ person_id, created_at, properties, is_identified, last_seen_at }) => [
      `'${person_id}'::UUID`,
      time(created_at),
      text(properties),
      String(is_identified),
      time(last_seen_at),
    ]),
    ["person_id", "created_at", "properties", "is_identified", "last_seen_at"],
  ),
  person_distinct_ids: table(
    distinctIds.map(({ distinct_id, person_id }) => [text(distinct_id), `'${person_id}'::UUID`]),
    ["distinct_id", "person_id"],
  ),
  groups: table(
    groups.map(({ index, key, created_at, updated_at, properties }) => [
      String(index),
      text(key),
      time(created_at),
      time(updated_at),
      text(properties),
    ]),
    ["index", "key", "created_at", "updated_at", "properties"],
  ),
});

const table = (rows: readonly (readonly string[])[], columns: readonly string[]): string =>
  `SELECT * FROM (VALUES ${rows.map((row) => `(${row.join(", ")})`).join(", ")}) t(${columns.map((column) => `"${column}"`).join(", ")})`;

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;
const time = (micros: bigint): string => `TIMESTAMPTZ '${isoTimestamp(micros, "UTC")}'`;
