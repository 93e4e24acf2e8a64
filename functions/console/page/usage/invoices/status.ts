import type { Invoice } from "../calls.ts";

/** An invoice's state as a word. */
export const statusWord = ({ status }: Pick<Invoice, "status">): string => status.replaceAll("_", " ");

/** Whether an invoice is still to be paid. */
export const isUnpaid = ({ status }: Pick<Invoice, "status">): boolean =>
  status === "issued" || status === "payment_failed" || status === "overdue";
