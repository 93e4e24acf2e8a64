import { isoSeconds } from "../../lib/core/time.ts";
import type { CreditGrant } from "../../lib/entities/billing/credits.ts";
import type { Invoice } from "../../lib/entities/billing/invoices.ts";
import { Organizations } from "../../lib/entities/organizations/organizations.ts";
import { grantState } from "../../lib/ledger/credit/credits.ts";
import { readInvoices } from "../../lib/ledger/invoices/invoice-list.ts";
import type { InvoiceStep } from "../../lib/ledger/invoices/invoice-states.ts";
import { stepInvoice } from "../../lib/ledger/invoices/step-invoice.ts";
import { usd } from "../../lib/ledger/money.ts";
import { giveCredit, setSuspension, voidGrant } from "../../lib/ledger/operate.ts";
import { settle } from "../../lib/ledger/payments/settle.ts";
import { readStanding } from "../../lib/ledger/standing.ts";
import * as store from "../../lib/table/store.ts";
import type { World } from "../../lib/world/world.ts";
import { UserError } from "../local/user-error.ts";
import { type Answer, type Command, type CommandArguments, columns } from "./command.ts";

const flags = { organization: "the organization's id (needed)" };

const PAYABLE = "ID";

const commandOf = (
  name: string,
  summary: string,
  takes: string,
  run: (world: World, organization: string, given: CommandArguments) => Promise<Answer>,
  more: Readonly<Record<string, string>> = {},
): Command => ({
  name: `billing ${name}`,
  summary,
  takes,
  example: `npm run --silent admin -- billing ${name} ${EXAMPLES[takes] ?? ""}--organization 0190d0aa-0000-7000-8000-000000000001`,
  flags: { ...flags, ...more },
  words: takes === "" ? [0, 0] : [1, 1],
  run: async ({ world }, given) => run(world, await organizationOf(world, given), given),
});

const EXAMPLES: Readonly<Record<string, string>> = { [PAYABLE]: "20260701-00000001 ", DOLLARS: "20.00 " };

const organizationOf = async (world: World, { flags: { organization } }: CommandArguments): Promise<string> => {
  if (organization === undefined) throw new UserError("Give the organization's id: --organization ID");
  const found = await store.get(world.table, Organizations, { id: organization }, { consistent: true });
  if (found === undefined) throw new UserError(`There is no organization ${organization}.`);
  return found.id;
};

const show = commandOf("show", "Shows an organization's account, its invoices and its credit", "", async (world, organization) => {
  const [{ account, grants }, invoices] = await Promise.all([
    readStanding(world.table, organization),
    readInvoices(world.table, organization),
  ]);
  const now = world.clock.now();
  const json = { status: account.status, invoices: invoices.map(invoiceShown), credit: grants.map((grant) => grantShown(grant, now)) };
  const rows = [...json.invoices, ...json.credit].map(({ id, what, state, usd: amount, since }) => [id, what, state, amount, since]);
  return { json, lines: [`The account is ${account.status}.`, "", ...columns(["id", "what", "state", "dollars", "since"], rows)] };
});

const invoiceShown = (invoice: Invoice) => ({
  id: invoice.number ?? invoice.id,
  what: "invoice",
  state: invoice.state,
  usd: usd(BigInt(invoice.due_cents)),
  since: isoSeconds(invoice.period_start),
});

const grantShown = (grant: CreditGrant, now: number) => ({
  id: grant.id,
  what: `credit (${grant.source})`,
  state: grantState(grant, now),
  usd: usd(BigInt(grant.remaining_cents)),
  since: isoSeconds(grant.created_at),
});

const done = (json: unknown, line: string): Answer => ({ json, lines: [line] });

const invoiceNamed = async (world: World, organization: string, id: string): Promise<Invoice | undefined> =>
  (await readInvoices(world.table, organization)).find((invoice) => invoice.id === id || invoice.number === id);

const grantNamed = async (world: World, organization: string, id: string): Promise<CreditGrant | undefined> =>
  (await readStanding(world.table, organization)).grants.find((grant) => grant.id === id);

const unknown = (id: string): UserError => new UserError(`There is no invoice or credit ${id}: billing show lists them.`);

const step = async (world: World, invoice: Invoice, to: InvoiceStep): Promise<void> => {
  if (!(await stepInvoice(world, invoice, to)))
    throw new UserError(`The invoice ${invoice.number ?? invoice.id} is ${invoice.state}, so this cannot be done with it.`);
};

const pay = commandOf(
  "pay",
  "Writes down that an invoice, or credit bought by invoice, was paid",
  PAYABLE,
  async (world, organization, { words: [id = ""] }) => {
    const [invoice, grant] = await Promise.all([invoiceNamed(world, organization, id), grantNamed(world, organization, id)]);
    if (invoice !== undefined) await step(world, invoice, "pay");
    else if (grant?.state === "pending")
      await settle(world, { organization_id: organization, kind: "grant", id }, { state: "success", error: null });
    else throw grant === undefined ? unknown(id) : new UserError(`The credit ${id} is ${grant.state}, so nothing is to be paid for it.`);
    return done({ paid: id }, `Paid ${id}.`);
  },
);

const annul = commandOf(
  "void",
  "Takes an unpaid invoice back, and with it what it used of credit; or takes credit back",
  PAYABLE,
  async (world, organization, { words: [id = ""] }) => {
    const invoice = await invoiceNamed(world, organization, id);
    if (invoice !== undefined) await step(world, invoice, "void");
    else if (!(await voidGrant(world, organization, id))) throw unknown(id);
    return done({ voided: id }, `Voided ${id}.`);
  },
);

const writeOff = commandOf(
  "write-off",
  "Gives up on an overdue invoice: the organization's subscription ends",
  PAYABLE,
  async (world, organization, { words: [id = ""] }) => {
    const invoice = await invoiceNamed(world, organization, id);
    if (invoice === undefined) throw unknown(id);
    await step(world, invoice, "write_off");
    return done({ written_off: id }, `Wrote off ${id}.`);
  },
);

const suspend = commandOf("suspend", "Suspends an organization's account", "", async (world, organization) => {
  const status = await setSuspension(world, organization, "suspended");
  return done({ status }, `The account is ${status}.`);
});

const resume = commandOf("resume", "Lets a suspended account go on", "", async (world, organization) => {
  const status = await setSuspension(world, organization, "resumed");
  return done({ status }, `The account is ${status}.`);
});

const DOLLARS = /^(\d{1,9})(?:\.(\d{2}))?$/;

const credit = commandOf(
  "credit",
  "Gives an organization credit",
  "DOLLARS",
  async (world, organization, { words: [amount = ""], flags: { expires } }) => {
    const [, whole = "", places = "00"] = DOLLARS.exec(amount) ?? [];
    const cents = Number(`${whole}${places}`);
    if (whole === "" || cents === 0) throw new UserError(`Give an amount in dollars, such as 20 or 20.50, not "${amount}".`);
    const expires_at = expires === undefined ? null : Date.parse(expires);
    if (Number.isNaN(expires_at)) throw new UserError(`--expires ${expires} is no date.`);
    const { id } = await giveCredit(world, organization, { cents, expires_at });
    return done({ id, usd: usd(BigInt(cents)) }, `Gave ${usd(BigInt(cents))} dollars of credit: ${id}.`);
  },
  { expires: "when it ends, such as 2027-01-01; never when left out" },
);

/** What the operator of the platform does to a customer's billing. */
export const BILLING_COMMANDS: readonly Command[] = [show, pay, annul, writeOff, suspend, resume, credit];
