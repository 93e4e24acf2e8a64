import type { Uses } from "../lib/app/uses.ts";
import { PARTITIONS } from "../lib/table/partitions.ts";

/** The partition keys that a function may write to, `*` for whatever fills a hole; undefined for any. */
export const writableKeys = ({ table = [] }: Uses): readonly string[] | undefined => {
  if (table === "any partition") return undefined;
  const patterns = [...new Set(table.map((name) => PARTITIONS[name].pk.replaceAll(/\{[^}]+\}/g, "*")))];
  return patterns.filter((pattern) => !patterns.some((wider) => wider !== pattern && isWithin(pattern, wider)));
};

/** Whether a pattern that ends in `*` takes in all that another does. */
const isWithin = (pattern: string, wider: string): boolean =>
  wider.endsWith("*") && pattern.startsWith(wider.slice(0, -1)) && !wider.slice(0, -1).includes("*");
