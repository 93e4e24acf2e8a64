import { expect, it } from "vitest";
import { memoryObjects } from "../../../test/support/memory-objects.ts";
import type { Column } from "../parquet/parquet-pages.ts";
import { parquetFile, readParquet } from "../parquet.ts";
import { encodeLog, type IdLog } from "./person-log.ts";
import { buildColumns, encodeChosen, readStateFile } from "./state-columns.ts";

const seen = { first: { time: 1n, index: 0, uuid: "u" }, last: 2n };
const alone: IdLog = { seen, ops: [], targets: [] };
const merged: IdLog = { seen, ops: [], targets: ["ann"] };

const text = (name: string, values: readonly string[]): Column => ({ name, kind: "utf8", values, nullable: false, repeats: false });

it("says which ids are tied to others when it rewrites logs of the first version, which did not", async () => {
  const objects = memoryObjects();
  const columns = [text("distinct_id", ["ann", "bob"]), text("log", [encodeLog(alone), encodeLog(merged)])];
  await objects.put("old", (await parquetFile(columns, 2, { v: "1" })).content);
  const old = await readStateFile(objects, "history", { key: "old", bytes: 0, rows: 2 });
  const newest = buildColumns("history", [["cleo", merged]]);
  const file = await encodeChosen("history", { from: [old, old, newest], at: [0, 1, 0] }, { replacing: false, earned: [] });
  expect(await readParquet(file)).toEqual([
    { distinct_id: "ann", log: encodeLog(alone), tied: false },
    { distinct_id: "bob", log: encodeLog(merged), tied: true },
    { distinct_id: "cleo", log: encodeLog(merged), tied: true },
  ]);
});
