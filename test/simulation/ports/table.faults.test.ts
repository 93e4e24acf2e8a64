import { describe, expect, test } from "vitest";
import { Conflict, type Item } from "../../../lib/ports/table.ts";
import { memoryTable, TableFault } from "./table.ts";

const item = (sk: string, more: Readonly<Record<string, string | number>> = {}): Item => ({ pk: "p", sk, ...more });

describe("the table in memory is as weak as the real one", () => {
  test("a query sees part of a transaction while single reads see the whole", async () => {
    const seen: string[] = [];
    const table = memoryTable({
      random: () => 0.9,
      step: async (label) => {
        if (label !== "table transact item" || inside) return;
        inside = true;
        const page = await table.query({ pk: "p", consistent: true });
        const single = await Promise.all([table.get(item("a")), table.get(item("b"))]);
        seen.push(`${page.items.length} of ${single.filter((each) => each !== undefined).length}`);
        inside = false;
      },
    });
    let inside = false;
    await table.transact([
      { kind: "put", item: item("a") },
      { kind: "put", item: item("b") },
    ]);
    expect(seen).toEqual(["0 of 2", "1 of 2"]);
    expect((await table.query({ pk: "p", consistent: true })).items).toHaveLength(2);
  });

  test("a writer that meets a transaction is told so, and may go on afterwards", async () => {
    let met: unknown;
    let inside = false;
    const table = memoryTable({
      step: async (label) => {
        if (label !== "table transact item" || inside) return;
        inside = true;
        met ??= await table.put(item("a")).catch((error: unknown) => error);
        inside = false;
      },
    });
    await table.transact([
      { kind: "put", item: item("a") },
      { kind: "put", item: item("b") },
    ]);
    expect(met).toBeInstanceOf(Conflict);
    await table.put(item("a", { n: 1 }));
  });

  test("a transaction whose caller was stopped in the middle is whole some calls later, and told of at once", async () => {
    let told = 0;
    const table = memoryTable({
      transacted: () => {
        told += 1;
      },
      step: (label) => (label === "table transact item" ? new Promise<void>(() => undefined) : Promise.resolve()),
    });
    void table.transact([
      { kind: "put", item: item("a") },
      { kind: "put", item: item("b") },
    ]);
    for (let call = 0; call < 30; call += 1) {
      await table.get(item("x"));
      expect(told).toBe(1);
    }
    expect((await table.query({ pk: "p" })).items).toHaveLength(2);
    await table.put(item("a"));
  });

  test("an index entry comes late, in the order of its item's writes", async () => {
    const table = memoryTable({ random: () => 0.99, faults: { indexLagCalls: 5 } });
    const query = { index: "due", pk: "d" } as const;
    await table.put(item("a", { duepk: "d", duesk: "1" }));
    expect((await table.query(query)).items).toEqual([]);
    for (let call = 0; call < 6; call += 1) await table.get(item("x"));
    expect((await table.query(query)).items).toHaveLength(1);
    await table.remove(item("a"));
    expect((await table.query(query)).items).toHaveLength(1);
    table.settle();
    expect((await table.query(query)).items).toEqual([]);
  });

  test("an answer is lost after the write was done; a throttled call does nothing", async () => {
    const lost = memoryTable({ random: () => 0, faults: { lostAnswer: 1 } });
    await expect(lost.put(item("a"))).rejects.toThrow(TableFault);
    expect(await lost.get(item("a"))).toEqual(item("a"));
    const throttled = memoryTable({ random: () => 0, faults: { throttled: 1 } });
    await expect(throttled.put(item("a"))).rejects.toThrow(TableFault);
    expect(throttled.everything()).toEqual([]);
  });

  test("a write that the client repeated meets its own first try", async () => {
    const table = memoryTable({ random: () => 0, faults: { repeated: 1 } });
    await expect(table.put(item("a"), { kind: "absent" })).rejects.toThrow("condition");
    expect((await table.update(item("b"), { add: { n: 1 } })).n).toBe(2);
  });

  test("a read that is not consistent may be stale, a consistent one never", async () => {
    const table = memoryTable({ random: () => 0, faults: { stale: 1 } });
    await table.put(item("a", { n: 1 }));
    await table.put(item("a", { n: 2 }));
    expect(await table.get(item("a"))).toEqual(item("a", { n: 1 }));
    expect(await table.get(item("a"), { consistent: true })).toEqual(item("a", { n: 2 }));
  });

  test("pages end early, and all of them together are the whole", async () => {
    const table = memoryTable({ random: () => 0, faults: { shortPage: 1 } });
    for (const sk of ["a", "b", "c"]) await table.put(item(sk));
    const first = await table.query({ pk: "p" });
    expect(first.items).toEqual([item("a")]);
    expect((await table.query({ pk: "p", cursor: first.cursor })).items).toEqual([item("b")]);
  });
});
