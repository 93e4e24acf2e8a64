import { isoTimestamp } from "../../lib/engine/query/timestamps.ts";
import { GROUP_SLOTS } from "../../lib/event/event.ts";
import type { SetUp } from "./clickhouse.ts";
import { propertySql } from "./printer/property.ts";
import { emptyTables } from "./printer/relations.ts";
import type { Project } from "./project.ts";

/** Times as ISO text in UTC, NaN and infinities as null, tuples as lists: what our own JSON has. */
const SETTINGS = {
  output_format_json_quote_64bit_integers: 0,
  output_format_json_quote_denormals: 0,
  output_format_json_quote_decimals: 0,
  output_format_json_named_tuples_as_objects: 0,
  date_time_output_format: "'iso'",
  date_time_input_format: "'best_effort'",
  // Unmatched sides of outer joins are NULL.
  join_use_nulls: 1,
  // `CAST(x AS T)` of NULL is NULL.
  cast_keep_nullable: 1,
  // Periods begin before 1970 and end after 2149 where the calendar says so.
  enable_extended_results_for_datetime_functions: 1,
  // It would make `max(x + 9)` of no rows `max(x) + 9`.
  optimize_arithmetic_operations_in_aggregate_functions: 0,
  allow_experimental_nlp_functions: 1,
  allow_suspicious_low_cardinality_types: 1,
  max_threads: 2,
};

/** Settings and the project's rows, and tables that show all times in a zone. */
export const setUpOf = (project: Project): SetUp => ({ once: setUpSql(project), zone: zoneSql });

const setUpSql = (project: Project): readonly string[] => [
  `SET ${Object.entries(SETTINGS)
    .map(([setting, value]) => `${setting} = ${value}`)
    .join(", ")}`,
  "CREATE DATABASE base",
  ...rawTables(project),
  ...persons,
  ...sessions,
  events,
];

const zoneSql = (zone: string): readonly string[] => {
  const database = `zone_${zone.replaceAll(/\W/g, "_")}`;
  const view = (table: string, times: readonly string[]): string =>
    `CREATE OR REPLACE VIEW ${database}.${table} AS SELECT * ${times.length === 0 ? "" : `REPLACE (${times.map((time) => `toTimeZone(\`${time}\`, '${zone}') AS \`${time}\``).join(", ")})`} FROM base.${table}`;
  const session = ["session_timestamp", "$start_timestamp", "$end_timestamp", "max_inserted_at"];
  const state = ["created_at", "last_seen_at"];
  return [
    `CREATE DATABASE IF NOT EXISTS ${database}`,
    view("events", [
      "timestamp",
      "created_at",
      ...state.map((time) => `person.${time}`),
      ...SLOTS.flatMap((slot) => [`group_${slot}.created_at`, `group_${slot}.updated_at`]),
      ...session.map((time) => `session.${time}`),
    ]),
    view("persons", state),
    view("persons_pdi", state),
    view(
      "person_distinct_ids",
      state.map((time) => `person.${time}`),
    ),
    view("groups", ["created_at", "updated_at"]),
    view("sessions", session),
    ...emptyTables.map(([table, columns]) => `CREATE TABLE IF NOT EXISTS ${database}.\`${table}\` (${columns}) ENGINE = Memory`),
    `USE ${database}`,
    `SET session_timezone = '${zone}'`,
  ];
};

const SLOTS = Array.from({ length: GROUP_SLOTS }, (_, slot) => slot);

const stamp = (micros: bigint): string => isoTimestamp(micros, "UTC");

const insert = (table: string, rows: readonly object[]): string =>
  `INSERT INTO base.${table} FORMAT JSONEachRow ${rows.map((row) => JSON.stringify(row)).join("\n")}`;

const TIME = "DateTime64(6, 'UTC')";

