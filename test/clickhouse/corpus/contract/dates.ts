/** Section 12.4: parts of dates, their floors and their arithmetic. */
const DAYS =
  "(SELECT arrayJoin([toDate('2025-12-28'), toDate('2025-12-29'), toDate('2026-01-01'), toDate('2026-01-04'), toDate('2026-01-05'), toDate('2027-01-03'), toDate('2028-02-29')]) AS d)";
const TIMES =
  "(SELECT arrayJoin([toDateTime('1970-01-02 00:00:00'), toDateTime('2026-03-29 00:59:59'), toDateTime('2026-03-29 01:00:00'), toDateTime('2026-10-25 00:30:00'), toDateTime('2026-10-25 01:30:00'), toDateTime('2099-12-31 23:59:59'), toDateTime('2100-01-01 00:00:00')]) AS t)";
const BERLIN = { timezone: "Europe/Berlin" } as const;
const NEW_YORK = { timezone: "America/New_York" } as const;
const KATHMANDU = { timezone: "Asia/Kathmandu" } as const;
const CALENDAR_PARTS = `SELECT toString(t) AS local, toYear(t) AS y, toQuarter(t) AS q, toMonth(t) AS m, toDayOfMonth(t) AS d, toHour(t) AS h, toMinute(t) AS i, toSecond(t) AS s FROM ${TIMES} ORDER BY t`;
const SHORT_FLOORS = `SELECT toUnixTimestamp(t) AS u, toStartOfDay(t) AS day, toStartOfHour(t) AS hour, toStartOfMinute(t) AS minute, toStartOfFiveMinutes(t) AS five, toStartOfTenMinutes(t) AS ten, toStartOfFifteenMinutes(t) AS fifteen FROM ${TIMES} ORDER BY t`;
const LONG_FLOORS = `SELECT toUnixTimestamp(t) AS u, toStartOfYear(t) AS year, toStartOfQuarter(t) AS quarter, toStartOfMonth(t) AS month, toStartOfWeek(t) AS week, toMonday(t) AS monday, toDate(t) AS date FROM ${TIMES} ORDER BY t`;

export const DATE_PARTS = {
  "parts of dates": `SELECT d, toYear(d) AS y, toQuarter(d) AS q, toMonth(d) AS m, toDayOfYear(d) AS doy, toDayOfMonth(d) AS dom, toDayOfWeek(d) AS dow FROM ${DAYS} ORDER BY d`,
  "weeks of dates": `SELECT d, toWeek(d) AS w, toWeek(d, 1) AS w1, toWeek(d, 3) AS w3, toISOWeek(d) AS iso, toISOYear(d) AS isoyear FROM ${DAYS} ORDER BY d`,
  "toDayOfWeek in each mode": `SELECT d, toDayOfWeek(d) AS a, toDayOfWeek(d, 1) AS b, toDayOfWeek(d, 2) AS c, toDayOfWeek(d, 3) AS e FROM ${DAYS} ORDER BY d`,
  "parts of times in UTC": CALENDAR_PARTS,
  "parts of times in Berlin": { query: CALENDAR_PARTS, ...BERLIN },
  "parts of times in New York": { query: CALENDAR_PARTS, ...NEW_YORK },
  "parts of times in Kathmandu": { query: CALENDAR_PARTS, ...KATHMANDU },
  "toUnixTimestamp of dates and times":
    "SELECT toUnixTimestamp(toDateTime('2026-01-01 00:00:00')) AS a, toUnixTimestamp(toDate('2026-01-01')) AS b, toUnixTimestamp(toDateTime('1970-01-01 00:00:00')) AS c, toUnixTimestamp(toDateTime('2100-01-01 00:00:00')) AS d",
  toUnixTimestamp64Milli:
    "SELECT toUnixTimestamp64Milli(toDateTime64('2026-01-01 00:00:00.123', 3)) AS a, toUnixTimestamp64Milli(toDateTime64('1970-01-01 00:00:00.001', 3)) AS b",
  "toYYYYMM and toYYYYMMDD": `SELECT d, toYYYYMM(d) AS ym, toYYYYMMDD(d) AS ymd FROM ${DAYS} ORDER BY d`,
  "parts of NULL": "SELECT toYear(toDateTime(NULL)) AS y, toHour(toDateTime('garbage')) AS h, toMonth(toDate('garbage')) AS m",
  "dateName and monthName":
    "SELECT dateName('year', toDate('2026-03-29')) AS y, dateName('month', toDate('2026-03-29')) AS m, dateName('weekday', toDate('2026-03-29')) AS w, dateName('quarter', toDate('2026-03-29')) AS q, monthName(toDate('2026-12-01')) AS n",
} as const;

