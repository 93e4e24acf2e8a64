import type { Expression } from "../analysis/expression.ts";
import type { Run } from "../analysis/run.ts";
import type { EventBounds } from "../analysis/scans.ts";
import { arrayOf, BOOLEAN, DATETIME64, INT64, STRING, type Type, UINT64, UUID } from "../analysis/types.ts";
import type { EventColumn } from "../lowered.ts";
import type { JoinBase } from "./events.ts";
import type { Relation } from "./relation.ts";

interface SessionColumn {
  readonly reads: readonly EventColumn[];
  readonly type: Type;
  readonly nullable: boolean;
  /** The aggregate over the session's events; `t` is their relation. */
  readonly sql: string;
}

const PAGE = "event IN ('$pageview', '$screen')";
const first = (column: string, where = ""): string => `arg_min(${column}, "timestamp")${where}`;
const last = (column: string, where = ""): string => `arg_max(${column}, "timestamp")${where}`;
const onPages = ` FILTER (WHERE ${PAGE})`;
const START = `min("timestamp")`;
const END = `max("timestamp")`;
const SECONDS = `(epoch_us(${END}) - epoch_us(${START})) // 1000000`;
const PAGES = "count(*) FILTER (WHERE event = '$pageview')";

const text = (sql: string, ...reads: readonly EventColumn[]): SessionColumn => ({ reads, type: STRING, nullable: true, sql });
const count = (event: string): SessionColumn => ({
  reads: ["event"],
  type: UINT64,
  nullable: false,
  sql: `count(*) FILTER (WHERE event = '${event}')`,
});
const entry = (column: EventColumn): SessionColumn => text(first(column), column, "timestamp");
const has = (column: EventColumn): SessionColumn => ({
  reads: [column, "timestamp"],
  type: BOOLEAN,
  nullable: false,
  sql: `coalesce(${first(column)}, '') <> ''`,
});
const duration: SessionColumn = { reads: ["timestamp"], type: INT64, nullable: false, sql: SECONDS };
const start: SessionColumn = { reads: ["timestamp"], type: DATETIME64, nullable: false, sql: START };

/** A session in which nothing happened: one page, no click, and less than ten seconds. */
const BOUNCE = `(count(*) FILTER (WHERE ${PAGE}) <= 1 AND count(*) FILTER (WHERE event = '$autocapture') = 0 AND ${SECONDS} < 10)`;

/** How a visit came, by the campaign and the referrer it began with. */
const CHANNEL = `(CASE
 WHEN coalesce(${first("hot_gclid")}, '') <> '' OR lower(${first("hot_utm_medium")}) IN ('cpc', 'cpm', 'cpv', 'cpa', 'ppc', 'retargeting') OR lower(${first("hot_utm_medium")}) LIKE 'paid%' THEN
  CASE WHEN coalesce(${first("hot_gclid")}, '') <> '' THEN 'Paid Search' WHEN regexp_matches(lower(${first("hot_utm_source")}), 'google|bing|yahoo|duckduckgo') THEN 'Paid Search'
   WHEN regexp_matches(lower(${first("hot_utm_source")}), 'facebook|instagram|twitter|linkedin|tiktok') THEN 'Paid Social' ELSE 'Paid Unknown' END
 WHEN lower(${first("hot_utm_medium")}) = 'email' OR lower(${first("hot_utm_source")}) = 'email' THEN 'Email'
 WHEN lower(${first("hot_utm_medium")}) = 'affiliate' THEN 'Affiliate'
 WHEN coalesce(${first("hot_referring_domain")}, '$direct') IN ('$direct', '') AND ${first("hot_utm_source")} IS NULL THEN 'Direct'
 WHEN regexp_matches(lower(${first("hot_referring_domain")}), '(^|\\.)(google|bing|yahoo|duckduckgo|baidu|ecosia|yandex)\\.') THEN 'Organic Search'
 WHEN regexp_matches(lower(${first("hot_referring_domain")}), '(^|\\.)(facebook|instagram|twitter|linkedin|tiktok|reddit|t\\.co|x)\\.?') THEN 'Organic Social'
 WHEN ${first("hot_referring_domain")} IS NOT NULL AND ${first("hot_referring_domain")} <> '$direct' THEN 'Referral'
 ELSE 'Unknown' END)`;

const CAMPAIGN = ["hot_gclid", "hot_utm_medium", "hot_utm_source", "hot_referring_domain", "timestamp"] as const;

