import type { TableUse, Uses } from "../lib/app/uses.ts";
import { PARTITIONS, type PartitionName } from "../lib/table/partitions.ts";

/** The partition keys that a function may read, those of the indexes among them, with `*` for whatever fills a hole. */
export const readableKeys = ({ read }: TableUse): readonly string[] => patterns(read.flatMap(keysRead));

/** The partition keys that a function may write to, with `*` for whatever fills a hole. */
export const writableKeys = ({ write = [] }: TableUse): readonly string[] => patterns(write.map((name) => PARTITIONS[name].pk));

const keysRead = (name: PartitionName): readonly string[] => {
  const { pk, indexes = [] }: { readonly pk: string; readonly indexes?: readonly string[] } = PARTITIONS[name];
  return [pk, ...indexes];
};

/** As the condition of a policy has them; one that another takes in is left out. */
const patterns = (templates: readonly string[]): readonly string[] => {
  const all = [...new Set(templates.map((pk) => pk.replaceAll(/\{[^}]+\}/g, "*")))];
  return all.filter((pattern) => !all.some((wider) => wider !== pattern && isWithin(pattern, wider)));
};

/** Whether a pattern that ends in `*` takes in all that another does. */
const isWithin = (pattern: string, wider: string): boolean =>
  wider.endsWith("*") && pattern.startsWith(wider.slice(0, -1)) && !wider.slice(0, -1).includes("*");

/** Whether a function may read or write items under a partition key, one of an index among them, as its role's policy decides it. */
export interface KeyRights {
  read(pk: string): boolean;
  write(pk: string): boolean;
}

export const keyRights = ({ table = { read: [] } }: Uses): KeyRights => {
  const [readable, writable] = [matcher(readableKeys(table)), matcher(writableKeys(table))];
  return { read: (pk) => readable.test(pk), write: (pk) => writable.test(pk) };
};

const matcher = (all: readonly string[]): RegExp =>
  new RegExp(`^(?:${all.map((pattern) => pattern.replaceAll("*", ".*")).join("|")})$`, "s");
