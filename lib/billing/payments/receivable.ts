import * as z from "zod";
import type { Table } from "../../ports/table.ts";
import { entity } from "../../table/entity.ts";
import { within } from "../../table/partitions.ts";
import { list } from "../../table/store.ts";
import type { CreditGrant } from "../customer/credit-grant.ts";
import { PAYABLE_MS } from "../invoices.ts";

const RECEIVABLE_STATES = ["open", "paid", "voided", "uncollectible"] as const;
export type ReceivableState = (typeof RECEIVABLE_STATES)[number];

/** What is owed beside invoices: the price of credit that was bought. */
export const Receivable = z.object({
  organization_id: z.guid(),
  id: z.string(),
  kind: z.enum(["credit_purchase"]),
  /** The credit that it is for. */
  grant_id: z.string(),
  cents: z.int().positive(),
  state: z.enum(RECEIVABLE_STATES),
  /** Milliseconds since 1970. */
  created_at: z.int(),
  /** From then on one that is still open is overdue, as an invoice is. */
  overdue_at: z.int(),
  paid_at: z.int().nullable(),
  version: z.int().min(0),
});
export type Receivable = z.output<typeof Receivable>;

export const Receivables = entity({
  name: "billing-receivable",
  version: 1,
  schema: Receivable,
  key: within("payments", "receivable#{id}", { organization: "organization_id" }),
  patterns: {},
});

/** Which receivable of which organization. */
export type ReceivableKey = Pick<Receivable, "organization_id" | "id">;

/** An organization's receivables, the oldest first. */
export const readReceivables = async (table: Table, organization_id: string): Promise<readonly Receivable[]> =>
  (await list(table, Receivables, "key", { organization_id }, { consistent: true })).toSorted(
    (a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1),
  );

/** Begins each id. What follows is the id of the credit, which is owed for once. */
const PREFIX = "rc_";

export const receivableId = ({ id }: Pick<CreditGrant, "id">): string => `${PREFIX}${id}`;

/** What is owed for credit that was bought. */
export const newReceivable = (grant: CreditGrant, now: number): Receivable => ({
  organization_id: grant.organization_id,
  id: receivableId(grant),
  kind: "credit_purchase",
  grant_id: grant.id,
  cents: grant.charge_cents,
  state: "open",
  created_at: now,
  overdue_at: now + PAYABLE_MS,
  paid_at: null,
  version: 0,
});

/** Whether it is owed and its time has passed. */
export const isOverdue = ({ state, overdue_at }: Pick<Receivable, "state" | "overdue_at">, now: number): boolean =>
  state === "open" && overdue_at <= now;

const RECEIVABLE_STEPS = ["pay", "fail", "write_off", "void"] as const;
export type ReceivableStep = (typeof RECEIVABLE_STEPS)[number];

/** The state that a step leads to, by the state that it is taken in; any other step is none. What could not be collected is bought anew. */
const NEXT: Readonly<Record<ReceivableState, Readonly<Partial<Record<ReceivableStep, ReceivableState>>>>> = {
  open: { pay: "paid", fail: "voided", write_off: "uncollectible", void: "voided" },
  uncollectible: { pay: "paid", void: "voided" },
  paid: {},
  voided: {},
};

/** A receivable after a step; undefined where its state does not have that step. Only what is overdue is written off. */
export const nextReceivable = (receivable: Receivable, step: ReceivableStep, now: number): Receivable | undefined => {
  const state = NEXT[receivable.state][step];
  if (state === undefined || (step === "write_off" && !isOverdue(receivable, now))) return undefined;
  return { ...receivable, state, paid_at: state === "paid" ? now : null };
};
