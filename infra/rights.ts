import type { TableUse, Uses } from "../lib/app/uses.ts";
import { INDEXES, type IndexName } from "../lib/ports/table.ts";
import { listKeys, PARTITIONS, partitionNames } from "../lib/table/partitions.ts";

/** The partition keys that a function may read, with `*` for whatever fills a hole. */
export const readableKeys = ({ read }: TableUse): readonly string[] => patterns(read.map((name) => PARTITIONS[name].pk));

/** The keys under which a function may list the items of an index. */
export const listableKeys = ({ lists = [] }: TableUse, index: IndexName): readonly string[] => {
  const all = new Set(partitionNames.flatMap((name) => listKeys(name, index)));
  return patterns(lists.filter((key) => all.has(key)));
};

/** The partition keys that a function may write to, with `*` for whatever fills a hole. */
export const writableKeys = ({ write = [] }: TableUse): readonly string[] => patterns(write.map((name) => PARTITIONS[name].pk));

/** As the condition of a policy has them; one that another takes in is left out. */
const patterns = (templates: readonly string[]): readonly string[] => {
  const all = [...new Set(templates.map((pk) => pk.replaceAll(/\{[^}]+\}/g, "*")))];
  return all.filter((pattern) => !all.some((wider) => wider !== pattern && isWithin(pattern, wider)));
};

/** Whether a pattern that ends in `*` takes in all that another does. */
const isWithin = (pattern: string, wider: string): boolean =>
  wider.endsWith("*") && pattern.startsWith(wider.slice(0, -1)) && !wider.slice(0, -1).includes("*");

/** Whether a function may do something with items under a partition key, as its role's policy decides it. */
export interface KeyRights {
  read(pk: string): boolean;
  list(index: IndexName, pk: string): boolean;
  write(pk: string): boolean;
  remove(pk: string): boolean;
  check(pk: string): boolean;
}

export const keyRights = ({ table = { read: [] } }: Uses): KeyRights => {
  const [readable, writable] = [matcher(readableKeys(table)), matcher(writableKeys(table))];
  const listable = Object.fromEntries(INDEXES.map((index) => [index, matcher(listableKeys(table, index))]));
  const write = (pk: string): boolean => writable.test(pk);
  return {
    read: (pk) => readable.test(pk),
    list: (index, pk) => listable[index]?.test(pk) === true,
    write,
    remove: (pk) => table.removes === true && write(pk),
    check: (pk) => table.checks === true && write(pk),
  };
};

const matcher = (all: readonly string[]): RegExp =>
  new RegExp(`^(?:${all.map((pattern) => pattern.replaceAll("*", ".*")).join("|")})$`, "s");