const rawTables = ({ events: rows, persons: people, distinctIds, groups }: Project): readonly string[] => [
  `CREATE TABLE base.raw_events (uuid UUID, event String, properties String, timestamp ${TIME}, distinct_id String, elements_chain String, created_at ${TIME}, session_id String, window_id String, person_mode String, ${SLOTS.map((slot) => `group_${slot} String`).join(", ")}, own_person_id UUID) ENGINE = Memory`,
  `CREATE TABLE base.persons (id UUID, created_at ${TIME}, properties String, is_identified Bool, last_seen_at ${TIME}) ENGINE = Memory`,
  "CREATE TABLE base.raw_distinct_ids (distinct_id String, person_id UUID) ENGINE = Memory",
  `CREATE TABLE base.groups ("index" Int64, "key" String, created_at ${TIME}, updated_at ${TIME}, properties String) ENGINE = Memory`,
  insert(
    "raw_events",
    rows.map((row) => ({
      uuid: row.uuid,
      event: row.event,
      properties: row.properties,
      timestamp: stamp(row.timestamp),
      distinct_id: row.distinct_id,
      elements_chain: row.elements_chain,
      created_at: stamp(row.created_at),
      session_id: row.session_id ?? "",
      window_id: row.window_id ?? "",
      person_mode: row.person_mode,
      ...Object.fromEntries(row.groups.map((key, slot) => [`group_${slot}`, key ?? ""])),
      own_person_id: row.person_id,
    })),
  ),
  insert(
    "persons",
    people.map(({ person_id, created_at, last_seen_at, ...rest }) => ({
      id: person_id,
      created_at: stamp(created_at),
      last_seen_at: stamp(last_seen_at),
      ...rest,
    })),
  ),
  insert("raw_distinct_ids", distinctIds),
  insert(
    "groups",
    groups.map((group) => ({ ...group, created_at: stamp(group.created_at), updated_at: stamp(group.updated_at) })),
  ),
];

const PERSON = ["id", "created_at", "properties", "is_identified", "last_seen_at"];

/** Persons once more with a row for each distinct_id, which is what naming `pdi` joins, and distinct_ids with their persons. */
const persons = [
  `CREATE TABLE base.persons_pdi ENGINE = Memory AS SELECT p.*, d.distinct_id AS "pdi.distinct_id", d.person_id AS "pdi.person_id" FROM base.persons p LEFT JOIN base.raw_distinct_ids d ON d.person_id = p.id`,
  `CREATE TABLE base.person_distinct_ids ENGINE = Memory AS SELECT d.*, ${PERSON.map((one) => `person.${one} AS \`person.${one}\``).join(", ")} FROM base.raw_distinct_ids d LEFT JOIN base.persons person ON person.id = d.person_id`,
];

const property = (key: string): string => propertySql("properties", [key]);
const first = (key: string): string => `argMin(${property(key)}, timestamp)`;
const PAGES = "event IN ('$pageview', '$screen')";
const entry = (key: string): string => `argMinIf(${property(key)}, timestamp, ${PAGES})`;
const end = (key: string): string => `argMaxIf(${property(key)}, timestamp, ${PAGES})`;
const SECONDS = "dateDiff('second', min(timestamp), max(timestamp))";

/** How a visit came, by the campaign and the referrer it began with. */
const CHANNEL = `multiIf(
  notEmpty(ifNull(gclid, '')) OR ifNull(lower(medium) IN ('cpc', 'cpm', 'cpv', 'cpa', 'ppc', 'retargeting'), 0) OR ifNull(lower(medium) LIKE 'paid%', 0),
  multiIf(notEmpty(ifNull(gclid, '')) OR ifNull(match(lower(source), 'google|bing|yahoo|duckduckgo'), 0), 'Paid Search',
    ifNull(match(lower(source), 'facebook|instagram|twitter|linkedin|tiktok'), 0), 'Paid Social', 'Paid Unknown'),
  ifNull(lower(medium) = 'email', 0) OR ifNull(lower(source) = 'email', 0), 'Email',
  ifNull(lower(medium) = 'affiliate', 0), 'Affiliate',
  ifNull(referrer, '$direct') IN ('$direct', '') AND source IS NULL, 'Direct',
  ifNull(match(lower(referrer), '(^|\\\\.)(google|bing|yahoo|duckduckgo|baidu|ecosia|yandex)\\\\.'), 0), 'Organic Search',
  ifNull(match(lower(referrer), '(^|\\\\.)(facebook|instagram|twitter|linkedin|tiktok|reddit|t\\\\.co|x)\\\\.?'), 0), 'Organic Social',
  ifNull(referrer != '$direct', 0), 'Referral', 'Unknown')`;

const SESSION_COLUMNS: readonly (readonly [name: string, sql: string])[] = [
  ["session_id", "session_id"],
  ["session_id_v7", "toUUIDOrNull(session_id)"],
  ["session_timestamp", "min(timestamp)"],
  ["distinct_id", "argMax(distinct_id, timestamp)"],
  ["person_id", "argMax(coalesce(d.person_id, own_person_id), timestamp)"],
  ["$start_timestamp", "min(timestamp)"],
  ["$end_timestamp", "max(timestamp)"],
  ["max_inserted_at", "max(created_at)"],
  ["$urls", `groupUniqArray(${property("$current_url")})`],
  ["$num_uniq_urls", `uniqExact(${property("$current_url")})`],
  ["$entry_current_url", entry("$current_url")],
  ["$entry_pathname", entry("$pathname")],
  ["$entry_hostname", entry("$host")],
  ["$end_current_url", end("$current_url")],
  ["$end_pathname", end("$pathname")],
  ["$end_hostname", end("$host")],
  ["$exit_current_url", end("$current_url")],
  ["$exit_pathname", end("$pathname")],
  ["$entry_referring_domain", first("$referring_domain")],
  ["$last_external_click_url", `argMax(${property("$external_click_url")}, timestamp)`],
  ...["utm_source", "utm_campaign", "utm_medium", "utm_term", "utm_content", "gclid", "gad_source", "fbclid"].map(
    (key) => [`$entry_${key}`, first(key)] as const,
  ),
  ["$entry_has_gclid", `toBool(notEmpty(ifNull(${first("gclid")}, '')))`],
  ["$entry_has_gad_source", `toBool(notEmpty(ifNull(${first("gad_source")}, '')))`],
  ["$entry_has_fbclid", `toBool(notEmpty(ifNull(${first("fbclid")}, '')))`],
  ["$pageview_count", "countIf(event = '$pageview')"],
  ["$autocapture_count", "countIf(event = '$autocapture')"],
  ["$screen_count", "countIf(event = '$screen')"],
  ["$session_duration", SECONDS],
  ["$is_bounce", `toBool(countIf(${PAGES}) <= 1 AND countIf(event = '$autocapture') = 0 AND ${SECONDS} < 10)`],
  ["id", "session_id"],
  ["duration", SECONDS],
];

const sessions = [
  `CREATE TABLE base.sessions ENGINE = Memory AS SELECT *, ${CHANNEL.replaceAll(/\b(gclid|medium|source)\b/g, "`$entry_utm_$1`")
    .replaceAll("$entry_utm_gclid", "$entry_gclid")
    .replaceAll(
      /\breferrer\b/g,
      "`$entry_referring_domain`",
    )} AS "$channel_type" FROM (SELECT ${SESSION_COLUMNS.map(([name, sql]) => `${sql.replaceAll(/\b(timestamp|created_at|session_id|distinct_id|properties|event)\b(?!')/g, "r.$1")} AS "${name}"`).join(", ")} FROM base.raw_events r LEFT JOIN base.raw_distinct_ids d ON d.distinct_id = r.distinct_id WHERE r.session_id != '' GROUP BY r.session_id)`,
];

const elements = (pattern: string): string =>
  `arrayDistinct(arrayMap(found -> found[1], extractAllGroupsVertical(elements_chain, '${pattern}')))`;

const renamed = (prefix: string, columns: readonly string[]): string =>
  columns.map((column) => `${prefix}.\`${column}\` AS \`${prefix}.${column}\``).join(", ");

