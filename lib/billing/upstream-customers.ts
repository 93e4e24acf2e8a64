import * as z from "zod";
import { DAY_MS, isoDay } from "../core/time.ts";
import { type Fields, isFields } from "../event/fields.ts";
import { Memberships } from "../organizations/memberships.ts";
import type { Organization } from "../organizations/organizations.ts";
import type { Ports } from "../ports/ports.ts";
import type { Clock } from "../ports/system.ts";
import type { Table } from "../ports/table.ts";
import { entity } from "../table/entity.ts";
import { countThrough } from "../table/paging.ts";
import { within } from "../table/partitions.ts";
import { unstorable } from "../table/storable.ts";
import { getMany, put } from "../table/store.ts";
import type { DayCounts } from "../usage/day-counts.ts";
import { USAGE_IDENTIFIERS, USAGE_TYPES, type UsageType } from "../usage/identifiers.ts";
import { isQuotaResource } from "../usage/project-quotas.ts";
import { organizationUsage, type ReadUsage } from "../usage/roll-ups.ts";
import { askService, type ServiceCustomer, type ServiceLicense, serviceError } from "./billing-service.ts";
import { BUILT_IN } from "./catalogue/built-in-catalogue.ts";
import { allItems } from "./catalogue/catalogue.ts";
import { type Period, readPeriodUsage, totalUnits } from "./rating/period.ts";

/** A customer as the upstream billing service last told of it: what its quotas follow from where that service does the billing. */
export const UpstreamCustomer = z.object({
  organization_id: z.guid(),
  /** The billing period, milliseconds since 1970; null where it was not told. */
  period: z.object({ start: z.int(), end: z.int() }).nullable(),
  /** Units of the period up to the last report, and what it may use of them, by usage key: of those that have quotas. */
  usage: z.record(z.string(), z.object({ usage: z.number(), limit: z.number().nullable() })),
  never_drop_data: z.boolean(),
  /** How far it is trusted to pay, by usage key. */
  trust: z.record(z.string(), z.number()),
  /** Milliseconds since 1970. */
  told_at: z.int(),
});
export type UpstreamCustomer = z.output<typeof UpstreamCustomer>;

export const UpstreamCustomers = entity({
  name: "billing-upstream-customer",
  version: 1,
  schema: UpstreamCustomer,
  key: within("billing", "upstream", { organization: "organization_id" }),
  patterns: {},
});

/** The products that are listed while no license names a customer to the service, by name alone. */
export const productNames = () => BUILT_IN.products.map(({ type, name, description }) => ({ type, name, description }));

/** Keeps what a billing service tells of a customer; quotas follow from it. Throws 502 for numbers that nobody can use so many of. */
export const keepCustomer = async (
  { table, clock }: Pick<Ports, "table" | "clock">,
  organization_id: string,
  customer: Fields,
): Promise<void> => {
  const told = readCustomer(organization_id, customer, clock.now());
  const problem = unstorable(told);
  if (problem !== null) throw serviceError(new Error(`the billing service told of a customer's ${problem.way.join(".")}: ${problem.why}`));
  await put(table, UpstreamCustomers, told);
};

const readCustomer = (organization_id: string, customer: Fields, told_at: number): UpstreamCustomer => {
  const keys = productUsageKeys(customer);
  const trust = fieldEntries(customer.customer_trust_scores).flatMap(([product, score]) => {
    const key = keys.get(product);
    return key !== undefined && isQuotaResource(key) && typeof score === "number" ? [[key, score] as const] : [];
  });
  return {
    organization_id,
    period: readPeriod(customer.billing_period),
    usage: Object.fromEntries(
      fieldEntries(customer.usage_summary).flatMap(([key, summary]) =>
        isQuotaResource(key) && isFields(summary) ? [[key, used(summary)]] : [],
      ),
    ),
    never_drop_data: customer.never_drop_data === true,
    trust: Object.fromEntries(trust),
    told_at,
  };
};

const fieldEntries = (value: unknown): readonly (readonly [string, unknown])[] => (isFields(value) ? Object.entries(value) : []);

const used = ({ usage, limit }: Fields) => ({
  usage: typeof usage === "number" ? usage : 0,
  limit: typeof limit === "number" ? limit : null,
});

const readPeriod = (told: unknown): Period | null => {
  const { current_period_start, current_period_end } = isFields(told) ? told : {};
  const [start, end] = [Date.parse(String(current_period_start)), Date.parse(String(current_period_end))];
  return Number.isNaN(start) || Number.isNaN(end) ? null : { start, end };
};

/** The usage key of each product type: as the service's own products say, else as ours do. */
const productUsageKeys = ({ products }: Fields): ReadonlyMap<unknown, string> => {
  const all: readonly unknown[] = Array.isArray(products) && products.length > 0 ? products : allItems(BUILT_IN);
  return new Map(all.flatMap((each) => (isFields(each) && typeof each.usage_key === "string" ? [[each.type, each.usage_key]] : [])));
};

const USAGE_TYPE_BY_KEY: ReadonlyMap<string | null, UsageType> = new Map(USAGE_TYPES.map((type) => [USAGE_IDENTIFIERS[type].key, type]));

