import * as z from "zod";
import { type Invoice, isMade, isUnpaid, readInvoices } from "../../../lib/billing/invoices.ts";
import type { Table } from "../../../lib/ports/table.ts";

export const StatusQuery = z.object({
  status: z.string().optional().meta({ description: "A state; `open` stands for all that are to be paid. All when left out." }),
});

/** How callers ask for everything that they have to pay. */
const OPEN = "open";

/** The invoices of an organization that are made and in a state, the newest first; all of them without one. */
export const readInvoicesIn = async (table: Table, organization: string, status: string | undefined): Promise<readonly Invoice[]> => {
  const made = (await readInvoices(table, organization)).filter(isMade);
  return made.filter((invoice) => !status || (status === OPEN ? isUnpaid(invoice) : invoice.state === status));
};
