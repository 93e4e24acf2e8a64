import type { EventColumn } from "../../../event/event.ts";
import type { Kind } from "../piece.ts";
import type { Statement } from "../statement.ts";
import { local, newOutputs } from "./outputs.ts";
import { type Members, type Relation, value } from "./relation.ts";

/** A column of the events that a session is made of; of a hot column, NULL where it is empty. */
type ColumnOf = (column: EventColumn) => string;

/** An aggregate over a session's events. */
interface SessionColumn {
  readonly kind: Kind;
  readonly sql: (t: ColumnOf) => string;
}

const PAGES = "IN ('$pageview', '$screen')";
const isPage = (t: ColumnOf): string => `${t("event")} ${PAGES}`;

const first =
  (column: EventColumn): SessionColumn["sql"] =>
  (t) =>
    `argMin(${t(column)}, ${t("timestamp")})`;
const last =
  (column: EventColumn): SessionColumn["sql"] =>
  (t) =>
    `argMax(${t(column)}, ${t("timestamp")})`;
const firstPage =
  (column: EventColumn): SessionColumn["sql"] =>
  (t) =>
    `argMinIf(${t(column)}, ${t("timestamp")}, ${isPage(t)})`;
const lastPage =
  (column: EventColumn): SessionColumn["sql"] =>
  (t) =>
    `argMaxIf(${t(column)}, ${t("timestamp")}, ${isPage(t)})`;

const text = (sql: SessionColumn["sql"]): SessionColumn => ({ kind: "text", sql });
const number = (sql: SessionColumn["sql"]): SessionColumn => ({ kind: "number", sql });
const other = (sql: SessionColumn["sql"]): SessionColumn => ({ kind: "other", sql });
const uuid = (sql: SessionColumn["sql"]): SessionColumn => ({ kind: "uuid", sql });
const time = (sql: SessionColumn["sql"]): SessionColumn => ({ kind: "time", sql });

const count = (event: string): SessionColumn => number((t) => `countIf(${t("event")} = '${event}')`);
const has = (column: EventColumn): SessionColumn => other((t) => `toBool(ifNull(${first(column)(t)}, '') != '')`);
const SECONDS: SessionColumn["sql"] = (t) => `dateDiff('second', min(${t("timestamp")}), max(${t("timestamp")}))`;
const START = time((t) => `min(${t("timestamp")})`);
const ID: SessionColumn["sql"] = (t) => `assumeNotNull(${t("session_id")})`;

/** How a visit came, by the campaign and the referrer it began with, which are columns of sessions; NULL where there is no session. */
const channel = (read: (column: string) => string): string => {
  const text = (column: string): string => `ifNull(${read(column)}, '')`;
  const [click, medium, source] = [text("$entry_gclid"), `lower(${text("$entry_utm_medium")})`, `lower(${text("$entry_utm_source")})`];
  const referrer = `ifNull(${read("$entry_referring_domain")}, '$direct')`;
  const domain = `lower(${referrer})`;
  return `multiIf(isNull(${read("session_id")}), NULL,
 ${click} != '' OR ${medium} IN ('cpc', 'cpm', 'cpv', 'cpa', 'ppc', 'retargeting') OR startsWith(${medium}, 'paid'),
  multiIf(${click} != '' OR match(${source}, 'google|bing|yahoo|duckduckgo'), 'Paid Search',
   match(${source}, 'facebook|instagram|twitter|linkedin|tiktok'), 'Paid Social', 'Paid Unknown'),
 ${medium} = 'email' OR ${source} = 'email', 'Email',
 ${medium} = 'affiliate', 'Affiliate',
 ${referrer} IN ('$direct', '') AND ${source} = '', 'Direct',
 match(${domain}, '(^|\\\\.)(google|bing|yahoo|duckduckgo|baidu|ecosia|yandex)\\\\.'), 'Organic Search',
 match(${domain}, '(^|\\\\.)(facebook|instagram|twitter|linkedin|tiktok|reddit|t\\\\.co|x)\\\\.?'), 'Organic Social',
 ${referrer} != '$direct', 'Referral', 'Unknown')`;
};

