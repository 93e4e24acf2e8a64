import type { Table } from "../../ports/table.ts";
import { list } from "../../table/store.ts";
import { type Invoice, Invoices } from "../invoices.ts";

/** An organization's invoices, the newest first: twelve a year. */
export const readInvoices = (table: Table, organization_id: string): Promise<readonly Invoice[]> =>
  list(table, Invoices, "key", { organization_id }, { descending: true, consistent: true });
