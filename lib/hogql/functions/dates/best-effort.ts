import type { LoweringContext } from "../../analysis/context.ts";
import { NOTHING, type Sql, separated, sql } from "../../sql/fragment.ts";
import { readTimestampSql, timezoneSql } from "../../time/time-sql.ts";
import type { Zone } from "../../time-zone.ts";

/** Which of two numbers is the month in `04/01/2021`. */
export type DayOrder = "day first" | "month first";

const CLOCKS = [NOTHING, sql` %H:%M:%S`, sql` %H:%M`, sql` %I:%M:%S %p`, sql` %I:%M %p`];

const withClocks = (days: readonly Sql[]): Sql => sql`[${separated(days.flatMap((day) => CLOCKS.map((clock) => sql`'${day}${clock}'`)))}]`;

const NAMED = [
  sql`%d %b %Y`,
  sql`%d %B %Y`,
  sql`%b %d %Y`,
  sql`%B %d %Y`,
  sql`%b %d, %Y`,
  sql`%B %d, %Y`,
  sql`%d-%b-%Y`,
  sql`%a, %d %b %Y`,
  sql`%a %b %d %Y`,
];
const YEAR_FIRST = [sql`%Y/%m/%d`, sql`%Y.%m.%d`, sql`%Y%m%d`, sql`%Y-%m`, sql`%Y`];
const SHORT: Readonly<Record<DayOrder, readonly Sql[]>> = {
  "day first": [sql`%d/%m/%Y`, sql`%d.%m.%Y`, sql`%d-%m-%Y`, sql`%d/%m/%y`],
  "month first": [sql`%m/%d/%Y`, sql`%m.%d.%Y`, sql`%m-%d-%Y`, sql`%m/%d/%y`],
};

/** All formats, made once: they are many. */
const FORMATS: Readonly<Record<DayOrder, Sql>> = {
  "day first": withClocks([...YEAR_FIRST, ...SHORT["day first"], ...NAMED]),
  "month first": withClocks([...YEAR_FIRST, ...SHORT["month first"], ...NAMED]),
};

/**
 * A text in any of the usual forms of a time, read on the zone's wall clock unless it names an offset: a timestamp,
 * NULL where it is none. The forms of the language are tried first; only what they do not read is looked at again.
 */
export const bestEffortSql = (context: LoweringContext, text: Sql, zone: Zone, order: DayOrder = "day first"): Sql => {
  const formats = FORMATS[order];
  const compact = sql`['%Y%m%d%H%M%S', '%Y-%m-%d %H', '%Y-%m-%d %I:%M:%S %p', '%Y-%m-%d %I:%M %p', '%Y-%m-%dT%H:%M']`;
  const digits = sql`CASE WHEN regexp_full_match(${text}, '[0-9]{9,10}(\\.[0-9]+)?') THEN make_timestamptz(CAST(CAST(${text} AS DECIMAL(28, 6)) * 1000000 AS BIGINT)) WHEN regexp_full_match(${text}, '[0-9]{13}') THEN make_timestamptz(CAST(${text} AS BIGINT) * 1000) END`;
  const greenwich = sql`timezone('UTC', try_strptime(regexp_extract(${text}, '^(.*) (GMT|UTC)$', 1), ${formats}))`;
  const local = sql`epoch_us(coalesce(try_strptime(${text}, ${formats}), try_strptime(${text}, ${compact})))`;
  return sql`coalesce(${readTimestampSql(context, text, zone)}, ${digits}, ${greenwich}, ${zone.name === "UTC" ? sql`make_timestamptz(${local})` : timezoneSql(zone, local)})`;
};
