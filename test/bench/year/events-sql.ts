import { literal } from "../../../lib/engine/duckdb/sql-text.ts";
import { HOT } from "../../../lib/event/hot-properties.ts";
import { EVENT_NAMES } from "../corpus.ts";
import { USERS } from "./users.ts";

const NAME_SKEW = 1.2;
const USER_SKEW = 0.9;
const PAGES = 2_000;
/** Users who are there from the first day to the last; the others come and go. */
const REGULARS = 3_000;
const DAY_MS = 86_400_000;
/** A session begins at least this long before the end of its day, so that it ends in it. */
const LAST_START_MS = 1_800_000;

const SALTS = 64;

/** Numbers that depend on a row's number, or a session's, and a salt only. Of one number, as the hash of two hardly tells salts apart. */
const drawn = (of: string, salt: number): string => `hash(${of} * ${SALTS} + ${salt})`;
const share = (of: string, salt: number): string => `(${drawn(of, salt)}::DOUBLE / 18446744073709551616)`;
const below = (of: string, salt: number, limit: number): string => `(${drawn(of, salt)} % ${limit})::INTEGER`;

/** Ranks from 0 on by Zipf's law, drawn from the continuous law whose inverse can be written down. */
const zipf = (of: string, salt: number, count: number, skew: number): string => {
  const uniform = share(of, salt);
  const rank =
    skew === 1 ? `exp(${uniform} * ${Math.log(count + 1)})` : `pow(${uniform} * ${(count + 1) ** (1 - skew) - 1} + 1, ${1 / (1 - skew)})`;
  return `least(floor(${rank})::INTEGER - 1, ${count - 1})`;
};

const oneOf = (values: readonly string[], at: string): string => `[${values.map(literal).join(", ")}][${at} % ${values.length} + 1]`;

/** The texts of properties, by name, for the statement; null where the event lacks it. */
const TEXTS: ReadonlyMap<string, string> = new Map([
  ["$current_url", "'https://www.example.com' || path"],
  ["$host", "'www.example.com'"],
  ["$pathname", "path"],
  ["$browser", oneOf(["Chrome", "Safari", "Firefox", "Edge", "Samsung Internet", "Opera"], "(who * 7 + 1)")],
  ["$os", oneOf(["Windows", "Mac OS X", "iOS", "Android", "Linux"], "(who * 7 + 3)")],
  ["$device_type", oneOf(["Desktop", "Mobile", "Tablet"], "(who * 7 + 5)")],
  ["$geoip_country_code", oneOf(["US", "DE", "GB", "IN", "BR", "FR", "JP", "CA", "NL", "SE", "PL", "ES"], "(who * 7 + 2)")],
  ["$referring_domain", "CASE WHEN draw % 2 = 0 THEN 'www.google.com' ELSE '$direct' END"],
  ["$session_id", "session"],
  ["$window_id", "session"],
  ["$lib", "'web'"],
  ["$lib_version", "'1.240.0'"],
  [
    "$raw_user_agent",
    "'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/' || (100 + who % 30)::VARCHAR || '.0.0.0 Safari/537.36'",
  ],
  ["plan", oneOf(["free", "team", "scale", "enterprise"], "(who * 7)")],
  ["utm_source", `CASE WHEN draw // 10 % 10 < 4 THEN ${oneOf(["google", "bing", "news", "partner"], "(who + number % 3)")} END`],
  [
    "utm_campaign",
    `CASE WHEN draw // 100 % 10 < 3 THEN ${oneOf(["spring", "launch", "brand", "retarget", "newsletter"], "(who + number % 5)")} END`,
  ],
  ["search_term", "CASE WHEN draw // 1000 % 10 < 3 THEN 'term ' || (draw // 100000 % 1000)::VARCHAR END"],
]);

/** What is no text, as JSON. */
const VALUES: ReadonlyMap<string, string> = new Map([
  ["$browser_version", "(100 + who % 30)::VARCHAR"],
  ["$is_identified", "'true'"],
  ["$geoip_disable", "'true'"],
  ["duration_ms", `${below("number", 21, 5_000)}::VARCHAR`],
  ["amount", `((${below("number", 22, 50_000)} * 2 + 1) / 100)::VARCHAR`],
  ["$screen_width", "CASE WHEN draw // 10000 % 10 < 3 THEN (1280 + who % 8 * 80)::VARCHAR END"],
  ["feature_flag", "CASE WHEN draw // 100000000 % 10 < 3 THEN (draw % 2 = 0)::VARCHAR END"],
  ["$groups", `'{"company":"' || company || '"}'`],
]);

