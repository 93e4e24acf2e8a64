import { forEachConcurrent } from "../../core/concurrency.ts";
import { Organizations } from "../../organizations/organizations.ts";
import type { Table } from "../../ports/table.ts";
import { page, pages } from "../../table/store.ts";
import { Invoices } from "../invoices.ts";

/** Organizations looked at at once. */
const LANES = 16;

/** Whether any organization has a period that is billed, or ever had one. */
export const isAnythingOpened = async (table: Table): Promise<boolean> => {
  // What is open is due some day, so one look is nearly always enough.
  const due = await page(table, Invoices, "due", {}, { limit: 1 });
  if (due.items.length > 0) return true;
  for await (const organizations of pages(table, Organizations, "all", {})) {
    let isFound = false;
    const look = async (organization_id: string): Promise<void> => {
      const found = await page(table, Invoices, "key", { organization_id }, { limit: 1, consistent: true });
      if (found.items.length > 0) isFound = true;
    };
    await forEachConcurrent(
      organizations.map(({ id }) => id),
      LANES,
      look,
      () => !isFound,
    );
    if (isFound) return true;
  }
  return false;
};