/** An organization's usage of today, which a billing service has not heard of yet, by usage key. */
export const readUsedToday = async (
  parts: ReadUsage & { readonly clock: Clock },
  organization: string,
): Promise<(key: string) => number> => {
  const start = Math.floor(parts.clock.now() / DAY_MS) * DAY_MS;
  const usage = await readPeriodUsage(parts, organization, { start, end: start + DAY_MS });
  return (key) => Number(totalUnits(usage, USAGE_TYPE_BY_KEY.get(key) ?? null));
};

/** Credit that is bought, or about to be. */
const PREPAID: ReadonlySet<unknown> = new Set(["pending", "active"]);

/** Whether a customer of the billing service pays by use: is on no startup program and has bought no credit. Throws where the service does not say. */
export const paysServiceByUse = async (
  { config, clock }: Pick<Ports, "config" | "clock">,
  license: ServiceLicense,
  customer: ServiceCustomer,
): Promise<boolean> => {
  const readAnswer = async (path: string) => {
    const { status, body } = await askService(config, license, customer, { method: "GET", path }, clock.now());
    if (status !== OK || !isFields(body)) throw serviceError(new Error(`the billing service answered ${status} to ${path}`));
    return body;
  };
  const [billing, credit] = await Promise.all([readAnswer("/api/billing"), readAnswer("/api/credits/overview")]);
  const label = isFields(billing.customer) ? billing.customer.startup_program_label : null;
  return (label ?? null) === null && !PREPAID.has(credit.status);
};

const OK = 200;

/** The last UTC day (since 1970) of which a billing service was told what an organization used. */
const UsageReport = z.object({ organization_id: z.guid(), day: z.int() });

const UsageReports = entity({
  name: "billing-usage-report",
  version: 1,
  schema: UsageReport,
  key: within("billing", "usage-report", { organization: "organization_id" }),
  patterns: {},
});

/** Days that are made up for, where the service could not be reached. */
const MOST_DAYS = 7;

/** Those that have days up to the last one that were not reported, with the first of these. Of one that never was, the last day alone. */
export const findUnreported = async (
  table: Table,
  organizations: readonly Organization[],
  last: number,
): Promise<readonly (readonly [organization: Organization, first: number])[]> => {
  const active = organizations.filter(({ state }) => state === "active");
  const keys = active.map(({ id }) => ({ organization_id: id }));
  const days = new Map((await getMany(table, UsageReports, keys)).map(({ organization_id, day }) => [organization_id, day]));
  return active
    .map((organization) => [organization, Math.max((days.get(organization.id) ?? last - 1) + 1, last - MOST_DAYS + 1)] as const)
    .filter(([, first]) => first <= last);
};

type Parts = Pick<Ports, "table" | "objects" | "clock" | "config">;

/**
 * Tells the billing service what an organization used on a UTC day, keeps what it says of the customer, and that it was told. The same
 * report counts once there. Throws 502 where the service does not take it.
 */
export const reportUsage = async (parts: Parts, license: ServiceLicense, organization: Organization, day: number): Promise<void> => {
  const customer = { organization_id: organization.id, organization_name: organization.name };
  const body = await usageReport(parts, organization, day);
  const question = { method: "POST", path: "/api/usage", body, key: `usage-${organization.id}-${body.date}` } as const;
  const answer = await askService(parts.config, license, customer, question, parts.clock.now());
  if (answer.status !== OK) throw serviceError(new Error(`the billing service answered ${answer.status} to a report`));
  const told = isFields(answer.body) ? answer.body.customer : undefined;
  if (isFields(told)) await keepCustomer(parts, organization.id, told);
  await put(parts.table, UsageReports, { organization_id: organization.id, day });
};

type Counters = Readonly<Record<UsageType, number>>;

/** All that is counted, of all projects together and of each. */
const usageReport = async (parts: Parts, { id, name, created_at }: Organization, day: number) => {
  const [usage, members] = await Promise.all([
    organizationUsage(parts, id, day, day),
    countThrough(parts.table, Memberships, "key", { organization_id: id }),
  ]);
  const teams = new Map([...usage].map(([project, days]) => [String(project), usageCounters([days], day)]));
  const date = isoDay(day);
  return {
    date,
    period: { start_inclusive: `${date}T00:00:00+00:00`, end_inclusive: `${date}T23:59:59.999999+00:00` },
    organization_id: id,
    organization_name: name,
    organization_created_at: created_at,
    organization_user_count: members,
    team_count: teams.size,
    ...usageCounters([...usage.values()], day),
    teams: Object.fromEntries(teams),
  };
};

/** Every identifier is named, also what nothing was used of. */
const usageCounters = (projects: readonly DayCounts[], day: number): Counters =>
  byType((type) => projects.reduce((sum, days) => sum + (days[String(day)]?.[type] ?? 0), 0));

/** `fromEntries` over all types has all of them. */
const byType = (of: (type: UsageType) => number): Counters =>
  Object.fromEntries(USAGE_TYPES.map((type) => [type, of(type)])) as Record<UsageType, number>;