export const DATE_FLOORS = {
  "long floors of dates": `SELECT d, toStartOfYear(d) AS y, toStartOfISOYear(d) AS iy, toStartOfQuarter(d) AS q, toStartOfMonth(d) AS m, toLastDayOfMonth(d) AS last, toMonday(d) AS mon FROM ${DAYS} ORDER BY d`,
  "weeks start on Sunday or Monday": `SELECT d, toStartOfWeek(d) AS sunday, toStartOfWeek(d, 0) AS zero, toStartOfWeek(d, 1) AS monday, toStartOfWeek(d, 3) AS three FROM ${DAYS} ORDER BY d`,
  "short floors in UTC": SHORT_FLOORS,
  "short floors in Berlin": { query: SHORT_FLOORS, ...BERLIN },
  "short floors in New York": { query: SHORT_FLOORS, ...NEW_YORK },
  "short floors in Kathmandu": { query: SHORT_FLOORS, ...KATHMANDU },
  "long floors in Berlin": { query: LONG_FLOORS, ...BERLIN },
  "long floors in New York": { query: LONG_FLOORS, ...NEW_YORK },
  toStartOfSecond:
    "SELECT toStartOfSecond(toDateTime64('2026-01-01 10:20:30.987', 3)) AS a, toStartOfSecond(toDateTime64('2026-01-01 10:20:30.000001', 6)) AS b",
  toStartOfInterval:
    "SELECT toStartOfInterval(toDateTime('2026-03-29 13:47:31'), INTERVAL 15 MINUTE) AS a, toStartOfInterval(toDateTime('2026-03-29 13:47:31'), INTERVAL 6 HOUR) AS b, toStartOfInterval(toDateTime('2026-03-29 13:47:31'), INTERVAL 1 DAY) AS c, toStartOfInterval(toDateTime('2026-03-29 13:47:31'), INTERVAL 1 WEEK) AS d, toStartOfInterval(toDateTime('2026-03-29 13:47:31'), INTERVAL 3 MONTH) AS e, toStartOfInterval(toDateTime('2026-03-29 13:47:31'), INTERVAL 1 YEAR) AS f, toStartOfInterval(toDateTime('2026-03-29 13:47:31'), INTERVAL 30 SECOND) AS g",
  "toStartOfInterval in Berlin": {
    query:
      "SELECT toUnixTimestamp(toStartOfInterval(toDateTime('2026-03-29 13:47:31'), INTERVAL 1 DAY)) AS a, toUnixTimestamp(toStartOfInterval(toDateTime('2026-03-29 13:47:31'), INTERVAL 1 HOUR)) AS b, toStartOfInterval(toDateTime('2026-03-29 13:47:31'), toIntervalWeek(1)) AS c, toStartOfInterval(toDateTime('2026-03-29 13:47:31'), toIntervalMonth(1)) AS d",
    ...BERLIN,
  },
  "dateTrunc of each unit":
    "SELECT dateTrunc('hour', toDateTime('2026-05-20 13:47:31')) AS h, dateTrunc('day', toDateTime('2026-05-20 13:47:31')) AS d, dateTrunc('week', toDateTime('2026-05-20 13:47:31')) AS w, dateTrunc('month', toDateTime('2026-05-20 13:47:31')) AS m, dateTrunc('quarter', toDateTime('2026-05-20 13:47:31')) AS q, dateTrunc('year', toDateTime('2026-05-20 13:47:31')) AS y",
  "date_trunc in a zone of its own":
    "SELECT date_trunc('month', toDateTime('2026-03-31 23:30:00'), 'Europe/Berlin') AS m, date_trunc('week', toDateTime('2026-03-29 23:30:00'), 'Europe/Berlin') AS w, toUnixTimestamp(date_trunc('day', toDateTime('2026-03-29 23:30:00'), 'Europe/Berlin')) AS d",
  "floors of events by day in Berlin": {
    query: "SELECT toStartOfDay(timestamp) AS day, count() AS n FROM events GROUP BY day ORDER BY day LIMIT 20",
    ...BERLIN,
  },
  "floors of events by week in New York": {
    query:
      "SELECT toStartOfWeek(timestamp) AS week, toStartOfWeek(timestamp, 1) AS monday, count() AS n FROM events GROUP BY week, monday ORDER BY week, monday LIMIT 40",
    ...NEW_YORK,
  },
  "floors of events by month in Kathmandu": {
    query:
      "SELECT toStartOfMonth(timestamp) AS month, toDate(min(timestamp)) AS first, count() AS n FROM events GROUP BY month ORDER BY month",
    ...KATHMANDU,
  },
} as const;

