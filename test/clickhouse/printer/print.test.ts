import { describe, expect, it } from "vitest";
import type { LowerOptions } from "../../../lib/hogql/options.ts";
import { parse } from "../../../lib/hogql/parse.ts";
import { printed } from "./print.ts";

const OPTIONS: LowerOptions = {
  project: 1,
  timezone: "Europe/Berlin",
  now: Date.UTC(2026, 0, 1),
  variables: { plan: "pro", none: null, many: [1, "a"] },
  propertyType: (owner, name) => (owner === "event" && name === "amount" ? "Numeric" : undefined),
  groupTypes: ["organization"],
  page: null,
};

const print = async (text: string): Promise<string> => printed(await parse(text), OPTIONS);

const property = (path: string, column = "`properties`"): string =>
  `nullIf(if(JSONType(${column}, ${path}) = 'String', JSONExtractString(${column}, ${path}), nullIf(JSONExtractRaw(${column}, ${path}), 'null')), '')`;

describe("a query as ClickHouse's SQL", () => {
  it.each([
    ["SELECT event FROM events", "SELECT `event` FROM `events` AS `events` LIMIT 100"],
    ["SELECT properties.a.b AS c FROM events LIMIT 5", `SELECT ${property("'a', 'b'")} AS \`c\` FROM \`events\` AS \`events\` LIMIT 5`],
    ["SELECT properties['my key'] FROM events", `SELECT ${property("'my key'")} FROM \`events\` AS \`events\` LIMIT 100`],
    [
      "SELECT properties.amount FROM events",
      `SELECT accurateCastOrNull(${property("'amount'")}, 'Float64') FROM \`events\` AS \`events\` LIMIT 100`,
    ],
    [
      "SELECT e.person.properties.email FROM events e",
      `SELECT ${property("'email'", "`e`.`person.properties`")} FROM \`events\` AS \`e\` LIMIT 100`,
    ],
    ["SELECT organization.key FROM events", "SELECT `group_0.key` FROM `events` AS `events` LIMIT 100"],
    ["SELECT 1 FROM events WHERE event = 'a'", "SELECT 1 FROM `events` AS `events` WHERE ifNull(equals(`event`, 'a'), 0) LIMIT 100"],
    ["SELECT 1 FROM events WHERE event != NULL", "SELECT 1 FROM `events` AS `events` WHERE isNotNull(`event`) LIMIT 100"],
    ["SELECT 1 FROM events WHERE event NOT IN ('a')", "SELECT 1 FROM `events` AS `events` WHERE ifNull(`event` NOT IN ('a'), 1) LIMIT 100"],
    ["SELECT toDateTime(timestamp) FROM events", "SELECT toDateTime(`timestamp`, 'Europe/Berlin') FROM `events` AS `events` LIMIT 100"],
    ["SELECT toDateTime('x')", "SELECT parseDateTime64BestEffortOrNull('x', 6, 'Europe/Berlin') LIMIT 100"],
    [
      "SELECT toInt('1'), {variables.plan}, {variables.none}, {variables.many}",
      "SELECT accurateCastOrNull('1', 'Int64'), 'pro', NULL, [1, 'a'] LIMIT 100",
    ],
    [
      "SELECT now() - interval 1 day",
      "SELECT minus(fromUnixTimestamp64Micro(toInt64(1767225600000000), 'Europe/Berlin'), toIntervalDay(1)) LIMIT 100",
    ],
    [
      "SELECT event ? 'it''s' : f'a{event}' FROM events",
      "SELECT if(`event`, 'it\\'s', concat('a', `event`)) FROM `events` AS `events` LIMIT 100",
    ],
    ["SELECT 1 UNION ALL SELECT 2", "SELECT * FROM ((SELECT 1 AS `1`) UNION ALL (SELECT 2 AS `2`)) LIMIT 100"],
    [
      "WITH a AS (SELECT event FROM events) SELECT a.* FROM a JOIN events e ON a.event = e.event LIMIT 1 BY a.event",
      "WITH `a` AS (SELECT `event` AS `event` FROM `events` AS `events`) SELECT `a`.`event` FROM `a` AS `a` JOIN `events` AS `e` ON equals(`a`.`event`, `e`.`event`) LIMIT 1 BY `a`.`event` LIMIT 100",
    ],
    [
      "SELECT quantile(0.9)(x) OVER (ORDER BY x) FROM (SELECT 1 AS x)",
      "SELECT quantile(0.9)(`x`) OVER (ORDER BY `x` ASC NULLS LAST) FROM (SELECT 1 AS `x`) LIMIT 100",
    ],
    ["SELECT x.1 FROM (SELECT (1, 2) AS x)", "SELECT tupleElement(`x`, 1) FROM (SELECT tuple(1, 2) AS `x`) LIMIT 100"],
    ["SELECT y FROM numbers(3) ARRAY JOIN [number] AS y", "SELECT `y` FROM numbers(3) AS `numbers` ARRAY JOIN [`number`] AS `y` LIMIT 100"],
    [
      "SELECT id FROM persons WHERE pdi.distinct_id = 'a'",
      "SELECT `id` FROM `persons_pdi` AS `persons` WHERE ifNull(equals(`pdi.distinct_id`, 'a'), 0) LIMIT 100",
    ],
  ])("%s", async (text, sql) => {
    expect(await print(text)).toBe(sql);
  });
});
