import { isoDay } from "../../core/time.ts";
import { isFields } from "../../event/fields.ts";
import { Memberships } from "../../organizations/memberships.ts";
import type { Organization } from "../../organizations/organizations.ts";
import type { Ports } from "../../ports/ports.ts";
import { list } from "../../table/store.ts";
import type { DayCounts } from "../../usage/day-counts.ts";
import { USAGE_TYPES, type UsageType } from "../../usage/identifiers.ts";
import { organizationUsage } from "../../usage/roll-ups.ts";
import { keepCustomer } from "./customer.ts";
import type { ServiceLicense } from "./license-token.ts";
import { askService, serviceError } from "./service.ts";

type Parts = Pick<Ports, "table" | "objects" | "clock" | "config">;

/** Tells the billing service what an organization used on a UTC day, and keeps what it says of the customer. The same report counts once there. */
export const reportUsage = async (parts: Parts, license: ServiceLicense, organization: Organization, day: number): Promise<void> => {
  const customer = { organization_id: organization.id, organization_name: organization.name };
  const body = await usageReport(parts, organization, day);
  const question = { method: "POST", path: "/api/usage", body, key: `usage-${organization.id}-${body.date}` } as const;
  const answer = await askService(parts.config, license, customer, question, parts.clock.now());
  if (answer.status !== OK) throw serviceError(new Error(`the billing service answered ${answer.status} to a report`));
  const told = isFields(answer.body) ? answer.body.customer : undefined;
  if (isFields(told)) await keepCustomer(parts, organization.id, told);
};

const OK = 200;

type Counters = Readonly<Record<UsageType, number>>;

/** All that is counted, of all projects together and of each. */
const usageReport = async (parts: Parts, { id, name, created_at }: Organization, day: number) => {
  const [usage, members] = await Promise.all([
    organizationUsage(parts, id, day, day),
    list(parts.table, Memberships, "key", { organization_id: id }),
  ]);
  const teams = new Map([...usage].map(([project, days]) => [String(project), countersOf([days], day)]));
  const date = isoDay(day);
  return {
    date,
    period: { start_inclusive: `${date}T00:00:00+00:00`, end_inclusive: `${date}T23:59:59.999999+00:00` },
    organization_id: id,
    organization_name: name,
    organization_created_at: created_at,
    organization_user_count: members.length,
    team_count: teams.size,
    ...countersOf([...usage.values()], day),
    teams: Object.fromEntries(teams),
  };
};

/** Every identifier is named, also what nothing was used of. */
const countersOf = (projects: readonly DayCounts[], day: number): Counters =>
  byType((type) => projects.reduce((sum, days) => sum + (days[String(day)]?.[type] ?? 0), 0));

/** `fromEntries` over all types has all of them. */
const byType = (of: (type: UsageType) => number): Counters =>
  Object.fromEntries(USAGE_TYPES.map((type) => [type, of(type)])) as Record<UsageType, number>;