export const DATE_ARITHMETIC = {
  "now, today, yesterday agree":
    "SELECT today() = toDate(now()) AS a, yesterday() = today() - 1 AS b, dateDiff('day', yesterday(), today()) AS c, nowInBlock() >= toDateTime('2026-01-01 00:00:00') AS d",
  "now is the time of the run":
    "SELECT toStartOfDay(now()) AS day, today() AS today, yesterday() AS yesterday, now() - INTERVAL 1 HOUR AS earlier",
  "dateAdd and dateSub of each unit":
    "SELECT dateAdd('day', 1, toDate('2026-02-28')) AS a, date_add('month', 1, toDate('2026-01-31')) AS b, dateAdd('year', 1, toDate('2028-02-29')) AS c, dateSub('week', 1, toDate('2026-01-05')) AS d, dateSub('hour', 2, toDateTime('2026-01-01 01:00:00')) AS e, dateAdd('quarter', 1, toDate('2026-11-30')) AS f, dateAdd('minute', -90, toDateTime('2026-01-01 01:00:00')) AS g",
  "dateDiff counts boundaries":
    "SELECT dateDiff('day', toDateTime('2026-01-01 23:59:59'), toDateTime('2026-01-02 00:00:01')) AS day, dateDiff('hour', toDateTime('2026-01-01 23:59:59'), toDateTime('2026-01-02 00:00:01')) AS hour, date_diff('month', toDate('2026-01-31'), toDate('2026-02-01')) AS month, dateDiff('year', toDate('2025-12-31'), toDate('2026-01-01')) AS year, dateDiff('week', toDate('2026-01-03'), toDate('2026-01-05')) AS week, dateDiff('quarter', toDate('2026-03-31'), toDate('2026-04-01')) AS quarter, dateDiff('second', toDateTime('2026-01-02 00:00:01'), toDateTime('2026-01-01 23:59:59')) AS second",
  "age counts full units":
    "SELECT age('day', toDateTime('2026-01-01 23:59:59'), toDateTime('2026-01-02 00:00:01')) AS day, age('hour', toDateTime('2026-01-01 10:30:00'), toDateTime('2026-01-01 12:29:59')) AS hour, age('month', toDate('2026-01-31'), toDate('2026-03-30')) AS month, age('year', toDate('2025-03-01'), toDate('2026-02-28')) AS year, age('week', toDate('2026-01-01'), toDate('2026-01-14')) AS week",
  "add functions":
    "SELECT addSeconds(toDateTime('2026-01-01 00:00:00'), 5) AS s, addMinutes(toDateTime('2026-01-01 00:00:00'), 5) AS i, addHours(toDateTime('2026-01-01 00:00:00'), 25) AS h, addDays(toDate('2026-02-28'), 1) AS d, addWeeks(toDate('2026-01-01'), 2) AS w, addMonths(toDate('2026-01-31'), 1) AS m, addQuarters(toDate('2026-01-31'), 1) AS q, addYears(toDate('2028-02-29'), 1) AS y",
  "subtract functions":
    "SELECT subtractSeconds(toDateTime('2026-01-01 00:00:00'), 5) AS s, subtractMinutes(toDateTime('2026-01-01 00:00:00'), 5) AS i, subtractHours(toDateTime('2026-01-01 00:00:00'), 25) AS h, subtractDays(toDate('2026-03-01'), 1) AS d, subtractWeeks(toDate('2026-01-01'), 2) AS w, subtractMonths(toDate('2026-03-31'), 1) AS m, subtractQuarters(toDate('2026-05-31'), 1) AS q, subtractYears(toDate('2028-02-29'), 1) AS y",
  "intervals by function":
    "SELECT toDateTime('2026-01-31 00:00:00') + toIntervalSecond(1) AS s, toDateTime('2026-01-31 00:00:00') + toIntervalMinute(1) AS i, toDateTime('2026-01-31 00:00:00') + toIntervalHour(1) AS h, toDate('2026-01-31') + toIntervalDay(1) AS d, toDate('2026-01-31') + toIntervalWeek(1) AS w, toDate('2026-01-31') + toIntervalMonth(1) AS m, toDate('2026-01-31') - toIntervalQuarter(1) AS q, toDate('2026-01-31') - toIntervalYear(1) AS y",
  "intervals by keyword":
    "SELECT toDate('2026-03-31') + INTERVAL 1 DAY AS d, toDate('2026-03-31') - INTERVAL 1 MONTH AS m, toDateTime('2026-03-31 12:00:00') + INTERVAL 36 HOUR AS h, toDate('2026-03-31') + INTERVAL 1 YEAR AS y, toDateTime('2026-03-31 12:00:00') - INTERVAL 90 SECOND AS s, toDate('2026-03-31') + INTERVAL 2 WEEK AS w",
  "intervals over the hour that summer time skips": {
    query:
      "SELECT toString(toDateTime('2026-03-29 00:30:00') + INTERVAL 1 HOUR) AS h, toString(toDateTime('2026-03-28 02:30:00') + INTERVAL 1 DAY) AS d, toUnixTimestamp(toDateTime('2026-03-28 12:00:00') + INTERVAL 1 DAY) AS noon, toUnixTimestamp(toDateTime('2026-03-01 12:00:00') + INTERVAL 1 MONTH) AS month",
    ...BERLIN,
  },
  "differences over the end of summer time": {
    query:
      "SELECT dateDiff('hour', toDateTime('2026-10-24 12:00:00'), toDateTime('2026-10-25 12:00:00')) AS hours, dateDiff('day', toDateTime('2026-10-24 12:00:00'), toDateTime('2026-10-25 11:00:00')) AS days, age('day', toDateTime('2026-10-24 12:00:00'), toDateTime('2026-10-25 11:00:00')) AS full",
    ...BERLIN,
  },
  "timeStampAdd and timeStampSub":
    "SELECT timeStampAdd(toDateTime('2026-01-01 00:00:00'), INTERVAL 3 DAY) AS a, timeStampSub(toDateTime('2026-01-01 00:00:00'), INTERVAL 3 MONTH) AS b",
  "toTimeZone shows the hour there":
    "SELECT toHour(toTimeZone(toDateTime('2026-07-01 12:00:00'), 'Europe/Berlin')) AS berlin, toHour(toTimeZone(toDateTime('2026-07-01 12:00:00'), 'America/New_York')) AS ny, toMinute(toTimeZone(toDateTime('2026-07-01 12:00:00'), 'Asia/Kathmandu')) AS kathmandu, toString(toTimeZone(toDateTime('2026-01-01 12:00:00'), 'Europe/Berlin')) AS text, toDate(toTimeZone(toDateTime('2026-01-01 23:30:00'), 'Europe/Berlin')) AS date",
  timeZoneOffset:
    "SELECT timeZoneOffset(toTimeZone(toDateTime('2026-07-01 12:00:00'), 'Europe/Berlin')) AS summer, timeZoneOffset(toTimeZone(toDateTime('2026-01-01 12:00:00'), 'Europe/Berlin')) AS winter, timeZoneOffset(toTimeZone(toDateTime('2026-01-01 12:00:00'), 'America/New_York')) AS ny, timeZoneOffset(toTimeZone(toDateTime('2026-01-01 12:00:00'), 'Asia/Kathmandu')) AS kathmandu",
  fromUnixTimestamp:
    "SELECT fromUnixTimestamp(0) AS a, fromUnixTimestamp(1767225600) AS b, fromUnixTimestamp64Milli(1767225600123) AS c, toUnixTimestamp64Milli(fromUnixTimestamp64Milli(1767225600123)) AS d",
  formatDateTime:
    "SELECT formatDateTime(toDateTime('2026-03-09 07:05:09'), '%Y-%m-%d %H:%i:%s') AS a, formatDateTime(toDateTime('2026-03-09 17:05:09'), '%d.%m.%y %I %p') AS b, formatDateTime(toDateTime('2026-03-09 07:05:09'), '%F %T') AS c, formatDateTime(toDateTime('2026-03-09 07:05:09'), '%b %e %a %j %u %V') AS d, formatDateTime(toDateTime('2026-03-09 07:05:09'), '100%%') AS e",
  "formatDateTime in Berlin": {
    query:
      "SELECT formatDateTime(toDateTime64('2026-03-29 01:30:00', 3, 'UTC'), '%Y-%m-%d %H:%i') AS a, formatDateTime(toDateTime('2026-03-29 23:30:00', 'UTC'), '%Y-%m-%d %H:%i', 'Asia/Kathmandu') AS b",
    ...BERLIN,
  },
  makeDate: "SELECT makeDate(2026, 2, 28) AS a, makeDate(2028, 2, 29) AS b, makeDate(1970, 1, 1) AS c",
  UUIDv7ToDateTime: "SELECT toUnixTimestamp64Milli(UUIDv7ToDateTime(toUUID('018f05c9-4ab8-7b86-b64e-c9f03fbd45d1'))) AS ms",
  "dates beyond 2038 and before 2000":
    "SELECT toDate('2100-02-28') + 1 AS a, toDate('1970-01-01') + 0 AS b, dateDiff('day', toDate('1970-01-01'), toDate('2100-01-01')) AS c, toDateTime('2100-01-01 00:00:00') - toIntervalSecond(1) AS d, toDayOfWeek(toDate('2100-01-01')) AS e, toISOWeek(toDate('2099-12-31')) AS f, addYears(toDate('2026-01-01'), 70) AS g",
  "dates minus dates and plus numbers":
    "SELECT toDate('2026-01-31') - toDate('2026-01-01') AS days, toDate('2026-01-31') + 1 AS next, toDate('2026-01-01') - 1 AS before, toDateTime('2026-01-01 00:00:10') - toDateTime('2026-01-01 00:00:00') AS seconds, toDateTime('2026-01-01 00:00:00') + 60 AS later",
  "date arithmetic with NULL":
    "SELECT dateDiff('day', NULL, toDate('2026-01-01')) AS a, addDays(toDate('x'), 1) AS b, toDateTime('x') + INTERVAL 1 DAY AS c",
} as const;
