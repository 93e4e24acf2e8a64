import type { LoweringContext } from "../analysis/context.ts";
import { physical } from "../analysis/duckdb-types.ts";
import { column, ident, separated, sql } from "../sql/fragment.ts";
import { BOOLEAN, DATE, DATETIME64, FLOAT, INT64, STRING, type Type, UINT64, UUID } from "../types.ts";
import type { Relation } from "./relation.ts";

type Columns = ReadonlyMap<string, Type>;

const COHORT: Columns = new Map([
  ["person_id", UUID],
  ["cohort_id", INT64],
]);

/** Tables of products that are not part of the platform: queries that name them are right, and find nothing. */
export const EMPTY_TABLES: ReadonlyMap<string, Columns> = new Map<string, Columns>([
  ["cohort_people", COHORT],
  ["static_cohort_people", COHORT],
  [
    "session_replay_events",
    new Map([
      ["session_id", STRING],
      ["distinct_id", STRING],
      ["min_first_timestamp", DATETIME64],
      ["max_last_timestamp", DATETIME64],
      ["start_time", DATETIME64],
      ["end_time", DATETIME64],
      ["first_url", STRING],
      ["click_count", INT64],
      ["keypress_count", INT64],
      ["mouse_activity_count", INT64],
      ["active_milliseconds", INT64],
      ["console_log_count", INT64],
      ["console_warn_count", INT64],
      ["console_error_count", INT64],
      ["size", INT64],
      ["event_count", INT64],
      ["message_count", INT64],
      ["snapshot_source", STRING],
    ]),
  ],
  [
    "heatmaps",
    new Map([
      ["session_id", STRING],
      ["distinct_id", STRING],
      ["timestamp", DATETIME64],
      ["type", STRING],
      ["x", INT64],
      ["y", INT64],
      ["scale_factor", INT64],
      ["viewport_width", INT64],
      ["viewport_height", INT64],
      ["pointer_target_fixed", BOOLEAN],
      ["current_url", STRING],
    ]),
  ],
  [
    "log_entries",
    new Map([
      ["log_source", STRING],
      ["log_source_id", STRING],
      ["instance_id", STRING],
      ["timestamp", DATETIME64],
      ["level", STRING],
      ["message", STRING],
    ]),
  ],
  [
    "app_metrics",
    new Map([
      ["app_source", STRING],
      ["app_source_id", STRING],
      ["instance_id", STRING],
      ["timestamp", DATETIME64],
      ["metric_kind", STRING],
      ["metric_name", STRING],
      ["count", UINT64],
    ]),
  ],
  [
    "exchange_rate",
    new Map([
      ["currency", STRING],
      ["date", DATE],
      ["rate", FLOAT],
    ]),
  ],
]);

/** A table without rows. */
export const emptyTable = (context: LoweringContext, name: string, columns: Columns): Relation => {
  const table = context.alias("z");
  return {
    name,
    described: name,
    star: [...columns.keys()],
    names: () => columns.keys(),
    member: (member) => {
      const type = columns.get(member);
      return type === undefined
        ? undefined
        : { kind: "value", expression: { tree: column(table, member), type, nullable: false, ungroupedColumn: member } };
    },
    joins: () => false,
    from: () => {
      const listed = [...columns].map(([name, type]) => sql`NULL::${physical(type)} AS ${ident(name)}`);
      return sql`(SELECT ${separated(listed)} WHERE false) AS ${table}`;
    },
  };
};
