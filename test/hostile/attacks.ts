import { gzipSync } from "node:zlib";
import type { ATenant } from "../support/processes/platform.ts";
import { sqlQuery } from "../support/samples/saved-query.ts";
import { type Attack, attackerOf, FORM, JSON_TYPE, list, MIB, MULTIPART, type Shot } from "./attack.ts";
import { bombs } from "./attacks/bombs.ts";
import { endlessQueries } from "./attacks/endless-queries.ts";
import { keyless } from "./attacks/keyless.ts";
import { rules } from "./attacks/rules.ts";

/** Everything that was found to stall a platform, or to make it grow, as requests of somebody with the keys of a tenant. */
export const attacksOf = (tenant: ATenant, round: string): readonly Attack[] => {
  const attacker = attackerOf(tenant, round);
  const { sent, nobodys, captured, asked, sql } = attacker;
  const base = attacker.at("endpoints/");
  const trend = (properties: unknown) => ({ kind: "TrendsQuery", series: [{ kind: "EventsNode", event: "a", properties }] });
  const filtered = (operator: string, value: unknown): readonly Shot[] =>
    asked(trend([{ key: "version", type: "event", operator, value }]));
  const attack = (name: string, shots: readonly Shot[]): Attack => ({ name, shots });
  const lambdas = `${"f(x -> ".repeat(23)}1${")".repeat(23)}`;
  const events = (properties: (at: number) => object, count: number): string =>
    JSON.stringify({
      api_key: tenant.projectToken,
      batch: Array.from({ length: count }, (_, at) => ({ event: "$set", distinct_id: "victim", properties: properties(at) })),
    });
  const fields = (count: number, prefix: string): object =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, at]));

  return [
    attack("capture: four megabytes of separators", [captured(`data=1${"&".repeat(4 * MIB)}`, FORM)]),
    attack("capture: two million names", [captured(`data=1&${"a&".repeat(2 * MIB)}`, FORM)]),
    attack("capture: a bomb of gzip", [captured(gzipSync(Buffer.alloc(512 * MIB)))]),
    attack("capture: deep nesting", [captured(`${"[".repeat(2 * MIB)}`)]),
    attack("capture: millions of values", [captured(`{"api_key":"${tenant.projectToken}","batch":[${"{},".repeat(2 * MIB)}{}]}`)]),
    attack("capture: ever new properties of one person", [captured(events((at) => ({ $set: fields(2_000, `p${round}_${at}_`) }), 20))]),
    attack("capture: ever new group types", [captured(events((at) => ({ $groups: fields(500, `t${round}_${at}_`) }), 50))]),
    attack("API: four megabytes of separators", [sent(base, "&".repeat(4 * MIB), FORM)]),
    attack("API: two million names", [sent(base, "a&".repeat(2 * MIB - 1), FORM)]),
    attack("API: half a million different names", [
      sent(
        base,
        list(500_000, (at) => `n${at.toString(36)}`, "&"),
        FORM,
      ),
    ]),
    attack("API: forms without a key", [nobodys(base, "a&".repeat(2 * MIB - 1), FORM)]),
    attack("API: many parts", [
      sent(base, `${list(40_000, (at) => `--b\r\ncontent-disposition: form-data; name="n${at}"\r\n\r\n1\r\n`, "")}--b--\r\n`, MULTIPART),
    ]),
    attack("API: a path that is none, with 16 MiB", [sent("/api/nothing/", Buffer.alloc(16 * MIB, 32))]),
    attack("API: 16 MiB where four are taken", [sent(base, Buffer.alloc(16 * MIB, 32))]),
    attack("API: deep nesting", [sent(base, "[".repeat(4 * MIB - 1))]),
    attack("a key: lambdas in lambdas", sql(`SELECT ${lambdas}`)),
    attack("a key: lambdas in an override", [
      ...asked(trend(null), { filters_override: { properties: [{ type: "hogql", key: lambdas }] } }),
    ]),
    attack("a key: brackets", sql(`SELECT ${"(".repeat(40_000)}1`)),
    attack("a key: branches", sql(`SELECT ${"1 ? ".repeat(20)}1${" : 2".repeat(20)}`)),
    attack("a key: quotes without an end", sql(`SELECT '${"\\'".repeat(40_000)}`)),
    attack("a key: many words", sql(`SELECT ${list(4_900, () => "a")}`)),
    attack("a key: COLUMNS that backtracks", sql(`SELECT COLUMNS('^(([a-z])+.)+[A-Z]$') FROM (SELECT 1 AS ${"a".repeat(60)})`)),
    attack("a key: brackets in a pattern", sql(`SELECT extract(event, '${"(".repeat(90_000)}') FROM events`)),
    attack("a key: repetitions of repetitions", sql(`SELECT match(event, '${"((a?){30}){30}".repeat(2_000)}') FROM events`)),
    attack(
      "a key: patterns that are long once they are written out",
      sql(`SELECT ${list(9, () => `match(event, '${"a{1000}".repeat(1_300)}')`)} FROM events`),
    ),
    attack("a key: backslashes", sql(`SELECT match(event, '${"\\d".repeat(45_000)}') FROM events`)),
    attack(
      "a key: CTEs of many columns, one of the other",
      sql(
        `WITH c0 AS (SELECT ${list(700, (at) => `1 AS c${at}`)}), ${list(120, (at) => `c${at + 1} AS (SELECT * FROM c${at} WHERE c1 = 1)`)} SELECT * FROM c120`,
      ),
    ),
    attack("API: JSON that is not read before anybody is let in", [
      nobodys(base, `{"personal_api_key":"phx_no","list":[${list(290_000, String)}]}`),
    ]),
    attack("a key: a version with many tails", filtered("semver_wildcard", `1${".*x".repeat(30_000)}!`)),
    attack("a key: char of many arguments", sql(`SELECT char(${list(4_000, () => "65")})`)),
    attack("a key: concat of many arguments", sql(`SELECT concat(${list(1_100, () => "event")}) FROM events`)),
    attack("a key: a long order", sql(`SELECT event FROM events ORDER BY ${list(600, (at) => `event || '${at}'`)}`)),
    attack("a key: many columns of many rows", sql(`SELECT ${list(400, () => "*")} FROM numbers(50000) LIMIT 50000`)),
    attack(
      "a key: aliases that double",
      sql(`SELECT ${list(30, (at) => (at === 0 ? "event AS a0" : `a${at - 1} || a${at - 1} AS a${at}`))} FROM events`),
    ),
    attack(
      "a key: CTEs that double",
      sql(
        `WITH ${list(12, (at) => (at === 0 ? "c0 AS (SELECT 1 AS x)" : `c${at} AS (SELECT * FROM c${at - 1} UNION ALL SELECT * FROM c${at - 1})`))} SELECT * FROM c11`,
      ),
    ),
    attack("a key: a text that is repeated", sql("SELECT length(repeat(repeat('x', 1000000), 1000000))")),
    attack("a key: long descriptions in a list", [
      ...Array.from({ length: 6 }, (_, at) =>
        sent(base, JSON.stringify({ name: `long-${round}-${at}`, query: sqlQuery(`SELECT '${"é".repeat(90_000)}'`) })),
      ),
      sent(`${base}?limit=1000`, "", JSON_TYPE, "GET"),
    ]),
    attack("a key: many variables", asked(sqlQuery("SELECT 1"), { variables: fields(40_000, "n") })),
    attack("nobody's keys", [
      ...Array.from({ length: 100 }, (_, at) => ({
        method: "GET",
        path: base,
        headers: { authorization: `Bearer phx_guess_${round}_${at}` },
        body: "",
      })),
    ]),
    ...bombs(attacker),
    ...keyless(attacker),
    ...rules(attacker),
    ...endlessQueries(attacker),
  ];
};

/** What others send of the same size and mean well with. */
export const harmlessOf = (tenant: ATenant, round: string): Attack => {
  const headers = { authorization: `Bearer ${tenant.personalKey}`, "content-type": JSON_TYPE };
  const base = `/api/projects/${tenant.projectId}/endpoints/`;
  const batch = Array.from({ length: 4_096 }, (_, at) => ({ event: "a", distinct_id: `u${at}`, properties: { note: "x".repeat(900) } }));
  const query = sqlQuery(`SELECT count() FROM events WHERE event = '${"a".repeat(90_000)}'`);
  return {
    name: "harmless",
    shots: [
      { method: "POST", path: "/batch/", headers, body: JSON.stringify({ api_key: tenant.projectToken, batch }) },
      { method: "POST", path: base, headers, body: JSON.stringify({ name: `harmless-${round}`, query }) },
      { method: "POST", path: `${base}harmless-${round}/run/`, headers, body: JSON.stringify({ refresh: "force" }) },
    ],
  };
};
