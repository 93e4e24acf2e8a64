import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { earnedColumn } from "../../../lib/event/earned-properties.ts";
import { lower } from "../../../lib/hogql/lower.ts";
import type { PropertyType } from "../../../lib/hogql/options.ts";
import { parse } from "../../../lib/hogql/parse.ts";
import type { FileFacts } from "../../../lib/lake/catalogue.ts";
import { eventFileKey, segmentKey } from "../../../lib/lake/paths.ts";
import { anEngine } from "../../support/engine.ts";
import { pinnedOf, storedSegment } from "../../support/lake-state.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { anEventRow } from "../../support/samples/event-rows.ts";

const PROJECT = 1;
const LIMITS = { timeMs: 20_000, maxRows: 10_000, maxReplyBytes: 50_000_000 };
const MOST = 10_000;

const KEYS = ["plan", "", "*", "a.b", 'a"b', "a\\b", "a'b", "$", "a[0]", "#", "ü💩", "a/b", "~0", " lead ", "\u0001", "x".repeat(200)];

/** JSON as it may stand behind a key, written out: numbers that no double holds, and texts that some reader takes for a number. */
const ODD = [
  ...['""', '"a\\"b"', '"a\\\\b"', '"\\n\\t"', '"\\u0000"', '"\\u00e9"', '"\\ud83d\\udca9"', '" "', '"null"', '"{}"', '"[1]"'],
  ...["0", "-0", "0.0", "1", "1.0", "-1.5", "0.1", "1e5", "1E5", "1e-7", "1e21", "5e-324", "1.7976931348623157e308"],
  ...["9007199254740993", "12345678901234567", "18446744073709551615", "18446744073709551616", "123456789012345678901234567890"],
  ...["true", "false", "null", "{}", "[]", '{"a":[1,"x",null]}', '[[1.50],{"":""}]', '{"b":1,"a":2}'],
  ...['"nan"', '"NaN"', '"inf"', '"-Infinity"', '"infinity"', '" 5"', '"5 "', '"1_000"', '"0x1F"', '"1e5"', '"1e400"', '"-1e400"'],
  ...['"+7"', '".5"', '"5."', '"-"', '"--1"', '"1,5"', '"1 000"', '"１"', '"true"', '"TRUE"', '"1"', '"0"', '"yes"'],
  ...['"2026-01-01"', '"2026-01-01T10:00:00Z"', '"2026-13-01"', '"10:00"'],
  `"${"long ".repeat(3_000)}"`,
];

const random = fc
  .sample(fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.string({ unit: "binary" }), fc.double({ noNaN: true, noDefaultInfinity: true })), {
    numRuns: 60,
    seed: 7,
  })
  .filter((value) => JSON.stringify(value).isWellFormed() && !JSON.stringify(value).includes("\\ud"))
  .map((value) => JSON.stringify(value));

const VALUES = [...ODD, ...random];

/** What access to the property yields, said without any engine: whether a text is that of a value as it is written. */
const says = (text: unknown, raw: string): boolean => {
  const value = JSON.parse(raw);
  if (value === null || value === "") return text === null;
  if (typeof value === "string") return text === value;
  if (typeof text !== "string") return false;
  if (typeof value === "number") return Number(text) === value;
  return JSON.stringify(JSON.parse(text)) === JSON.stringify(value);
};

