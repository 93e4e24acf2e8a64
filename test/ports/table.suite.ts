import { describe, expect, test } from "vitest";
import { ConditionFailed, type Item, type Page, type Query, type Table, type Write } from "../../lib/ports/table.ts";
import { tableModel } from "./table.model.ts";

/** What every table promises, be it DynamoDB, the embedded one or the one in memory. Each test has a partition of its own. */
export const tableSuite = (name: string, table: () => Table): void => {
  describe(`the table port on ${name}`, () => {
    let partitions = 0;
    const partition = (): string => {
      partitions += 1;
      return `suite#${Date.now().toString(36)}#${partitions}`;
    };

    const all = async (query: Query): Promise<{ readonly items: readonly Item[]; readonly pages: readonly Page[] }> => {
      const pages: Page[] = [];
      let cursor: string | null = null;
      do {
        const page: Page = await table().query({ ...query, cursor });
        pages.push(page);
        cursor = page.cursor;
      } while (cursor !== null);
      return { items: pages.flatMap((page) => page.items), pages };
    };

    const failure = async (call: Promise<unknown>): Promise<ConditionFailed> => {
      const error = await call.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (!(error instanceof ConditionFailed)) throw new Error(`expected a failed condition, not ${String(error)}`);
      return error;
    };

    test("what is put is got back whole, without what was undefined", async () => {
      const key = { pk: partition(), sk: "a" };
      const item = {
        ...key,
        text: "",
        words: "żółć 😀 \u0000",
        whole: Number.MAX_SAFE_INTEGER,
        fraction: 0.1,
        negative: -1.5,
        yes: true,
        nothing: null,
        bytes: new Uint8Array([0, 1, 255]),
        none: new Uint8Array(),
        list: ["a", 1, null, [], { deep: [new Uint8Array([7])] }],
        map: { a: { b: {} }, gone: undefined },
      };
      await table().put({ ...item, absent: undefined });
      const { map, ...rest } = item;
      expect(await table().get(key, { consistent: true })).toEqual({ ...rest, map: { a: { b: {} } } });
      expect(await table().get({ pk: key.pk, sk: "b" })).toBeUndefined();
    });

    test("a put replaces the item and all its attributes", async () => {
      const key = { pk: partition(), sk: "a" };
      await table().put({ ...key, old: 1 });
      await table().put({ ...key, fresh: 2 });
      expect(await table().get(key, { consistent: true })).toEqual({ ...key, fresh: 2 });
    });

    test("an update creates, sets, adds and removes, and returns the item as it is then", async () => {
      const key = { pk: partition(), sk: "a" };
      expect(await table().update(key, { set: { name: "x" }, add: { count: 2 } })).toEqual({ ...key, name: "x", count: 2 });
      expect(await table().update(key, { add: { count: -5 }, remove: ["name", "never"] })).toEqual({ ...key, count: -3 });
      expect(await table().update(key, {})).toEqual({ ...key, count: -3 });
      expect(await table().update({ ...key, sk: "b" }, {})).toEqual({ ...key, sk: "b" });
    });

    test("removing what does not exist is no error", async () => {
      const key = { pk: partition(), sk: "a" };
      await table().remove(key);
      await table().put(key);
      await table().remove(key);
      expect(await table().get(key, { consistent: true })).toBeUndefined();
    });

    test("conditions guard a write, and the refusal shows the stored item", async () => {
      const key = { pk: partition(), sk: "a" };
      const stored = { ...key, n: 5, word: "m", list: [1, { a: "b" }], bytes: new Uint8Array([1]), nothing: null };
      await table().put(stored, { kind: "absent" });
      const refused = await failure(table().put(key, { kind: "absent" }));
      expect(refused).toMatchObject({ failed: [0], stored });
      const holding: readonly Parameters<Table["put"]>[1][] = [
        { kind: "present" },
        { kind: "equals", attribute: "n", value: 5 },
        { kind: "equals", attribute: "list", value: [1, { a: "b" }] },
        { kind: "equals", attribute: "bytes", value: new Uint8Array([1]) },
        { kind: "equals", attribute: "nothing", value: null },
        { kind: "less", attribute: "n", value: 6 },
        { kind: "less", attribute: "word", value: "n" },
        { kind: "lacks", attribute: "other" },
        { kind: "has", attribute: "nothing" },
        {
          kind: "any",
          of: [
            { kind: "absent" },
            {
              kind: "all",
              of: [
                { kind: "has", attribute: "n" },
                { kind: "lacks", attribute: "m" },
              ],
            },
          ],
        },
      ];
      for (const when of holding) await table().put(stored, when);
      const failing: readonly Parameters<Table["put"]>[1][] = [
        { kind: "equals", attribute: "n", value: "5" },
        { kind: "equals", attribute: "other", value: null },
        { kind: "equals", attribute: "list", value: [1, { a: "c" }] },
        { kind: "less", attribute: "n", value: 5 },
        { kind: "less", attribute: "n", value: "6" },
        { kind: "less", attribute: "other", value: 6 },
        { kind: "lacks", attribute: "nothing" },
        { kind: "has", attribute: "other" },
        {
          kind: "all",
          of: [
            { kind: "present" },
            {
              kind: "any",
              of: [
                { kind: "has", attribute: "m" },
                { kind: "lacks", attribute: "n" },
              ],
            },
          ],
        },
      ];
      for (const when of failing) {
        await failure(table().put({ ...key, lost: true }, when));
        await failure(table().update(key, { set: { lost: true } }, when));
        await failure(table().remove(key, when));
      }
      expect(await table().get(key, { consistent: true })).toEqual(stored);
    });

    test("adding from many sides at once loses nothing", async () => {
      const key = { pk: partition(), sk: "a" };
      await Promise.all(Array.from({ length: 40 }, () => table().update(key, { add: { n: 1 } })));
      expect(await table().get(key, { consistent: true })).toEqual({ ...key, n: 40 });
    });

    test("any number of keys is read at once, each item once", async () => {
      const pk = partition();
      const items = Array.from({ length: 130 }, (_, at) => ({ pk, sk: `k${at}`, n: at }));
      await Promise.all(items.map((item) => table().put(item)));
      const keys = [...items, ...items, { pk, sk: "none" }].map(({ sk }) => ({ pk, sk }));
      const found = await table().getMany(keys, { consistent: true });
      expect([...found].sort((a, b) => Number(a.n) - Number(b.n))).toEqual(items);
      expect(await table().getMany([])).toEqual([]);
    });

    test("large items are read at once although one answer cannot hold them", async () => {
      const pk = partition();
      const text = "x".repeat(350_000);
      const keys = Array.from({ length: 60 }, (_, at) => ({ pk, sk: `k${at}` }));
      await Promise.all(keys.map((key) => table().put({ ...key, text })));
      const found = await table().getMany(keys);
      expect(new Set(found.map((item) => item.sk))).toEqual(new Set(keys.map((key) => key.sk)));
    });

    test("a query gives sort keys in the order of their bytes, within its bounds", async () => {
      const pk = partition();
      const sks = ["a", "a#1", "a#10", "a#2", "b", "ä", "\uffff", "😀"];
      await Promise.all(sks.map((sk) => table().put({ pk, sk })));
      const read = async (query: Omit<Query, "pk">) => (await all({ ...query, pk, consistent: true })).items.map((item) => item.sk);
      expect(await read({})).toEqual(sks);
      expect(await read({ descending: true })).toEqual(sks.toReversed());
      expect(await read({ sk: { prefix: "a#1" } })).toEqual(["a#1", "a#10"]);
      expect(await read({ sk: { prefix: "" } })).toEqual(sks);
      expect(await read({ sk: { from: "a#10", to: "b" } })).toEqual(["a#10", "a#2", "b"]);
      expect(await read({ sk: { from: "ä" } })).toEqual(["ä", "\uffff", "😀"]);
      expect(await read({ sk: { to: "a#1" } })).toEqual(["a", "a#1"]);
      expect(await read({ sk: { from: "b", to: "a" } })).toEqual([]);
      expect(await read({ sk: { from: "a#1", to: "b" }, descending: true, limit: 2 })).toEqual(["b", "a#2", "a#10", "a#1"]);
    });

    test("pages end at the limit and together are the whole, also when only counted", async () => {
      const pk = partition();
      const items = Array.from({ length: 10 }, (_, at) => ({ pk, sk: `k${at}` }));
      await Promise.all(items.map((item) => table().put(item)));
      for (const limit of [1, 3, 5, 10, 11]) {
        const { items: found, pages } = await all({ pk, limit, consistent: true });
        expect(found).toEqual(items);
        expect(Math.max(...pages.map((page) => page.items.length))).toBe(Math.min(limit, 10));
      }
      const counted = await all({ pk, limit: 4, countOnly: true });
      expect(counted.items).toEqual([]);
      expect(counted.pages.reduce((sum, page) => sum + page.count, 0)).toBe(10);
    });

    test("a page also ends at a megabyte", async () => {
      const pk = partition();
      const items = Array.from({ length: 8 }, (_, at) => ({ pk, sk: `k${at}`, text: "x".repeat(300_000) }));
      await Promise.all(items.map((item) => table().put(item)));
      const { items: found, pages } = await all({ pk, consistent: true });
      expect(found.map((item) => item.sk)).toEqual(items.map((item) => item.sk));
      expect(pages.length).toBeGreaterThan(1);
    });

    test("an index holds the items with both of its keys, and follows them", async () => {
      const pk = partition();
      const listed = (name: string, n: number): Item => ({ pk, sk: name, gsi1pk: `${pk}#list`, gsi1sk: `s${n}`, n });
      await table().put(listed("a", 3));
      await table().put(listed("b", 1));
      await table().put({ pk, sk: "c", n: 2 });
      const query: Query = { index: "gsi1", pk: `${pk}#list` };
      const names = async () => (await all(query)).items.map((item) => item.sk);
      expect((await all(query)).items).toEqual([listed("b", 1), listed("a", 3)]);
      await table().update({ pk, sk: "a" }, { set: { gsi1sk: "s0" } });
      expect(await names()).toEqual(["a", "b"]);
      await table().update({ pk, sk: "c" }, { set: { gsi1pk: `${pk}#list`, gsi1sk: "s05" } });
      expect(await names()).toEqual(["a", "c", "b"]);
      await table().update({ pk, sk: "a" }, { remove: ["gsi1pk", "gsi1sk"] });
      await table().remove({ pk, sk: "b" });
      expect(await names()).toEqual(["c"]);
    });

    test("items with one index key between them are all paged through", async () => {
      const pk = partition();
      await Promise.all(Array.from({ length: 7 }, (_, at) => table().put({ pk, sk: `k${at}`, duepk: pk, duesk: "same" })));
      for (const descending of [false, true]) {
        const { items } = await all({ index: "due", pk, limit: 2, descending });
        expect(items.map((item) => item.sk).sort()).toEqual(["k0", "k1", "k2", "k3", "k4", "k5", "k6"]);
      }
    });

    test("keys-only indexes give keys only", async () => {
      const pk = partition();
      const key = { pk, sk: "a" };
      await table().put({ ...key, gsi2pk: `${pk}#2`, gsi2sk: "x", duepk: `${pk}#d`, duesk: "y", secret: 1 });
      expect((await table().query({ index: "gsi2", pk: `${pk}#2` })).items).toEqual([{ ...key, gsi2pk: `${pk}#2`, gsi2sk: "x" }]);
      expect((await table().query({ index: "due", pk: `${pk}#d` })).items).toEqual([{ ...key, duepk: `${pk}#d`, duesk: "y" }]);
    });

    test("an item whose index key is empty or no text is refused", async () => {
      const pk = partition();
      await expect(table().put({ pk, sk: "a", gsi1pk: "", gsi1sk: "x" })).rejects.toThrow();
      await expect(table().put({ pk, sk: "a", gsi1pk: 7, gsi1sk: "x" })).rejects.toThrow();
      await expect(table().put({ pk, sk: "" })).rejects.toThrow();
      expect(await table().get({ pk, sk: "a" })).toBeUndefined();
    });

    test("an item above 400 KB is refused", async () => {
      await expect(table().put({ pk: partition(), sk: "a", text: "x".repeat(410_000) })).rejects.toThrow();
    });

    test("a transaction does all or nothing and names what failed", async () => {
      const pk = partition();
      await table().put({ pk, sk: "there", n: 1 });
      const writes: readonly Write[] = [
        { kind: "put", item: { pk, sk: "new" }, when: { kind: "absent" } },
        { kind: "update", key: { pk, sk: "there" }, change: { add: { n: 1 } }, when: { kind: "equals", attribute: "n", value: 1 } },
        { kind: "check", key: { pk, sk: "gone" }, when: { kind: "absent" } },
        { kind: "remove", key: { pk, sk: "old" } },
      ];
      await table().transact(writes);
      expect((await all({ pk, consistent: true })).items).toEqual([
        { pk, sk: "new" },
        { pk, sk: "there", n: 2 },
      ]);
      expect((await failure(table().transact(writes))).failed).toEqual([0, 1]);
      expect(await table().get({ pk, sk: "there" }, { consistent: true })).toEqual({ pk, sk: "there", n: 2 });
      await table().transact([]);
    });

    test("a transaction takes a hundred writes and no more, and no item twice", async () => {
      const pk = partition();
      const puts = (count: number): readonly Write[] =>
        Array.from({ length: count }, (_, at) => ({ kind: "put", item: { pk, sk: `k${at}` } }));
      await table().transact(puts(100));
      await expect(table().transact(puts(101))).rejects.toThrow();
      await expect(table().transact([...puts(1), { kind: "remove", key: { pk, sk: "k0" } }])).rejects.toThrow();
      expect((await all({ pk, countOnly: true })).pages.reduce((sum, page) => sum + page.count, 0)).toBe(100);
    });

    test("two transactions for one place: one wins, the other is told", async () => {
      const pk = partition();
      const claim = (owner: number) =>
        table().transact([
          { kind: "put", item: { pk, sk: "place", owner }, when: { kind: "absent" } },
          { kind: "put", item: { pk, sk: `owner${owner}` } },
        ]);
      const results = await Promise.allSettled(Array.from({ length: 8 }, (_, owner) => claim(owner)));
      const winners = results.flatMap((result, owner) => (result.status === "fulfilled" ? [owner] : []));
      expect(winners).toHaveLength(1);
      expect((await all({ pk, consistent: true })).items.map((item) => item.sk)).toEqual([`owner${winners[0]}`, "place"]);
    });

    tableModel(table);
  });
};
