import fc from "fast-check";
import { expect, test } from "vitest";
import { byteOrder } from "../../lib/core/byte-order.ts";
import {
  type Condition,
  ConditionFailed,
  type Item,
  type Key,
  type Page,
  type Query,
  type Table,
  type Write,
} from "../../lib/ports/table.ts";

/** Runs of a whole command list; each opens a partition of its own. */
const RUNS = 25;
const COMMANDS = 80;

const SORT_KEYS = ["a", "a#1", "a#2", "b", "😀"] as const;
const NUMBERS = [0, 1, 2, 3] as const;

interface Model {
  readonly items: Map<string, Item>;
}
interface Real {
  readonly table: Table;
  readonly pk: string;
}
type Command = fc.AsyncCommand<Model, Real>;

/** Random puts, updates, removals, transactions and queries agree with a plain map, conditions and orders included. */
export const tableModel = (table: () => Table): void => {
  test("any sequence of calls agrees with a plain map", async () => {
    let run = 0;
    const started = Date.now().toString(36);
    await fc.assert(
      fc.asyncProperty(fc.commands(commands, { maxCommands: COMMANDS, size: "max" }), async (list) => {
        run += 1;
        const real = { table: table(), pk: `model#${started}#${run}` };
        await fc.asyncModelRun(() => ({ model: { items: new Map() }, real }), list);
      }),
      { numRuns: RUNS },
    );
  });
};

const sortKey = fc.constantFrom(...SORT_KEYS);
const number = fc.constantFrom(...NUMBERS);
const condition: fc.Arbitrary<Condition | undefined> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  fc.constant<Condition>({ kind: "absent" }),
  fc.constant<Condition>({ kind: "present" }),
  number.map((value): Condition => ({ kind: "equals", attribute: "n", value })),
  number.map((value): Condition => ({ kind: "less", attribute: "n", value })),
  fc.constant<Condition>({ kind: "lacks", attribute: "n" }),
  number.map(
    (value): Condition => ({
      kind: "any",
      of: [
        { kind: "has", attribute: "m" },
        { kind: "equals", attribute: "n", value },
      ],
    }),
  ),
);

/** A write of the partition that a run is given. */
const write = fc.record({ sk: sortKey, n: number, m: fc.boolean(), when: condition, kind: fc.constantFrom("put", "update", "remove") });
type Wanted = typeof write extends fc.Arbitrary<infer W> ? W : never;

const asWrite = (wanted: Wanted, pk: string): Write => {
  const key = { pk, sk: wanted.sk };
  const when = wanted.when && { when: wanted.when };
  switch (wanted.kind) {
    case "put":
      return { kind: "put", item: { ...key, n: wanted.n, gsi1pk: pk, gsi1sk: `s${wanted.n}` }, ...when };
    case "update":
      return {
        kind: "update",
        key,
        change: { add: { n: wanted.n }, ...(wanted.m ? { set: { m: true } } : { remove: ["m", "gsi1pk"] }) },
        ...when,
      };
    default:
      return { kind: "remove", key, ...when };
  }
};

const key = (each: Write): Key => (each.kind === "put" ? each.item : each.key);

/** The same write on the map. */
const onModel = ({ items }: Model, each: Write): void => {
  const { pk, sk } = key(each);
  switch (each.kind) {
    case "put":
      items.set(sk, each.item);
      return;
    case "remove":
      items.delete(sk);
      return;
    case "update": {
      const was = items.get(sk);
      const next: Record<string, Item[string]> & Key = { ...was, pk, sk };
      for (const [name, by] of Object.entries(each.change.add ?? {})) next[name] = Number(was?.[name] ?? 0) + by;
      Object.assign(next, each.change.set);
      for (const name of each.change.remove ?? []) delete next[name];
      items.set(sk, next);
      return;
    }
    default:
      return;
  }
};