const json = (): string => {
  const texts = [...TEXTS].map(([name, value]) => `,"${name}":"' || (${value}) || '"`);
  const values = [...VALUES].map(([name, value]) => `,"${name}":' || (${value}) || '`);
  const optional = (part: string): boolean => part.includes("CASE WHEN draw // ") || part.includes("|| company ||");
  const parts = [...texts, ...values].map((part) => (optional(part) ? `coalesce('${part}', '')` : `'${part}'`));
  return `'{"$sdk":"bench"' || ${parts.join(" || ")} || '}'`;
};

const hot = (): string =>
  HOT.map(
    ({ property, column, type }) => `${TEXTS.get(property) ?? (type === "text" ? "NULL::VARCHAR" : "NULL::DOUBLE")} AS ${column}`,
  ).join(", ");

const uuidOf = (ms: string, of: string, salt: number): string => {
  const time = `lpad(lower(to_hex(${ms})), 12, '0')`;
  const bits = `lpad(lower(to_hex(${drawn(of, salt)})), 16, '0')`;
  return `${time}[1:8] || '-' || ${time}[9:12] || '-7' || ${bits}[1:3] || '-8' || ${bits}[4:6] || '-' || ${bits}[5:16]`;
};

/**
 * A SELECT of the events numbered `first` to `last` (exclusive), which lie on one UTC day (days since 1970; `day` of the set's own,
 * from 0), in no order, with all columns of event files. `users` is the path of the users' ids. Four sessions of 1, 2, 5 and 8 events take
 * turns; the same numbers give the same events.
 */
export const eventsSql = (users: string, day: number, utcDay: number, first: number, last: number): string => {
  const place = "number % 16";
  const begin = `CASE WHEN ${place} = 0 THEN 0 WHEN ${place} < 3 THEN 1 WHEN ${place} < 8 THEN 3 ELSE 8 END`;
  return `
    WITH numbered AS (SELECT range AS number, range - range % 16 + ${begin.replaceAll("number", "range")} AS visit FROM range(${first}, ${last})),
    drawn AS (
      SELECT number, visit, ${drawn("number", 1)} % 1000000000000 AS draw, ${zipf("visit", 2, USERS, USER_SKEW)} AS rank,
        ${zipf("number", 3, EVENT_NAMES.length, NAME_SKEW)} AS name, ${zipf("number", 4, PAGES, 1)} AS page,
        ${utcDay}::BIGINT * ${DAY_MS} + ${below("visit", 5, DAY_MS - LAST_START_MS)} AS started
      FROM numbered
    ),
    placed AS (
      SELECT *, started + (number - visit) * 40000 + ${below("number", 6, 40_000)} AS ms,
        CASE WHEN rank < ${REGULARS} OR (${day} >= ${below("rank", 7, 420)} - 60 AND (rank % 3 > 0 OR ${day} <= ${below("rank", 7, 420)} - 60 + ${below("rank", 8, 40)}))
          THEN rank ELSE rank % ${REGULARS} END AS who,
        ${uuidOf("started", "visit", 9)} AS session,
        '/' || ${oneOf(["docs", "blog", "pricing", "product", "app", "settings", "reports"], "page")} || '/page-' || page::VARCHAR AS path
      FROM drawn
    )
    SELECT (${uuidOf("ms", "number", 10)})::UUID AS uuid, ${oneOf(EVENT_NAMES, "name")} AS event, distinct_id, person_id,
      make_timestamptz(ms * 1000) AS timestamp, make_timestamptz(ms * 1000 + 1000000) AS created_at,
      (${drawn("number", 11)} >> 1)::BIGINT AS identity, 'full' AS person_mode, false AS historical, session AS session_id, session AS window_id,
      company AS group_0, NULL::VARCHAR AS group_1, NULL::VARCHAR AS group_2, NULL::VARCHAR AS group_3, NULL::VARCHAR AS group_4,
      '' AS elements_chain, ${hot()}, ${json()} AS properties,
      lpad(to_hex(number // 100), 32, '0') AS request, (number % 100)::INTEGER AS "index"
    FROM placed JOIN read_parquet(${literal(users)}) USING (who)`;
};