describe("a property of any name and any value", () => {
  const objects = memoryObjects();
  const engine = anEngine(objects);
  let [json, earned, narrow, narrowJson]: FileFacts[] = [];

  beforeAll(async () => {
    const documents = [
      ...VALUES.map((raw) => `{${KEYS.map((key) => `${JSON.stringify(key)}:${raw}`).join(",")}}`),
      ...["{}", `{"plan":1,"plan":"twice"}`, `{"other":{"plan":"inside"}}`],
    ];
    const rows = documents.map((properties, at) =>
      anEventRow({ uuid: `0190a1b2-c3d4-7e5f-8a9b-${String(at).padStart(12, "0")}`, distinct_id: `d${at % 5}`, properties }),
    );
    const segment = await storedSegment(engine(), objects, segmentKey(PROJECT, "2025-06", "s"), rows);
    const few = rows.filter(({ properties }) => ['"nan"', "1"].some((raw) => properties.startsWith(`{"plan":${raw},`)));
    const fewSegment = await storedSegment(engine(), objects, segmentKey(PROJECT, "2025-06", "few"), few);
    const columns = KEYS.flatMap((property) => (["text", "number"] as const).map((type) => earnedColumn({ property, type })));
    const merged = async (name: string, some: typeof columns, file = segment) => {
      const sources = [{ file, skip: [] }];
      return (await engine().rowFiles.merge(PROJECT, sources, "one", () => eventFileKey(PROJECT, "2025-06", name), some))[0];
    };
    json = await merged("json", []);
    earned = await merged("earned", columns);
    narrowJson = await merged("narrow-json", [], fewSegment);
    narrow = await merged("narrow", columns, fewSegment);
  });

  const ask = async (text: string, type: PropertyType, files: readonly (FileFacts | undefined)[], hasEarned: boolean) => {
    const options = { project: PROJECT, timezone: "UTC", now: 0, variables: {}, page: { limit: MOST, offset: 0 } };
    const { lowered } = lower(await parse(text), { ...options, propertyType: () => type, hasEarned: () => hasEarned });
    const { rows } = await engine().run(
      lowered,
      pinnedOf(
        PROJECT,
        files.filter((file) => file !== undefined),
      ),
      { ...LIMITS, maxRows: MOST + 1 },
    );
    return rows;
  };

  const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, "\\$&")}'`;
  const TYPES = ["String", "Numeric", "Boolean", "DateTime"] as const;

  it("is in the file's column what access to it yields", async () => {
    for (const key of KEYS) {
      const rows = await ask(`SELECT properties[${quoted(key)}] FROM events ORDER BY uuid`, "String", [earned], true);
      const wrong = VALUES.filter((raw, at) => !says(rows[at]?.[0], raw));
      expect([key, wrong]).toEqual([key, []]);
      expect(rows.at(VALUES.length)).toEqual([null]);
    }
  });

  it.each(TYPES)("is the same from the column, from the JSON, and of files of both kinds: %s", async (type) => {
    for (const key of KEYS) {
      const text = `SELECT properties[${quoted(key)}] FROM events ORDER BY uuid`;
      const rows = await ask(text, type, [json], false);
      expect(await ask(text, type, [json], true)).toEqual(rows);
      expect(await ask(text, type, [earned], true)).toEqual(rows);
      const both = await ask(text, type, [json, earned], true);
      expect(both.filter((_, at) => at % 2 === 0)).toEqual(rows);
      expect(both.filter((_, at) => at % 2 === 1)).toEqual(rows);
    }
  });

  it.each([
    ["String", ["= 'true'", "!= 'true'", "= ''", "LIKE '%5%'", "> 'm'", "IN ('0', 'nan', '1e5')", "IS NULL", "IS NOT NULL"]],
    ["Numeric", ["> 5", "< 0", "= 0", "!= 1", "= 12345678901234567", "IN (1, 5)", "IS NULL", "IS NOT NULL", "BETWEEN -2 AND 2"]],
    ["Boolean", ["= true", "!= true", "IS NULL"]],
    ["DateTime", ["> '2025-12-31 00:00:00'", "IS NULL"]],
  ] as const)("is found by the same conditions: %s", async (type, conditions) => {
    for (const condition of conditions) {
      const text = `SELECT uuid, properties.plan FROM events WHERE properties.plan ${condition} ORDER BY uuid`;
      expect([condition, await ask(text, type, [earned], true)]).toEqual([condition, await ask(text, type, [json], false)]);
      // Of a file whose statistics say that there is one number, and nothing of what is none.
      expect([condition, await ask(text, type, [narrow], true)]).toEqual([condition, await ask(text, type, [narrowJson], false)]);
    }
  });

  it.each(TYPES)("is counted and ordered the same: %s", async (type) => {
    for (const text of [
      "SELECT properties.plan AS plan, count() FROM events GROUP BY plan ORDER BY count() DESC, plan",
      "SELECT uuid FROM events ORDER BY properties.plan, properties['a.b'] DESC, uuid",
      "SELECT uniq(properties.plan), count(properties.plan), min(properties.plan), max(properties.plan) FROM events",
      "SELECT toString(properties.plan), properties.plan = properties['*'], properties.other.plan FROM events ORDER BY uuid",
    ])
      expect([text, await ask(text, type, [earned], true)]).toEqual([text, await ask(text, type, [json], false)]);
  });
});
