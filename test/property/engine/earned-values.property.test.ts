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
import { ODD_KEYS as KEYS, ODD_VALUES as VALUES } from "../../support/samples/odd-properties.ts";

const PROJECT = 1;
const LIMITS = { timeMs: 20_000, maxRows: 10_000, maxReplyBytes: 50_000_000 };
const MOST = 10_000;

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