const COLUMNS: ReadonlyMap<string, SessionColumn> = new Map<string, SessionColumn>([
  ["session_id", { reads: [], type: STRING, nullable: false, sql: "session_id" }],
  ["id", { reads: [], type: STRING, nullable: false, sql: "session_id" }],
  ["session_id_v7", { reads: [], type: UUID, nullable: true, sql: "TRY_CAST(session_id AS UUID)" }],
  ["session_timestamp", start],
  ["distinct_id", { reads: ["distinct_id", "timestamp"], type: STRING, nullable: false, sql: last("distinct_id") }],
  ["person_id", { reads: ["person_id", "timestamp"], type: UUID, nullable: false, sql: last("person_id") }],
  ["$start_timestamp", start],
  ["$end_timestamp", { ...start, sql: END }],
  ["max_inserted_at", { reads: ["created_at"], type: DATETIME64, nullable: false, sql: "max(created_at)" }],
  [
    "$urls",
    {
      reads: ["hot_current_url"],
      type: arrayOf(STRING),
      nullable: false,
      sql: "coalesce(list(DISTINCT hot_current_url) FILTER (WHERE hot_current_url IS NOT NULL), [])",
    },
  ],
  ["$num_uniq_urls", { reads: ["hot_current_url"], type: UINT64, nullable: false, sql: "count(DISTINCT hot_current_url)" }],
  ["$entry_current_url", text(first("hot_current_url", onPages), "hot_current_url", "timestamp", "event")],
  ["$entry_pathname", text(first("hot_pathname", onPages), "hot_pathname", "timestamp", "event")],
  ["$entry_hostname", text(first("hot_host", onPages), "hot_host", "timestamp", "event")],
  ["$end_current_url", text(last("hot_current_url", onPages), "hot_current_url", "timestamp", "event")],
  ["$end_pathname", text(last("hot_pathname", onPages), "hot_pathname", "timestamp", "event")],
  ["$end_hostname", text(last("hot_host", onPages), "hot_host", "timestamp", "event")],
  ["$exit_current_url", text(last("hot_current_url", onPages), "hot_current_url", "timestamp", "event")],
  ["$exit_pathname", text(last("hot_pathname", onPages), "hot_pathname", "timestamp", "event")],
  ["$entry_referring_domain", entry("hot_referring_domain")],
  ["$last_external_click_url", text(last("hot_external_click_url"), "hot_external_click_url", "timestamp")],
  ["$entry_utm_source", entry("hot_utm_source")],
  ["$entry_utm_campaign", entry("hot_utm_campaign")],
  ["$entry_utm_medium", entry("hot_utm_medium")],
  ["$entry_utm_term", entry("hot_utm_term")],
  ["$entry_utm_content", entry("hot_utm_content")],
  ["$entry_gclid", entry("hot_gclid")],
  ["$entry_gad_source", entry("hot_gad_source")],
  ["$entry_fbclid", entry("hot_fbclid")],
  ["$entry_has_gclid", has("hot_gclid")],
  ["$entry_has_gad_source", has("hot_gad_source")],
  ["$entry_has_fbclid", has("hot_fbclid")],
  ["$pageview_count", { ...count("$pageview"), sql: PAGES }],
  ["$autocapture_count", count("$autocapture")],
  ["$screen_count", count("$screen")],
  ["$channel_type", { reads: CAMPAIGN, type: STRING, nullable: false, sql: CHANNEL }],
  ["$session_duration", duration],
  ["duration", duration],
  ["$is_bounce", { reads: ["event", "timestamp"], type: BOOLEAN, nullable: false, sql: BOUNCE }],
]);

const ALIASES = new Set(["id", "duration"]);
const STAR = [...COLUMNS.keys()].filter((name) => !ALIASES.has(name));

/** Sessions: an aggregate over the events that carry a session's id, of which only what is named is computed. */
const sessions = (run: Run, name: string | null, follows: EventBounds | null, optional: boolean) => {
  const bounds: EventBounds = { from: null, to: null, events: null, distinctIds: null };
  const draft = run.events(follows ?? bounds);
  draft.columns.add("session_id");
  const table = run.fresh("s");
  const outputs = new Map<string, string>();
  const output = (sql: string): string => {
    const known = outputs.get(sql) ?? run.fresh("s_");
    outputs.set(sql, known);
    return known;
  };
  const columnValue = (member: string, column: SessionColumn): Expression => {
    for (const read of column.reads) draft.columns.add(read);
    const origin = column.sql === START && follows === null ? { origin: { bounds, column: "timestamp", below: 0n } as const } : {};
    return { sql: `${table}.${output(column.sql)}`, type: column.type, nullable: column.nullable || optional, loose: member, ...origin };
  };
  const relation: Relation = {
    name,
    described: "sessions",
    star: STAR,
    names: () => COLUMNS.keys(),
    member: (member) => {
      const column = COLUMNS.get(member);
      return column === undefined ? undefined : { kind: "value", expression: columnValue(member, column) };
    },
    from: () => {
      const listed = [...outputs].map(([sql, as]) => `${sql} AS ${as}`);
      return `(SELECT ${listed.length === 0 ? "session_id" : listed.join(", ")} FROM ${draft.name} AS t WHERE session_id IS NOT NULL AND session_id <> '' GROUP BY session_id) AS ${table}`;
    },
  };
  return { relation, table, output };
};

export const sessionsTable = (run: Run, name: string | null): Relation => sessions(run, name ?? "sessions", null, false).relation;

/** The session of an event: over the events of the same range, widened by the longest session. */
export const sessionsOf = (run: Run, base: JoinBase): Relation => {
  const { relation, table, output } = sessions(run, null, base.draft.bounds, true);
  const id = output("session_id");
  base.join(run.defer(`join ${table}`, () => ` LEFT JOIN ${relation.from()} ON ${table}.${id} = ${base.column("session_id")}`));
  base.column("session_id");
  return relation;
};
