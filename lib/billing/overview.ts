import { invalid } from "../http/errors.ts";
import type { Ports } from "../ports/ports.ts";
import type { Table } from "../ports/table.ts";
import { nextVersion } from "../table/versions.ts";
import { allItems } from "./catalogue/catalogue.ts";
import type { Command } from "./commands.ts";
import { BillingAccounts } from "./customer/account.ts";
import { readCustomerState } from "./customer.ts";
import { readAccountPrices } from "./invoices/open-invoice.ts";
import { findLicensePlan } from "./license.ts";
import { type LimitReset, type Outlook, outlookAt, withLimits } from "./overview/outlook.ts";
import { outlookOverview } from "./overview/overview.ts";
import { runTermsCommand, type TermsParts } from "./quotas.ts";
import { type Period, periodAt, readPeriodUsage } from "./rating/period.ts";

export type ReadOutlook = Pick<Ports, "table" | "objects" | "clock">;

/** Where an organization stands at this moment: its plans, its use of the period, its limits and the prices that hold. */
export const readOutlook = async (parts: ReadOutlook, organization: string): Promise<Outlook> => {
  const now = parts.clock.now();
  const customer = await readCustomerState(parts.table, organization);
  const { current } = await readAccountPrices(parts.table, customer.account, now);
  const usage = await readPeriodUsage(parts, organization, periodAt(customer.account.anchor_day, now));
  return outlookAt(customer, current, usage, now);
};

/** Subscriptions, usage and costs of an organization, as sent but for addresses. */
export const readOverview = async (parts: ReadOutlook, organization: string): Promise<Overview> =>
  presentOverview(parts.table, await readOutlook(parts, organization));

export type Overview = Awaited<ReturnType<typeof presentOverview>>;

/** The overview of an outlook. */
export const presentOverview = async (table: Table, outlook: Outlook) => {
  const plan = await findLicensePlan(table, outlook.customer.account.organization_id);
  return { ...outlookOverview(outlook), license: plan === undefined ? null : { plan } };
};

/** The billing period of an organization that a moment lies in, milliseconds since 1970. */
export const readPeriod = async ({ table, clock }: Pick<Ports, "table" | "clock">, organization: string): Promise<Period> => {
  const { account } = await readCustomerState(table, organization);
  return periodAt(account.anchor_day, clock.now());
};

/** Limits of cost in a period, dollars by product type or usage key, null for none; and which are lifted with its end. */
export interface LimitChange {
  readonly usd: Readonly<Record<string, number | null>>;
  readonly reset: LimitReset;
}

/** Sets limits of cost. The answer is made of the overview afterwards. Throws 400 for an unknown product. */
export const setLimits = <T>(
  parts: TermsParts,
  command: Command,
  { usd, reset }: LimitChange,
  answerWith: (overview: Overview) => T,
): Promise<T> =>
  runTermsCommand(parts, command, async () => {
    const outlook = await readOutlook(parts, command.organization);
    const known = new Set(allItems(outlook.sold).flatMap(({ type, usage_key }) => [type, usage_key ?? type]));
    const unknown = Object.keys(usd).find((name) => !known.has(name));
    if (unknown !== undefined) throw invalid("custom_limits_usd", `There is no product "${unknown.slice(0, 60)}".`, "invalid_choice");
    const account = withLimits(outlook.customer.account, outlook.prices.period, usd, reset);
    const then = outlookAt({ ...outlook.customer, account }, outlook.prices, outlook.usage, outlook.now);
    return { writes: [nextVersion(BillingAccounts, account)], answer: answerWith(await presentOverview(parts.table, then)) };
  });
