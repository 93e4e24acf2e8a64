import type { LoweringContext } from "../../analysis/context.ts";
import { NOTHING, type Sql, separated, sql } from "../../sql/fragment.ts";
import { readTimestampSql, timezoneSql } from "../../time/time-sql.ts";
import type { Zone } from "../../time-zone.ts";

/** Which of two numbers is the month in `04/01/2021`. */
export type DayOrder = "day first" | "month first";

const CLOCKS = [NOTHING, sql` %H:%M:%S`, sql` %H:%M`, sql` %I:%M:%S %p`, sql` %I:%M %p`];

const withClocks = (days: readonly Sql[]): Sql => sql`[${separated(days.flatMap((day) => CLOCKS.map((clock) => sql`'${day}${clock}'`)))}]`;

const NAMED = [sql`%d %b %Y`, sql`%d %B %Y`, sql`%b %d %Y`, sql`%B %d %Y`, sql`%d-%b-%Y`, sql`%a %d %b %Y`, sql`%a %b %d %Y`];

/** Years of two digits come first: DuckDB takes any number of digits for one of four. */
const SHORT: Readonly<Record<DayOrder, readonly Sql[]>> = {
  "day first": [sql`%d/%m/%y`, sql`%d.%m.%y`, sql`%d-%m-%y`, sql`%d/%m/%Y`, sql`%d.%m.%Y`, sql`%d-%m-%Y`],
  "month first": [sql`%m/%d/%y`, sql`%m.%d.%y`, sql`%m-%d-%y`, sql`%m/%d/%Y`, sql`%m.%d.%Y`, sql`%m-%d-%Y`],
};

/** All formats, made once: they are many. A month beyond the twelfth was the day. */
const FORMATS: Readonly<Record<DayOrder, Sql>> = {
  "day first": withClocks([...SHORT["day first"], ...NAMED, ...SHORT["month first"]]),
  "month first": withClocks([...SHORT["month first"], ...NAMED, ...SHORT["day first"]]),
};

/** How texts in these formats begin: to try them all takes long, and most texts are none. */
const BEGINNING = sql`'^\\s*(\\d{1,2}[-/. ]|[A-Za-z]{3,9} .*\\d)'`;

const YEAR_FIRST = withClocks([sql`%Y/%m/%d`, sql`%Y.%m.%d`, sql`%Y%m%d`, sql`%Y-%m`, sql`%Y`]);
const COMPACT = sql`['%Y%m%d%H%M%S', '%Y-%m-%d %H', '%Y-%m-%d %I:%M:%S %p', '%Y-%m-%d %I:%M %p', '%Y-%m-%dT%H:%M']`;

/**
 * A text in any of the usual forms of a time, read on the zone's wall clock unless it names an offset: a timestamp,
 * NULL where it is none. The forms of the language are tried first; only what they do not read is looked at again.
 */
export const bestEffortSql = (context: LoweringContext, text: Sql, zone: Zone, order: DayOrder = "day first"): Sql => {
  // DuckDB reads years of any length, and in every format words such as `infinity`.
  const read = (written: Sql): Sql =>
    sql`coalesce(CASE WHEN regexp_matches(${written}, '^\\d{4}') THEN coalesce(try_strptime(${written}, ${YEAR_FIRST}), try_strptime(${written}, ${COMPACT})) END, CASE WHEN regexp_matches(${written}, ${BEGINNING}) THEN try_strptime(${written}, ${FORMATS[order]}) END)`;
  const ours = sql`CASE WHEN regexp_matches(${text}, '^\\s*\\d{4}-') THEN ${readTimestampSql(context, text, zone)} END`;
  const digits = sql`CASE WHEN regexp_full_match(${text}, '[0-9]{9,10}(\\.[0-9]+)?') THEN make_timestamptz(CAST(CAST(${text} AS DECIMAL(28, 6)) * 1000000 AS BIGINT)) WHEN regexp_full_match(${text}, '[0-9]{13}') THEN make_timestamptz(CAST(${text} AS BIGINT) * 1000) END`;
  const plain = sql`replace(${text}, ', ', ' ')`;
  const greenwich = sql`timezone('UTC', ${read(sql`regexp_extract(${plain}, '^(.*) (GMT|UTC)$', 1)`)})`;
  const local = sql`epoch_us(${read(plain)})`;
  return sql`coalesce(${ours}, ${digits}, ${greenwich}, ${zone.name === "UTC" ? sql`make_timestamptz(${local})` : timezoneSql(zone, local)})`;
};
