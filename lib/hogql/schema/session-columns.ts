import type { EventColumn } from "../../event/event.ts";
import { type Sql, sql } from "../sql/fragment.ts";
import { arrayType, BOOLEAN, DATETIME64, INT64, STRING, type Type, UINT64, UUID } from "../types.ts";

/** A column of the events that a session is made of. */
type ColumnOf = (column: EventColumn) => Sql;

/** A column of sessions. */
export interface SessionColumn {
  readonly type: Type;
  readonly nullable: boolean;
  /** The aggregate over the session's events. */
  readonly tree: (t: ColumnOf) => Sql;
  /** It is the time of the session's first event. */
  readonly isStart?: true;
}

const isPage: SessionColumn["tree"] = (t) => sql`${t("event")} IN ('$pageview', '$screen')`;
const ON_PAGES: SessionColumn["tree"] = (t) => sql` FILTER (WHERE ${isPage(t)})`;
const EVERYWHERE: SessionColumn["tree"] = () => sql``;

const first =
  (column: EventColumn, where = EVERYWHERE): SessionColumn["tree"] =>
  (t) =>
    sql`arg_min(${t(column)}, ${t("timestamp")})${where(t)}`;
const last =
  (column: EventColumn, where = EVERYWHERE): SessionColumn["tree"] =>
  (t) =>
    sql`arg_max(${t(column)}, ${t("timestamp")})${where(t)}`;
const START: SessionColumn["tree"] = (t) => sql`min(${t("timestamp")})`;
const END: SessionColumn["tree"] = (t) => sql`max(${t("timestamp")})`;
/** As `dateDiff('second', start, end)` counts: the seconds that begin in between. */
const SECONDS: SessionColumn["tree"] = (t) => sql`(${epochSecond(END(t))} - ${epochSecond(START(t))})`;
const epochSecond = (time: Sql): Sql => sql`((epoch_us(${time}) - ((epoch_us(${time}) % 1000000) + 1000000) % 1000000) // 1000000)`;

const text = (tree: SessionColumn["tree"]): SessionColumn => ({ type: STRING, nullable: true, tree });
const count = (event: Sql): SessionColumn => ({
  type: UINT64,
  nullable: false,
  tree: (t) => sql`count(*) FILTER (WHERE ${t("event")} = ${event})`,
});
const entry = (column: EventColumn): SessionColumn => text(first(column));
const has = (column: EventColumn): SessionColumn => ({
  type: BOOLEAN,
  nullable: false,
  tree: (t) => sql`coalesce(${first(column)(t)}, '') <> ''`,
});
const duration: SessionColumn = { type: INT64, nullable: false, tree: SECONDS };
const start: SessionColumn = { type: DATETIME64, nullable: false, tree: START, isStart: true };

/** A session in which nothing happened: one page, no click, and less than ten seconds. */
const BOUNCE: SessionColumn["tree"] = (t) =>
  sql`(count(*)${ON_PAGES(t)} <= 1 AND count(*) FILTER (WHERE ${t("event")} = '$autocapture') = 0 AND ${SECONDS(t)} < 10)`;

/** How a visit came, by the campaign and the referrer it began with. */
const CHANNEL: SessionColumn["tree"] = (t) => {
  const [click, medium, source, referrer] = [
    first("hot_gclid")(t),
    first("hot_utm_medium")(t),
    first("hot_utm_source")(t),
    first("hot_referring_domain")(t),
  ];
  return sql`(CASE
 WHEN coalesce(${click}, '') <> '' OR lower(${medium}) IN ('cpc', 'cpm', 'cpv', 'cpa', 'ppc', 'retargeting') OR lower(${medium}) LIKE 'paid%' THEN
  CASE WHEN coalesce(${click}, '') <> '' THEN 'Paid Search' WHEN regexp_matches(lower(${source}), 'google|bing|yahoo|duckduckgo') THEN 'Paid Search'
   WHEN regexp_matches(lower(${source}), 'facebook|instagram|twitter|linkedin|tiktok') THEN 'Paid Social' ELSE 'Paid Unknown' END
 WHEN lower(${medium}) = 'email' OR lower(${source}) = 'email' THEN 'Email'
 WHEN lower(${medium}) = 'affiliate' THEN 'Affiliate'
 WHEN coalesce(${referrer}, '$direct') IN ('$direct', '') AND ${source} IS NULL THEN 'Direct'
 WHEN regexp_matches(lower(${referrer}), '(^|\\.)(google|bing|yahoo|duckduckgo|baidu|ecosia|yandex)\\.') THEN 'Organic Search'
 WHEN regexp_matches(lower(${referrer}), '(^|\\.)(facebook|instagram|twitter|linkedin|tiktok|reddit|t\\.co|x)\\.?') THEN 'Organic Social'
 WHEN ${referrer} IS NOT NULL AND ${referrer} <> '$direct' THEN 'Referral'
 ELSE 'Unknown' END)`;
};

/** All columns of sessions, by the names that queries use. */
export const SESSION_COLUMNS: ReadonlyMap<string, SessionColumn> = new Map<string, SessionColumn>([
  ["session_id", { type: STRING, nullable: false, tree: (t) => t("session_id") }],
  ["id", { type: STRING, nullable: false, tree: (t) => t("session_id") }],
  ["session_id_v7", { type: UUID, nullable: true, tree: (t) => sql`TRY_CAST(${t("session_id")} AS UUID)` }],
  ["session_timestamp", start],
  ["distinct_id", { type: STRING, nullable: false, tree: last("distinct_id") }],
  ["person_id", { type: UUID, nullable: false, tree: last("person_id") }],
  ["$start_timestamp", start],
  ["$end_timestamp", { type: DATETIME64, nullable: false, tree: END }],
  ["max_inserted_at", { type: DATETIME64, nullable: false, tree: (t) => sql`max(${t("created_at")})` }],
  [
    "$urls",
    {
      type: arrayType(STRING),
      nullable: false,
      tree: (t) => {
        const url = t("hot_current_url");
        return sql`coalesce(list(DISTINCT ${url}) FILTER (WHERE ${url} IS NOT NULL), [])`;
      },
    },
  ],
  ["$num_uniq_urls", { type: UINT64, nullable: false, tree: (t) => sql`count(DISTINCT ${t("hot_current_url")})` }],
  ["$entry_current_url", text(first("hot_current_url", ON_PAGES))],
  ["$entry_pathname", text(first("hot_pathname", ON_PAGES))],
  ["$entry_hostname", text(first("hot_host", ON_PAGES))],
  ["$end_current_url", text(last("hot_current_url", ON_PAGES))],
  ["$end_pathname", text(last("hot_pathname", ON_PAGES))],
  ["$end_hostname", text(last("hot_host", ON_PAGES))],
  ["$exit_current_url", text(last("hot_current_url", ON_PAGES))],
  ["$exit_pathname", text(last("hot_pathname", ON_PAGES))],
  ["$entry_referring_domain", entry("hot_referring_domain")],
  ["$last_external_click_url", text(last("hot_external_click_url"))],
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
  ["$pageview_count", count(sql`'$pageview'`)],
  ["$autocapture_count", count(sql`'$autocapture'`)],
  ["$screen_count", count(sql`'$screen'`)],
  ["$channel_type", { type: STRING, nullable: false, tree: CHANNEL }],
  ["$session_duration", duration],
  ["duration", duration],
  ["$is_bounce", { type: BOOLEAN, nullable: false, tree: BOUNCE }],
]);
