import type { World } from "../../lib/app/world.ts";
import { giveCredit, voidGrant } from "../../lib/billing/credit.ts";
import { readCustomerState, setSuspension } from "../../lib/billing/customer.ts";
import { type Invoice, readInvoices, stepInvoice } from "../../lib/billing/invoices.ts";
import { type Receivable, readReceivables, stepReceivable } from "../../lib/billing/payments.ts";
import { formatUsd } from "../../lib/core/money.ts";
import { UserError } from "../local/user-error.ts";
import { chosenOrganization } from "./billing/chosen-organizations.ts";
import type { Answer, CommandArguments, Run } from "./command.ts";
import { readDay } from "./day.ts";

/** Commands on the organization that `--organization` names. */
const toOrganization =
  (run: (world: World, organization: string, given: CommandArguments) => Promise<Answer>): Run =>
  async ({ world }, given) =>
    run(world, (await chosenOrganization(world, given)).id, given);

const done = (json: unknown, line: string): Answer => ({ json, lines: [line] });

const invoiceNamed = async (world: World, organization: string, id: string): Promise<Invoice | undefined> =>
  (await readInvoices(world.table, organization)).find((invoice) => invoice.id === id || invoice.number === id);

/** By its own id, or by that of the credit that it is for. */
const receivableNamed = async (world: World, organization: string, id: string): Promise<Receivable | undefined> =>
  (await readReceivables(world.table, organization)).find((receivable) => receivable.id === id || receivable.grant_id === id);

const unknown = (id: string): UserError => new UserError(`There is no invoice, receivable or credit ${id}: billing show lists them.`);

/** Takes a step of the invoice or receivable that is called so. False where there is none. */
const takeStep = async (world: World, organization: string, id: string, step: "pay" | "void" | "write_off"): Promise<boolean> => {
  const invoice = await invoiceNamed(world, organization, id);
  if (invoice !== undefined) return stepped(`invoice ${invoice.number ?? invoice.id}`, invoice, await stepInvoice(world, invoice, step));
  const receivable = await receivableNamed(world, organization, id);
  if (receivable !== undefined) return stepped(`receivable ${receivable.id}`, receivable, await stepReceivable(world, receivable, step));
  return false;
};

const stepped = (name: string, { state }: { readonly state: string }, isTaken: boolean): true => {
  if (!isTaken) throw new UserError(`The ${name} is ${state}, so this cannot be done with it.`);
  return true;
};

export const payInvoice = toOrganization(async (world, organization, { words: [id = ""] }) => {
  if (!(await takeStep(world, organization, id, "pay"))) throw await unpayable(world, organization, id);
  return done({ paid: id }, `Paid ${id}.`);
});

const unpayable = async (world: World, organization: string, id: string): Promise<UserError> => {
  const grant = (await readCustomerState(world.table, organization)).grants.find((each) => each.id === id);
  return grant === undefined ? unknown(id) : new UserError(`The credit ${id} is ${grant.state}, so nothing is to be paid for it.`);
};

/** Credit that is called by its own id is taken back, whether it is paid or not; what is owed otherwise is owed no more. */
export const voidInvoice = toOrganization(async (world, organization, { words: [id = ""] }) => {
  const isVoided = (await voidGrant(world, organization, id)) || (await takeStep(world, organization, id, "void"));
  if (!isVoided) throw unknown(id);
  return done({ voided: id }, `Voided ${id}.`);
});

export const writeOffInvoice = toOrganization(async (world, organization, { words: [id = ""] }) => {
  if (!(await takeStep(world, organization, id, "write_off"))) throw unknown(id);
  return done({ written_off: id }, `Wrote off ${id}.`);
});

export const collectInvoice = toOrganization(async (world, organization, { words: [id = ""] }) => {
  const invoice = await invoiceNamed(world, organization, id);
  if (invoice === undefined) throw new UserError(`There is no invoice ${id}: billing show lists them.`);
  stepped(`invoice ${invoice.number ?? invoice.id}`, invoice, await stepInvoice(world, invoice, "retry"));
  return done({ collected: id }, `The next run of the closing has ${id} collected.`);
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
  const expires_at = expires === undefined ? null : readDay(expires);
  if (expires_at !== null && expires_at <= world.clock.now()) throw new UserError(`--expires ${expires} is over: give a day to come.`);
  const { id } = await giveCredit(world, organization, { cents, expires_at });
  return done({ id, usd: formatUsd(BigInt(cents)) }, `Gave ${formatUsd(BigInt(cents))} dollars of credit: ${id}.`);
});