/** All columns of sessions, by the names that queries use; those of `*` first. */
const COLUMNS: ReadonlyMap<string, SessionColumn> = new Map<string, SessionColumn>([
  ["session_id", text(ID)],
  ["session_id_v7", uuid((t) => `toUUIDOrNull(${ID(t)})`)],
  ["session_timestamp", START],
  ["distinct_id", text(last("distinct_id"))],
  ["person_id", uuid(last("person_id"))],
  ["$start_timestamp", START],
  ["$end_timestamp", time((t) => `max(${t("timestamp")})`)],
  ["max_inserted_at", time((t) => `max(${t("created_at")})`)],
  ["$urls", other((t) => `groupUniqArray(${t("hot_current_url")})`)],
  ["$num_uniq_urls", number((t) => `uniqExact(${t("hot_current_url")})`)],
  ["$entry_current_url", text(firstPage("hot_current_url"))],
  ["$entry_pathname", text(firstPage("hot_pathname"))],
  ["$entry_hostname", text(firstPage("hot_host"))],
  ["$end_current_url", text(lastPage("hot_current_url"))],
  ["$end_pathname", text(lastPage("hot_pathname"))],
  ["$end_hostname", text(lastPage("hot_host"))],
  ["$exit_current_url", text(lastPage("hot_current_url"))],
  ["$exit_pathname", text(lastPage("hot_pathname"))],
  ["$entry_referring_domain", text(first("hot_referring_domain"))],
  ["$last_external_click_url", text(last("hot_external_click_url"))],
  ["$entry_utm_source", text(first("hot_utm_source"))],
  ["$entry_utm_campaign", text(first("hot_utm_campaign"))],
  ["$entry_utm_medium", text(first("hot_utm_medium"))],
  ["$entry_utm_term", text(first("hot_utm_term"))],
  ["$entry_utm_content", text(first("hot_utm_content"))],
  ["$entry_gclid", text(first("hot_gclid"))],
  ["$entry_gad_source", text(first("hot_gad_source"))],
  ["$entry_fbclid", text(first("hot_fbclid"))],
  ["$entry_has_gclid", has("hot_gclid")],
  ["$entry_has_gad_source", has("hot_gad_source")],
  ["$entry_has_fbclid", has("hot_fbclid")],
  ["$pageview_count", count("$pageview")],
  ["$autocapture_count", count("$autocapture")],
  ["$screen_count", count("$screen")],
  ["$session_duration", number(SECONDS)],
  ["$is_bounce", other((t) => `toBool(countIf(${isPage(t)}) <= 1 AND countIf(${t("event")} = '$autocapture') = 0 AND ${SECONDS(t)} < 10)`)],
  ["id", text(ID)],
  ["duration", number(SECONDS)],
]);

const CHANNEL = "$channel_type";
const ALIASES = ["id", "duration"];
/** In `*` the channel stands before the duration. */
const STAR: readonly string[] = [...COLUMNS.keys()].flatMap((column) => {
  if (ALIASES.includes(column)) return [];
  return column === "$session_duration" ? [CHANNEL, column] : [column];
});

/** Sessions: an aggregate over the events that carry a session's id, of which only what is named is computed. */
export const sessionsRelation = (statement: Statement, name: string | null): Relation & { readonly id: () => string } => {
  const outputs = newOutputs(statement);
  const events = statement.alias();
  const read: ColumnOf = (column) => {
    statement.read("events", [column]);
    const sql = `${events}.${column}`;
    return column.startsWith("hot_") ? `nullIf(${sql}, '')` : sql;
  };
  const output = (called: string, { kind, sql }: SessionColumn): string => {
    const computed = sql(read);
    return outputs.put(called.replace("$", ""), kind === "time" ? local(statement, computed) : computed);
  };
  const column = (called: string): string => {
    const found = COLUMNS.get(called);
    return found === undefined ? "NULL" : output(called, found);
  };
  const member: Members = (called) => {
    if (called === CHANNEL) return value({ sql: channel(column), kind: "text" });
    const found = COLUMNS.get(called);
    return found === undefined ? undefined : value({ sql: output(called, found), kind: found.kind });
  };
  return {
    name,
    member,
    star: STAR,
    id: () => outputs.put("session_id", ID(read)),
    from: () => {
      const id = read("session_id");
      return outputs.from(`FROM ${statement.read("events", [])} AS ${events} WHERE ${id} != '' GROUP BY ${id}`);
    },
  };
};
