import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readTable } from "../../../test/support/iceberg/read-table.ts";
import { aState, PROJECT, smallLake } from "../../../test/support/samples/small-lake.ts";
import { swap } from "../../lake/catalogue/swap.ts";
import { STATE_ENTRY, type StateFile } from "../../lake/catalogue.ts";
import { readParquet } from "../../lake/parquet.ts";
import { snapshotKey } from "../../lake/paths.ts";
import { currentRows } from "../../lake/persons/state-merge.ts";
import { encodeRows, type PersonRow, type StateRow } from "../../lake/persons/state-rows.ts";
import { POLICIES } from "../../lake/policy.ts";
import { readPublished } from "../metadata.ts";
import { publishProject } from "../publish.ts";

const personId = (at: number): string => `00000000-0000-7000-8000-${at.toString(16).padStart(12, "0")}`;

/** A layer: which of ten persons it has, with what, null where one is gone. Only the lowest has none that are gone. */
const layer = fc.dictionary(fc.integer({ min: 0, max: 9 }).map(String), fc.option(fc.integer({ min: 0, max: 99 })), { maxKeys: 10 });
const rowOf = (id: number, value: number | null): StateRow<"persons"> => {
  const stamp = BigInt(value ?? 0);
  const row: PersonRow = { distinct_id: `d${id}`, created_at: stamp, properties: "{}", is_identified: true, last_seen_at: stamp };
  return [personId(id), value === null ? null : row];
};

const aLakeWith = async (layers: readonly Readonly<Record<string, number | null>>[]) => {
  const lake = await smallLake(1_800_000_000_000);
  const persons: StateFile[] = [];
  for (const [number, each] of layers.entries()) {
    const rows = Object.entries(each)
      .filter(([, value]) => number > 0 || value !== null)
      .map(([id, value]) => rowOf(Number(id), value))
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const [first, last] = [rows[0], rows.at(-1)];
    if (!first || !last) continue;
    const content = await encodeRows("persons", rows, { replacing: number > 0 });
    const key = snapshotKey(PROJECT, "persons", lake.parts.ids.ulid());
    await lake.parts.objects.put(key, content);
    persons.push({ key, bytes: content.length, rows: rows.length, layer: number, v: 2, keys: [first[0], last[0]] });
  }
  await swap(lake.parts, POLICIES.deployed, PROJECT, STATE_ENTRY, null, aState("s1", { persons }), null, { retired: [] });
  return { ...lake, persons };
};

describe("the published persons", () => {
  it("are those of the state, whichever layers replace, add and take away", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(layer, { maxLength: 4 }), async (layers) => {
        const { parts, persons } = await aLakeWith(layers);
        await publishProject(parts, POLICIES.deployed, PROJECT);
        const published = await readPublished(parts.table, PROJECT, "persons");
        const get = (key: string) => parts.objects.everything().get(key);
        const { current } = readTable(get, published?.metadata ?? "");
        const gone = new Set<string>();
        for (const { key } of current.deletes)
          for (const { file_path, pos } of await readParquet(get(key) ?? new Uint8Array())) gone.add(`${file_path} ${pos}`);
        const shown: unknown[] = [];
        for (const { key } of current.files)
          for (const [place, row] of (await readParquet(get(key) ?? new Uint8Array())).entries())
            if (!gone.has(`s3://lake/${key} ${place}`)) shown.push([row.person_id, row.created_at]);
        const held: unknown[] = [];
        for await (const [id, row] of currentRows(parts.objects, "persons", persons)) held.push([id, row?.created_at]);
        expect(shown.sort()).toEqual(held);
      }),
      { numRuns: 60 },
    );
  });
  it("need no file of deletes where no layer stands above another", async () => {
    const { parts } = await aLakeWith([{ 1: 5, 2: 6 }]);
    await publishProject(parts, POLICIES.deployed, PROJECT);
    const published = await readPublished(parts.table, PROJECT, "persons");
    const { current } = readTable((key) => parts.objects.everything().get(key), published?.metadata ?? "");
    expect(current.deletes).toEqual([]);
    expect(current.files.map(({ rows, lower, upper }) => [rows, lower.get(1)?.at(-1), upper.get(1)?.at(-1)])).toEqual([[2, 1, 2]]);
  });
});
