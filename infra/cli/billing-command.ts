import type { World } from "../../lib/app/world.ts";
import { giveCredit, voidGrant } from "../../lib/billing/credit.ts";
import { type CustomerState, readCustomerState, setSuspension } from "../../lib/billing/customer.ts";
import { type Invoice, type InvoiceStep, readInvoices, stepInvoice } from "../../lib/billing/invoices.ts";
import { settle } from "../../lib/billing/payments.ts";
import { formatUsd } from "../../lib/core/money.ts";
import { Organizations } from "../../lib/organizations/organizations.ts";
import * as store from "../../lib/table/store.ts";
import { UserError } from "../local/user-error.ts";
import type { Answer, CommandArguments, Run } from "./command.ts";

/** Commands on the organization that `--organization` names. */
const toOrganization =
  (run: (world: World, organization: string, given: CommandArguments) => Promise<Answer>): Run =>
  async ({ world }, given) =>
    run(world, await requireOrganization(world, given), given);

const requireOrganization = async (world: World, { flags: { organization } }: CommandArguments): Promise<string> => {
  if (organization === undefined) throw new UserError("Give the organization's id: --organization ID");
  const found = await store.get(world.table, Organizations, { id: organization }, { consistent: true });
  if (found === undefined) throw new UserError(`There is no organization ${organization}.`);
  return found.id;
};

type CreditGrant = CustomerState["grants"][number];

const done = (json: unknown, line: string): Answer => ({ json, lines: [line] });

const invoiceNamed = async (world: World, organization: string, id: string): Promise<Invoice | undefined> =>
  (await readInvoices(world.table, organization)).find((invoice) => invoice.id === id || invoice.number === id);

const grantNamed = async (world: World, organization: string, id: string): Promise<CreditGrant | undefined> =>
  (await readCustomerState(world.table, organization)).grants.find((grant) => grant.id === id);

const unknown = (id: string): UserError => new UserError(`There is no invoice or credit ${id}: billing show lists them.`);

const step = async (world: World, invoice: Invoice, to: InvoiceStep): Promise<void> => {
  if (!(await stepInvoice(world, invoice, to)))
    throw new UserError(`The invoice ${invoice.number ?? invoice.id} is ${invoice.state}, so this cannot be done with it.`);
};

export const payInvoice = toOrganization(async (world, organization, { words: [id = ""] }) => {
  const [invoice, grant] = await Promise.all([invoiceNamed(world, organization, id), grantNamed(world, organization, id)]);
  if (invoice !== undefined) await step(world, invoice, "pay");
  else if (grant?.state === "pending")
    await settle(world, { organization_id: organization, kind: "grant", id }, { state: "success", error: null });
  else throw grant === undefined ? unknown(id) : new UserError(`The credit ${id} is ${grant.state}, so nothing is to be paid for it.`);
  return done({ paid: id }, `Paid ${id}.`);
});

export const voidInvoice = toOrganization(async (world, organization, { words: [id = ""] }) => {
  const invoice = await invoiceNamed(world, organization, id);
  if (invoice !== undefined) await step(world, invoice, "void");
  else if (!(await voidGrant(world, organization, id))) throw unknown(id);
  return done({ voided: id }, `Voided ${id}.`);
});

export const writeOffInvoice = toOrganization(async (world, organization, { words: [id = ""] }) => {
  const invoice = await invoiceNamed(world, organization, id);
  if (invoice === undefined) throw unknown(id);
  await step(world, invoice, "write_off");
  return done({ written_off: id }, `Wrote off ${id}.`);
});

export const suspendAccount = toOrganization(async (world, organization) => {
  const status = await setSuspension(world, organization, "suspended");
  return done({ status }, `The account is ${status}.`);
});

export const resumeAccount = toOrganization(async (world, organization) => {
  const status = await setSuspension(world, organization, "resumed");
  return done({ status }, `The account is ${status}.`);
});

const DOLLARS = /^(\d{1,9})(?:\.(\d{2}))?$/;

export const giveOrganizationCredit = toOrganization(async (world, organization, { words: [amount = ""], flags: { expires } }) => {
  const [, whole = "", places = "00"] = DOLLARS.exec(amount) ?? [];
  const cents = Number(`${whole}${places}`);
  if (whole === "" || cents === 0) throw new UserError(`Give an amount in dollars, such as 20 or 20.50, not "${amount}".`);
  const expires_at = expires === undefined ? null : Date.parse(expires);
  if (Number.isNaN(expires_at)) throw new UserError(`--expires ${expires} is no date.`);
  const { id } = await giveCredit(world, organization, { cents, expires_at });
  return done({ id, usd: formatUsd(BigInt(cents)) }, `Gave ${formatUsd(BigInt(cents))} dollars of credit: ${id}.`);
});
