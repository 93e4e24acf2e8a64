import { beforeAll, describe, expect, it } from "vitest";
import { exactJson } from "../../../lib/core/exact-json.ts";
import { earnedColumn } from "../../../lib/event/earned-properties.ts";
import { derivePersonId } from "../../../lib/event/identity.ts";
import { lower } from "../../../lib/hogql/lower.ts";
import type { PropertyType } from "../../../lib/hogql/options.ts";
import { parse } from "../../../lib/hogql/parse.ts";
import type { PinnedState, StateFile } from "../../../lib/lake/catalogue.ts";
import { buildColumns } from "../../../lib/lake/persons/state-columns.ts";
import { writeFiles } from "../../../lib/lake/persons/state-files.ts";
import { mergedRows } from "../../../lib/lake/persons/state-merge.ts";
import type { StateRow } from "../../../lib/lake/persons/state-rows.ts";
import { anEngine } from "../../support/engine.ts";
import { pinnedOf } from "../../support/lake-state.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { ODD_KEYS as KEYS, LONG_NUMBERS, ODD_VALUES } from "../../support/samples/odd-properties.ts";

const PROJECT = 1;
const MOST = 10_000;
const LIMITS = { timeMs: 20_000, maxRows: MOST + 1, maxReplyBytes: 50_000_000 };

/** As state files hold values: whatever was sent was parsed, and long numbers kept their digits. */
const VALUES = [...new Set([...ODD_VALUES, ...LONG_NUMBERS].map((raw) => JSON.stringify(exactJson(raw))))];

const DOCUMENTS = [...VALUES.map((raw) => `{${KEYS.map((key) => `${JSON.stringify(key)}:${raw}`).join(",")}}`), "{}"];

const persons = DOCUMENTS.map((properties, at): StateRow<"persons"> => {
  const distinct_id = `d${at}`;
  const row = { distinct_id, created_at: BigInt(at), properties, is_identified: true, last_seen_at: BigInt(at) };
  return [derivePersonId(PROJECT, distinct_id), row];
}).sort(([a], [b]) => (a < b ? -1 : 1));

const groups = DOCUMENTS.map((document, at): StateRow<"groups"> => {
  const [key, moment] = [`g${String(at).padStart(4, "0")}`, { time: BigInt(at), index: 0, uuid: "" }];
  const properties = new Map(Object.entries(Object(exactJson(document))).map(([name, value]) => [name, { at: moment, value }]));
  return [`0:${key}`, { slot: 0, key, createdAt: moment.time, updatedAt: moment.time, properties }];
});

const COLUMNS = KEYS.map((property) => earnedColumn({ property, type: "text" }));
const CUT = { most: 1_000, withGone: false };

describe("a property of a person and of a group, of any name and any value", () => {
  const objects = memoryObjects();
  const engine = anEngine(objects);
  const parts = { objects, ids: { uuid: () => "", ulid: () => String(numbers++).padStart(26, "0"), secret: () => new Uint8Array() } };
  let numbers = 0;
  let [json, earned, copied, both, layered]: PinnedState[] = [];

  beforeAll(async () => {
    const write = async (columns: typeof COLUMNS, from: number, to: number, layer = 0) => ({
      persons: await writeFiles(parts, PROJECT, "persons", merged("persons", [], persons.slice(from, to)), layer, columns),
      groups: await writeFiles(parts, PROJECT, "groups", merged("groups", [], groups.slice(from, to)), layer, columns),
    });
    const merged = <K extends "persons" | "groups">(kind: K, files: readonly StateFile[], rows: readonly StateRow<K>[]) =>
      mergedRows(objects, kind, files, buildColumns(kind, rows), CUT);
    const pinned = (...files: readonly Awaited<ReturnType<typeof write>>[]): PinnedState => {
      const state = { v: 1, id: "s", distinctIds: [], history: [], absorbed: [], absorbedAt: [] };
      const of = (kind: "persons" | "groups") => files.flatMap((some) => some[kind]);
      return { ...pinnedOf(PROJECT, []), state: { ...state, persons: of("persons"), groups: of("groups") } };
    };
    const half = DOCUMENTS.length >> 1;
    const [whole, few] = [await write(COLUMNS, 0, DOCUMENTS.length), await write(COLUMNS.slice(0, 3), 0, DOCUMENTS.length)];
    json = pinned(await write([], 0, DOCUMENTS.length));
    earned = pinned(whole);
    // From files that have some of the columns, and rows that have none.
    copied = pinned({
      persons: await writeFiles(parts, PROJECT, "persons", merged("persons", few.persons, persons.slice(half)), 0, COLUMNS),
      groups: await writeFiles(parts, PROJECT, "groups", merged("groups", few.groups, groups.slice(half)), 0, COLUMNS),
    });
    both = pinned(await write(COLUMNS, 0, half), await write([], half, DOCUMENTS.length));
    layered = pinned(await write([], 0, DOCUMENTS.length), await write(COLUMNS, half, DOCUMENTS.length, 1));
  });

  const ask = async (text: string, type: PropertyType, pinned: PinnedState | undefined, hasEarned: boolean) => {
    const options = { project: PROJECT, timezone: "UTC", now: 0, variables: {}, page: { limit: MOST, offset: 0 } };
    const { lowered } = lower(await parse(text), { ...options, propertyType: () => type, hasEarned: () => hasEarned });
    return (await engine().run(lowered, pinned ?? pinnedOf(PROJECT, []), LIMITS)).rows;
  };

  const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, "\\$&")}'`;

  it.each(["String", "Numeric", "Boolean", "DateTime"] as const)("is the same from the column and from the JSON: %s", async (type) => {
    for (const key of KEYS) {
      for (const table of ["persons", "groups"]) {
        const text = `SELECT created_at, properties[${quoted(key)}] FROM ${table} ORDER BY created_at`;
        const rows = await ask(text, type, json, false);
        expect(rows).toHaveLength(DOCUMENTS.length);
        for (const pinned of [json, earned, copied, both, layered]) expect(await ask(text, type, pinned, true)).toEqual(rows);
      }
    }
  });

  it.each([
    ["String", ["= 'true'", "!= 'true'", "= ''", "LIKE '%5%'", "> 'm'", "IS NULL", "IS NOT NULL"]],
    ["Numeric", ["> 5", "< 0", "= 0", "!= 1", "IS NULL", "BETWEEN -2 AND 2"]],
    ["Boolean", ["= true", "!= true", "IS NULL"]],
    ["DateTime", ["> '2025-12-31 00:00:00'", "IS NULL"]],
  ] as const)("is found, counted and ordered the same: %s", async (type, conditions) => {
    const asked = [
      ...conditions.map((condition) => `SELECT created_at FROM persons WHERE properties.plan ${condition} ORDER BY created_at`),
      "SELECT properties.plan AS plan, count() FROM groups GROUP BY plan ORDER BY count() DESC, plan",
      "SELECT created_at FROM persons ORDER BY properties.plan, properties['a.b'] DESC, created_at",
      "SELECT toString(properties.plan), properties.plan = properties['*'], properties FROM persons ORDER BY created_at",
    ];
    for (const text of asked) {
      const rows = await ask(text, type, json, false);
      for (const pinned of [earned, both, layered]) expect([text, await ask(text, type, pinned, true)]).toEqual([text, rows]);
    }
  });
});
