import { type Invoice, Invoices } from "../../entities/billing/invoices.ts";
import type { Table } from "../../ports/table.ts";
import { list } from "../../table/store.ts";

/** An organization's invoices, the newest first: twelve a year. */
export const readInvoices = (table: Table, organization_id: string): Promise<readonly Invoice[]> =>
  list(table, Invoices, "key", { organization_id }, { descending: true, consistent: true });