const expected = (item: Item | undefined, when: Condition | undefined): boolean => {
  switch (when?.kind) {
    case undefined:
      return true;
    case "absent":
      return item === undefined;
    case "present":
      return item !== undefined;
    case "equals":
      return item?.[when.attribute] === when.value;
    case "less":
      return Number(item?.[when.attribute] ?? Number.NaN) < Number(when.value);
    case "lacks":
      return item?.[when.attribute] === undefined;
    case "has":
      return item?.[when.attribute] !== undefined;
    case "any":
      return when.of.some((each) => expected(item, each));
    case "all":
      return when.of.every((each) => expected(item, each));
    default:
      return false;
  }
};

/** Runs writes as one call and checks that it was refused exactly where the map says so. */
const perform = async (model: Model, call: () => Promise<unknown>, writes: readonly Write[]): Promise<void> => {
  const failing = writes.flatMap((each, at) => (expected(model.items.get(key(each).sk), each.when) ? [] : [at]));
  const error = await call().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (failing.length > 0) {
    expect(error).toBeInstanceOf(ConditionFailed);
    expect(error).toHaveProperty("failed", failing);
    return;
  }
  expect(error).toBeUndefined();
  for (const each of writes) onModel(model, each);
};

const single = (table: Table, each: Write): Promise<unknown> => {
  if (each.kind === "put") return table.put(each.item, each.when);
  if (each.kind === "update") return table.update(each.key, each.change, each.when);
  return table.remove(key(each), each.when);
};

const command = (name: string, run: (model: Model, real: Real) => Promise<void>): Command => ({
  check: () => true,
  run,
  toString: () => name,
});

const everything = async (table: Table, query: Query): Promise<readonly Item[]> => {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const page: Page = await table.query({ ...query, cursor });
    items.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== null);
  return items;
};

const commands: fc.Arbitrary<Command>[] = [
  write.map((wanted) =>
    command(`write ${JSON.stringify(wanted)}`, (model, { table, pk }) => {
      const each = asWrite(wanted, pk);
      return perform(model, () => single(table, each), [each]);
    }),
  ),
  fc.uniqueArray(write, { selector: (wanted) => wanted.sk, minLength: 1, maxLength: 4 }).map((all) =>
    command(`transact ${JSON.stringify(all)}`, (model, { table, pk }) => {
      const writes = all.map((wanted) => asWrite(wanted, pk));
      return perform(model, () => table.transact(writes), writes);
    }),
  ),
  sortKey.map((sk) =>
    command(`get ${sk}`, async (model, { table, pk }) => {
      expect(await table.get({ pk, sk }, { consistent: true })).toEqual(model.items.get(sk));
    }),
  ),
  fc.record({ descending: fc.boolean(), limit: fc.integer({ min: 1, max: 4 }), from: sortKey, to: sortKey }).map((wanted) =>
    command(`query ${JSON.stringify(wanted)}`, async (model, { table, pk }) => {
      const { descending, limit, from, to } = wanted;
      const found = await everything(table, { pk, descending, limit, sk: { from, to }, consistent: true });
      const inside = [...model.items.values()]
        .filter((item) => byteOrder(item.sk, from) >= 0 && byteOrder(item.sk, to) <= 0)
        .sort((left, right) => byteOrder(left.sk, right.sk));
      expect(found).toEqual(descending ? inside.toReversed() : inside);
    }),
  ),
  fc.boolean().map((descending) =>
    command(`index ${descending}`, async (model, { table, pk }) => {
      const found = await everything(table, { index: "gsi1", pk, descending, limit: 2 });
      const order = found.map((item) => String(item.gsi1sk));
      expect(order).toEqual(descending ? order.toSorted().reverse() : order.toSorted());
      const inside = [...model.items.values()].filter((item) => item.gsi1pk !== undefined && item.gsi1sk !== undefined);
      const bySk = (left: Item, right: Item): number => byteOrder(left.sk, right.sk);
      expect(found.toSorted(bySk)).toEqual(inside.toSorted(bySk));
    }),
  ),
];