const events = `CREATE TABLE base.events ENGINE = Memory AS SELECT
  e.uuid AS uuid, e.event AS event, e.properties AS properties, e.timestamp AS timestamp, e.distinct_id AS distinct_id, e.elements_chain AS elements_chain,
  e.created_at AS created_at, e.session_id AS \`$session_id\`, e.window_id AS \`$window_id\`, e.person_mode AS person_mode,
  ${SLOTS.map((slot) => `e.group_${slot} AS \`$group_${slot}\``).join(", ")},
  toUUIDOrNull(e.session_id) AS \`$session_id_uuid\`,
  assumeNotNull(coalesce(pdi.person_id, e.own_person_id)) AS person_id,
  extract(e.elements_chain, '(?::|")href="(.*?)"') AS elements_chain_href,
  ${elements('(?::|")text="(.*?)"')} AS elements_chain_texts,
  ${elements('(?::|")attr_id="(.*?)"')} AS elements_chain_ids,
  ${elements("(?:^|;)(a|button|form|input|select|textarea|label)(?:\\\\.|$|:)")} AS elements_chain_elements,
  person_id AS \`person.id\`, ${renamed("person", ["created_at", "properties", "is_identified", "last_seen_at"])},
  e.distinct_id AS \`pdi.distinct_id\`, person_id AS \`pdi.person_id\`,
  ${SLOTS.map((slot) => renamed(`group_${slot}`, ["index", "key", "created_at", "updated_at", "properties"])).join(", ")},
  ${renamed("session", [...SESSION_COLUMNS.map(([name]) => name), "$channel_type"])}
FROM base.raw_events e
  LEFT JOIN base.raw_distinct_ids pdi ON pdi.distinct_id = e.distinct_id
  LEFT JOIN base.persons person ON person.id = coalesce(pdi.person_id, e.own_person_id)
  ${SLOTS.map((slot) => `LEFT JOIN (SELECT * FROM base.groups WHERE "index" = ${slot}) group_${slot} ON group_${slot}.key = e.group_${slot}`).join(" ")}
  LEFT JOIN base.sessions session ON session.session_id = e.session_id`;
