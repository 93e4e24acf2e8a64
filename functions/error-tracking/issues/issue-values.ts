import { Issues } from "../../../lib/error-tracking/issues.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { pages } from "../../../lib/table/store.ts";

/** Suggestions of one answer, and the newest issues that they are looked for in. */
const MOST_VALUES = 50;
const MOST_ISSUES = 10_000;

/** Names or descriptions of the newest issues that hold a text, whatever its case. */
export const issueValues = async (table: Table, project: number, key: string, part: string): Promise<readonly string[]> => {
  if (key !== "name" && key !== "issue_description") return [];
  const wanted = part.toLowerCase();
  const found = new Set<string>();
  let seen = 0;
  for await (const issues of pages(table, Issues, "key", { project }, { descending: true })) {
    for (const { name, description } of issues) {
      const value = key === "name" ? name : description;
      if (value?.toLowerCase().includes(wanted)) found.add(value);
      if (found.size >= MOST_VALUES) return [...found];
    }
    seen += issues.length;
    if (seen >= MOST_ISSUES) break;
  }
  return [...found];
};
