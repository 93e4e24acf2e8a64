import { hash } from "node:crypto";
import { formatUsd } from "../core/money.ts";
import { isoSeconds } from "../core/time.ts";
import type { Ports } from "../ports/ports.ts";
import type { Write } from "../ports/table.ts";
import { putting } from "../table/store.ts";
import { invoiceTotal, type TotalParts } from "./invoice-total.ts";
import { invoiceId } from "./invoices/invoice-id.ts";
import { type EventType, PendingNotices } from "./notices/notice.ts";

/** Something that happened to an organization's billing. */
export interface BillingEvent {
  readonly type: EventType;
  /** Tells it from every other event of the organization, and is the same however often it is written. */
  readonly subject: string;
  /** Money is text in US dollars. */
  readonly data: Readonly<Record<string, string | number | null>>;
}

const ID_CHARACTERS = 32;

/** The write that has an event told to the endpoints of its organization: part of the transaction that makes it so. It never fails one. */
export const noticeWrites = ({ clock }: Pick<Ports, "clock">, organization_id: string, event: BillingEvent): readonly Write[] => {
  const now = clock.now();
  const digest = hash("sha256", JSON.stringify([organization_id, event.type, event.subject]));
  const id = `evt_${digest.slice(0, ID_CHARACTERS)}`;
  const body = JSON.stringify({ id, type: event.type, created_at: isoSeconds(now), organization_id, data: event.data });
  return [putting(PendingNotices, { organization_id, id, type: event.type, body, created_at: now, due_at: now })];
};

/** As much of an invoice as is told. */
interface InvoiceFacts extends TotalParts {
  readonly organization_id: string;
  readonly id: string;
  readonly number: string | null;
  readonly state: string;
  readonly period_start: number;
  readonly period_end: number;
  readonly due_cents: number;
  readonly issued_at: number | null;
  readonly paid_at: number | null;
  readonly version: number;
}

/** The write that tells of an invoice as it is now: part of the transaction that makes it so, which stores it over its `version`. */
export const invoiceNotice = (parts: Pick<Ports, "clock">, invoice: InvoiceFacts): readonly Write[] =>
  noticeWrites(parts, invoice.organization_id, {
    type: "billing.invoice",
    subject: `${invoice.id}#${invoice.version}`,
    data: {
      id: invoice.id,
      number: invoice.number,
      status: invoice.state,
      period_start: isoSeconds(invoice.period_start),
      period_end: isoSeconds(invoice.period_end),
      total_usd: formatUsd(BigInt(invoiceTotal(invoice))),
      payable_usd: formatUsd(BigInt(invoice.due_cents)),
      issued_at: invoice.issued_at === null ? null : isoSeconds(invoice.issued_at),
      paid_at: invoice.paid_at === null ? null : isoSeconds(invoice.paid_at),
    },
  });

/** As much of an attempt to collect as is told. */
interface PaymentFacts {
  readonly organization_id: string;
  readonly kind: "invoice" | "receivable";
  readonly subject_id: string;
  readonly number: number;
  readonly state: string;
  readonly cents: number;
  readonly refunded_cents: number;
  readonly disputed_cents: number;
  readonly failure: string | null;
  readonly error: string | null;
  readonly version: number;
}

/**
 * The write that tells how a payment stands: part of the transaction that makes it so, which stores it over its `version`. None for one that
 * has not ended, and for one that failed by a fault of the deployment's own, which its customers can do nothing about.
 */
export const paymentNotice = (parts: Pick<Ports, "clock">, payment: PaymentFacts): readonly Write[] => {
  if ((payment.state !== "succeeded" && payment.state !== "failed") || payment.failure === "ours") return [];
  const { kind, subject_id } = payment;
  const subject = kind === "invoice" ? invoiceId(payment.organization_id, subject_id) : subject_id;
  const id = `${subject}_${payment.number}`;
  return noticeWrites(parts, payment.organization_id, {
    type: "billing.payment",
    subject: `${id}#${payment.version}`,
    data: {
      id,
      status: payment.refunded_cents > 0 ? "refunded" : payment.state,
      amount_usd: formatUsd(BigInt(payment.cents)),
      refunded_usd: formatUsd(BigInt(payment.refunded_cents)),
      disputed_usd: formatUsd(BigInt(payment.disputed_cents)),
      invoice_id: kind === "invoice" ? subject : null,
      receivable_id: kind === "receivable" ? subject : null,
      error: payment.error,
    },
  });
};
