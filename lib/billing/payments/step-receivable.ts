import type { Write } from "../../ports/table.ts";
import { get } from "../../table/store.ts";
import { nextVersion } from "../../table/versions.ts";
import { type BillingParts, runCommand } from "../commands.ts";
import { type CreditGrant, CreditGrants, entryWrite } from "../customer/credit-grant.ts";
import { nextReceivable, type Receivable, type ReceivableKey, type ReceivableStep, Receivables } from "./receivable.ts";

/** Takes a step of a receivable, once. False where its state does not have that step, because it was taken before or comes too early. */
export const stepReceivable = (parts: BillingParts, key: ReceivableKey, step: ReceivableStep): Promise<boolean> =>
  runCommand(parts, { organization: key.organization_id, operation: "step-receivable", key: undefined, body: null }, async () => {
    const writes = await receivableWrites(parts, key, step);
    return { writes: writes ?? [], answer: writes !== undefined };
  });

/** The writes of a step, with what becomes of the credit; undefined where the receivable's state does not have that step. */
export const receivableWrites = async (
  parts: BillingParts,
  { organization_id, id }: ReceivableKey,
  step: ReceivableStep,
): Promise<readonly Write[] | undefined> => {
  const found = await get(parts.table, Receivables, { organization_id, id }, { consistent: true });
  const next = found && nextReceivable(found, step, parts.clock.now());
  if (next === undefined) return undefined;
  const grant = await get(parts.table, CreditGrants, { organization_id, id: next.grant_id }, { consistent: true });
  return [nextVersion(Receivables, next), ...(grant === undefined ? [] : grantConsequences(parts, next, grant))];
};

/** Credit that was waited for is there once it is paid. Nothing is left of credit that is not owed for any more. */
const grantConsequences = (parts: BillingParts, { state }: Receivable, grant: CreditGrant): readonly Write[] => {
  if (state === "paid" && grant.state === "pending") return activateGrant(parts, grant);
  return state === "voided" ? takeBackGrant(parts, grant) : [];
};

const activateGrant = ({ ids, clock }: BillingParts, grant: CreditGrant): readonly Write[] => [
  nextVersion(CreditGrants, { ...grant, state: "active", remaining_cents: grant.cents }),
  entryWrite(grant, { delta_cents: grant.cents, reason: "grant", invoice_id: null }, ids, clock.now()),
];

/** The writes that take back what is left of credit, or that it is waited for; none where there is nothing to take. */
export const takeBackGrant = ({ ids, clock }: Pick<BillingParts, "ids" | "clock">, grant: CreditGrant): readonly Write[] => {
  if (grant.state !== "active" && grant.state !== "pending") return [];
  const voided = nextVersion(CreditGrants, { ...grant, state: "voided", remaining_cents: 0, due_at: null });
  if (grant.remaining_cents === 0) return [voided];
  return [voided, entryWrite(grant, { delta_cents: -grant.remaining_cents, reason: "void", invoice_id: null }, ids, clock.now())];
};
