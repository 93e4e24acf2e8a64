import type { Run } from "../../analysis/run.ts";
import { parsedStampSql, timezoneSql } from "../../time/time-sql.ts";
import type { Zone } from "../../time/zone.ts";

/** Which of two numbers is the month in `04/01/2021`. */
export type DayOrder = "day first" | "month first";

const CLOCKS = ["", " %H:%M:%S", " %H:%M", " %I:%M:%S %p", " %I:%M %p"];

const formatsOf = (days: readonly string[]): string => `[${days.flatMap((day) => CLOCKS.map((clock) => `'${day}${clock}'`)).join(", ")}]`;

const NAMED = ["%d %b %Y", "%d %B %Y", "%b %d %Y", "%B %d %Y", "%b %d, %Y", "%B %d, %Y", "%d-%b-%Y", "%a, %d %b %Y", "%a %b %d %Y"];
const YEAR_FIRST = ["%Y/%m/%d", "%Y.%m.%d", "%Y%m%d", "%Y-%m", "%Y"];
const SHORT: Readonly<Record<DayOrder, readonly string[]>> = {
  "day first": ["%d/%m/%Y", "%d.%m.%Y", "%d-%m-%Y", "%d/%m/%y"],
  "month first": ["%m/%d/%Y", "%m.%d.%Y", "%m-%d-%Y", "%m/%d/%y"],
};

/**
 * A text in any of the usual forms of a time, read on the zone's wall clock unless it names an offset: DuckDB text of a stamp,
 * NULL where it is none. The forms of the language are tried first; only what they do not read is looked at again.
 */
export const bestEffortSql = (run: Run, text: string, zone: Zone, order: DayOrder = "day first"): string => {
  const formats = formatsOf([...YEAR_FIRST, ...SHORT[order], ...NAMED]);
  const compact = "['%Y%m%d%H%M%S', '%Y-%m-%d %H', '%Y-%m-%d %I:%M:%S %p', '%Y-%m-%d %I:%M %p', '%Y-%m-%dT%H:%M']";
  const digits = `CASE WHEN regexp_full_match(${text}, '[0-9]{9,10}(\\.[0-9]+)?') THEN make_timestamptz(CAST(CAST(${text} AS DECIMAL(28, 6)) * 1000000 AS BIGINT)) WHEN regexp_full_match(${text}, '[0-9]{13}') THEN make_timestamptz(CAST(${text} AS BIGINT) * 1000) END`;
  const greenwich = `timezone('UTC', try_strptime(regexp_extract(${text}, '^(.*) (GMT|UTC)$', 1), ${formats}))`;
  const local = `epoch_us(coalesce(try_strptime(${text}, ${formats}), try_strptime(${text}, ${compact})))`;
  return `coalesce(${parsedStampSql(run, text, zone)}, ${digits}, ${greenwich}, ${zone.name === "UTC" ? `make_timestamptz(${local})` : timezoneSql(run, zone, local)})`;
};
