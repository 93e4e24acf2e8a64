import { INDEXES, type Table } from "../../lib/ports/table.ts";
import { listKeys, PARTITIONS, type PartitionName, partitionNames } from "../../lib/table/partitions.ts";

/** The partitions that were touched, by name and in order. */
export interface Touched {
  readonly read: readonly PartitionName[];
  readonly write: readonly PartitionName[];
}

/** Notes which partitions of a table are touched while something is called, whatever its name is. */
export const watchPartitions = (table: Table) => {
  const noted = new Map<string, { readonly read: Set<PartitionName>; readonly write: Set<PartitionName> }>();
  let called = "";
  const note = (verb: keyof Touched, pk: string): void => {
    if (called === "") return;
    const touched = noted.get(called) ?? { read: new Set(), write: new Set() };
    noted.set(called, touched);
    touched[verb].add(partitionOf(pk));
  };
  const watched =
    <A extends readonly unknown[], T>(verb: keyof Touched, keys: (...given: A) => readonly string[], call: (...given: A) => T) =>
    (...given: A): T => {
      for (const pk of keys(...given)) note(verb, pk);
      return call(...given);
    };
  const { get, getMany, query, put, update, remove, transact } = table;
  Object.assign(table, {
    get: watched("read", ({ pk }) => [pk], get),
    getMany: watched("read", (keys) => keys.map(({ pk }) => pk), getMany),
    query: watched("read", ({ pk }) => [pk], query),
    put: watched("write", ({ pk }) => [pk], put),
    update: watched("write", ({ pk }) => [pk], update),
    remove: watched("write", ({ pk }) => [pk], remove),
    transact: watched("write", (writes) => writes.map((write) => (write.kind === "put" ? write.item.pk : write.key.pk)), transact),
  } satisfies Table);
  return {
    /** Whatever is touched from now on is of this call. */
    begin(name: string): void {
      called = name;
    },
    touched: (): Readonly<Record<string, Touched>> =>
      Object.fromEntries(
        [...noted.keys()].toSorted().map((name) => {
          const { read = [], write = [] } = noted.get(name) ?? {};
          return [name, { read: [...read].toSorted(), write: [...write].toSorted() }];
        }),
      ),
  };
};

/** Keys of the table and of its indexes, a hole between two `#` for whatever fills it. */
const KEYS: readonly (readonly [PartitionName, RegExp])[] = partitionNames.flatMap((name) => {
  const listed = INDEXES.flatMap((index) => listKeys(name, index));
  return [PARTITIONS[name].pk, ...listed].map(
    (template) => [name, new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, "[^#]*")}$`, "s")] as const,
  );
});

const partitionOf = (pk: string): PartitionName => {
  const [name] = KEYS.find(([, key]) => key.test(pk)) ?? [];
  if (name === undefined) throw new Error(`no partition has the key ${pk}`);
  return name;
};
