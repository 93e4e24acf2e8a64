import { describe, expect, it } from "vitest";
import { exactJson } from "../../core/exact-json.ts";
import { Defect } from "../../core/unreachable.ts";
import { derivePersonId } from "../../event/identity.ts";
import type { Column } from "../parquet/parquet-pages.ts";
import { parquetFile, readParquet } from "../parquet.ts";
import { decodeDeltaFile, encodeDeltaFile } from "./delta-files.ts";
import type { Deltas } from "./deltas.ts";

const PROJECT = 7;
const at = (index: number) => ({ time: 1_000n + BigInt(index), index, uuid: `uuid-${index}` });

const DELTAS: Deltas = {
  seen: [
    { id: "ann", first: at(0), last: 2_000n },
    { id: "bob", first: at(1), last: 3_000n },
  ],
  persons: [
    {
      at: at(2),
      id: "ann",
      merge: { kind: "identify", source: "anon" },
      set: { a: 1, n: exactJson("123456789012345678") },
      setOnce: { b: 2 },
      unset: ["c"],
    },
    { at: at(3), id: "bob", merge: null, set: { a: 1 }, setOnce: null, unset: null },
  ],
  groups: [
    { at: at(4), slot: 3, key: "acme", set: { seats: 5, tax: [exactJson("123456789012345679")] } },
    { at: at(5), slot: 0, key: "ann", set: {} },
  ],
};

describe("a file of deltas", () => {
  it("gives back what was written, also of none of a kind", async () => {
    for (const deltas of [DELTAS, { ...DELTAS, seen: [] }, { ...DELTAS, persons: [] }, { ...DELTAS, groups: [] }]) {
      expect(await decodeDeltaFile(await encodeDeltaFile(PROJECT, deltas))).toEqual(deltas);
    }
  });

  it("has the columns that queries read, with the person of each id and nobody's of a group", async () => {
    const rows = await readParquet(await encodeDeltaFile(PROJECT, DELTAS));
    const nobody = "00000000-0000-0000-0000-000000000000";
    const row = (kind: number, distinct_id: string, index: number, last: bigint, body: string | null) => {
      const { time, uuid } = at(index);
      return { kind, distinct_id, person_id: kind === 2 ? nobody : derivePersonId(PROJECT, distinct_id), time, index, uuid, last, body };
    };
    expect(rows).toEqual([
      row(0, "ann", 0, 2_000n, null),
      row(0, "bob", 1, 3_000n, null),
      row(1, "ann", 2, 1_002n, '[{"kind":"identify","source":"anon"},{"a":1,"n":123456789012345678},{"b":2},["c"]]'),
      row(1, "bob", 3, 1_003n, '[null,{"a":1},null,null]'),
      row(2, "acme", 4, 1_004n, '[3,{"seats":5,"tax":[123456789012345679]}]'),
      row(2, "ann", 5, 1_005n, "[0,{}]"),
    ]);
  });

  it("says which version of the format it has", async () => {
    expect(
      Buffer.from(await encodeDeltaFile(PROJECT, DELTAS)).includes(
        Buffer.from([1, ..."v".split("").map((c) => c.charCodeAt(0)), 0x18, 1, 0x31]),
      ),
    ).toBe(true);
  });

  const COLUMNS: readonly Column[] = [
    { name: "kind", kind: "int32", values: Int32Array.of(0) },
    { name: "distinct_id", kind: "utf8", values: ["ann"], nullable: false, repeats: false },
    { name: "time", kind: "timestamp", values: BigInt64Array.of(1n) },
    { name: "index", kind: "int32", values: Int32Array.of(0) },
    { name: "uuid", kind: "utf8", values: ["u"], nullable: false, repeats: false },
    { name: "last", kind: "timestamp", values: BigInt64Array.of(1n) },
    { name: "body", kind: "utf8", values: [null], nullable: true, repeats: false },
  ];

  it.each(["distinct_id", "time", "uuid", "last"])("is not guessed where its column %s is of another kind", async (name) => {
    const other: Column = { name, kind: "boolean", values: [true] };
    const columns = COLUMNS.map((column) => (column.name === name ? other : column));
    expect((await decodeDeltaFile((await parquetFile(COLUMNS, 1, {})).content)).seen).toHaveLength(1);
    await expect(decodeDeltaFile((await parquetFile(columns, 1, {})).content)).rejects.toThrow(Defect);
  });
});
