import { EMPTY_TABLES } from "../../../lib/hogql/schema/empty.ts";
import { typeName } from "../../../lib/hogql/types.ts";
import type { Kind } from "./piece.ts";

/** A column of a table, subquery or CTE as a query sees it. */
export interface Column {
  readonly name: string;
  readonly kind: Kind;
  /** JSON text, whose properties are those of this owner. */
  readonly json?: Owner;
}

type Owner = "event" | "person" | "group_0" | "group_1" | "group_2" | "group_3" | "group_4";

/** Something after FROM, by the name that the query knows it by. */
export interface Relation {
  readonly name: string;
  readonly columns: readonly Column[];
  /** Columns of `*`; all by default. */
  readonly star?: readonly string[];
}

const column = (name: string, kind: Kind = "other"): Column => ({ name, kind });
const times = (...names: readonly string[]): readonly Column[] => names.map((name) => column(name, "time"));
const texts = (...names: readonly string[]): readonly Column[] => names.map((name) => column(name, "text"));
const numbers = (...names: readonly string[]): readonly Column[] => names.map((name) => column(name, "number"));

const properties = (owner: Owner): Column => ({ name: "properties", kind: "text", json: owner });

const PERSONS = [column("id"), ...times("created_at"), properties("person"), column("is_identified"), ...times("last_seen_at")];
const DISTINCT_IDS = [...texts("distinct_id"), column("person_id")];
const groups = (owner: Owner): readonly Column[] => [
  ...numbers("index"),
  ...texts("key"),
  ...times("created_at", "updated_at"),
  properties(owner),
];

const URLS = [
  "$entry_current_url",
  "$entry_pathname",
  "$entry_hostname",
  "$end_current_url",
  "$end_pathname",
  "$end_hostname",
  "$exit_current_url",
  "$exit_pathname",
  "$entry_referring_domain",
  "$last_external_click_url",
  "$entry_utm_source",
  "$entry_utm_campaign",
  "$entry_utm_medium",
  "$entry_utm_term",
  "$entry_utm_content",
  "$entry_gclid",
  "$entry_gad_source",
  "$entry_fbclid",
];

const SESSIONS = [
  ...texts("session_id"),
  column("session_id_v7"),
  ...times("session_timestamp"),
  ...texts("distinct_id"),
  column("person_id"),
  ...times("$start_timestamp", "$end_timestamp", "max_inserted_at"),
  column("$urls"),
  ...numbers("$num_uniq_urls"),
  ...texts(...URLS),
  column("$entry_has_gclid"),
  column("$entry_has_gad_source"),
  column("$entry_has_fbclid"),
  ...numbers("$pageview_count", "$autocapture_count", "$screen_count"),
  ...texts("$channel_type"),
  ...numbers("$session_duration"),
  column("$is_bounce"),
];

const EVENTS = [
  column("uuid"),
  ...texts("event"),
  properties("event"),
  ...times("timestamp"),
  ...texts("distinct_id", "elements_chain"),
  ...times("created_at"),
  ...texts("$session_id", "$window_id", "person_mode", "$group_0", "$group_1", "$group_2", "$group_3", "$group_4", "elements_chain_href"),
  column("elements_chain_texts"),
  column("elements_chain_ids"),
  column("elements_chain_elements"),
];

const under = (prefix: string, columns: readonly Column[]): readonly Column[] =>
  columns.map((inner) => ({ ...inner, name: `${prefix}.${inner.name}` }));

const ALL_SESSIONS = [...SESSIONS, ...texts("id"), ...numbers("duration")];

/** The tables as they lie in ClickHouse: what is joined in the language stands in columns whose names have a dot. */
const TABLES: ReadonlyMap<string, readonly [star: readonly Column[], others: readonly Column[]]> = new Map<
  string,
  readonly [readonly Column[], readonly Column[]]
>([
  [
    "events",
    [
      EVENTS,
      [
        column("$session_id_uuid"),
        column("person_id"),
        ...under("person", PERSONS),
        ...under("pdi", DISTINCT_IDS),
        ...(["group_0", "group_1", "group_2", "group_3", "group_4"] as const).flatMap((slot) => under(slot, groups(slot))),
        ...under("session", ALL_SESSIONS),
      ],
    ],
  ],
  ["persons", [PERSONS, []]],
  ["persons_pdi", [PERSONS, under("pdi", DISTINCT_IDS)]],
  ["person_distinct_ids", [DISTINCT_IDS, under("person", PERSONS)]],
  ["groups", [groups("group_0"), []]],
  ["sessions", [SESSIONS, [...texts("id"), ...numbers("duration")]]],
  ["numbers", [numbers("number"), []]],
  ...[...EMPTY_TABLES].map(([table, types]) => [table, [[...types.keys()].map((name) => column(name)), []]] as const),
]);

/** Columns of the tables that are always empty, as ClickHouse declares them. */
export const emptyTables: readonly (readonly [table: string, columns: string])[] = [...EMPTY_TABLES].map(([table, columns]) => [
  table,
  [...columns].map(([name, type]) => `\`${name}\` ${typeName(type)}`).join(", "),
]);

export const tableRelation = (table: string, name: string): Relation | undefined => {
  const found = TABLES.get(table);
  if (found === undefined) return undefined;
  const [star, others] = found;
  return { name, columns: [...star, ...others], star: star.map((one) => one.name) };
};
