import { expect, test } from "vitest";
import type { Table } from "../../lib/ports/table.ts";
import { memoryTable } from "../simulation/ports/table.ts";
import { meteredTable, type TableCall } from "../support/table-meter/meter.ts";

const work = async (table: Table): Promise<void> => {
  const big = "x".repeat(2_500);
  await table.put({ pk: "p", sk: "a", text: big, gsi1pk: "g", gsi1sk: "1" });
  await table.update({ pk: "p", sk: "a" }, { set: { gsi1sk: "2" } });
  await table.put({ pk: "p", sk: "a" }, { kind: "absent" }).catch(() => undefined);
  await table.transact([
    { kind: "put", item: { pk: "p", sk: "b" } },
    { kind: "check", key: { pk: "p", sk: "a" }, when: { kind: "present" } },
  ]);
  await table.get({ pk: "p", sk: "a" }, { consistent: true });
  await table.getMany([
    { pk: "p", sk: "a" },
    { pk: "p", sk: "none" },
  ]);
  await table.query({ pk: "p", countOnly: true });
  await table.remove({ pk: "p", sk: "a" });
};

test("the meter around a table and the one inside the memory table give one bill", async () => {
  const inside: TableCall[] = [];
  const around: TableCall[] = [];
  await work(memoryTable({ meter: { record: (call) => inside.push(call) } }));
  await work(meteredTable(memoryTable(), { record: (call) => around.push(call) }));
  expect(around).toEqual(inside);
  expect(inside.map((call) => [call.kind, call.items, call.readUnits, call.writeUnits, call.indexWriteUnits])).toEqual([
    ["put", 1, 0, 3, 3],
    ["update", 1, 0, 3, 6],
    ["put", 1, 0, 3, 0],
    ["transact", 2, 0, 8, 0],
    ["get", 1, 1, 0, 0],
    ["getMany", 2, 1, 0, 0],
    ["query", 2, 0.5, 0, 0],
    ["remove", 1, 0, 3, 3],
  ]);
});
