import { perOwner } from "../../core/cache.ts";
import { openLine } from "../../core/concurrency.ts";
import type { Table, Write } from "../../ports/table.ts";
import { freeNumber } from "../../table/sequence.ts";

const DIGITS = 6;

/** A number, and the write that takes it: for the transaction that issues the invoice. */
export interface InvoiceNumber {
  readonly number: string;
  readonly taking: Write;
}

/**
 * All invoices of a year share one item, and transactions that meet there undo each other: so those of one process wait for their turn.
 * Between processes the later one begins anew.
 */
const lines = perOwner((_: Table) => openLine());

/** Gives an invoice that is issued at a moment the next number of its year, UTC: `issue` has to take it in the transaction that uses it. */
export const giveNumber = <T>(table: Table, now: number, issue: (given: InvoiceNumber) => Promise<T>): Promise<T> =>
  lines(table)(async () => {
    const year = new Date(now).getUTCFullYear();
    const { number, taking } = await freeNumber(table, `invoices-${year}`);
    return issue({ number: `INV-${year}-${String(number).padStart(DIGITS, "0")}`, taking });
  });
