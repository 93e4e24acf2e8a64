import type { World } from "../../lib/app/world.ts";
import { licenseOf } from "../../lib/billing/upstream/license.ts";
import type { ServiceLicense } from "../../lib/billing/upstream/license-token.ts";
import { reportUsage } from "../../lib/billing/upstream/usage-report.ts";
import { UsageReports } from "../../lib/billing/usage-reports.ts";
import { perOwner } from "../../lib/core/cache.ts";
import { DAY_MS, HOUR_MS } from "../../lib/core/time.ts";
import { Defect } from "../../lib/core/unreachable.ts";
import { faultFields } from "../../lib/http/request-log.ts";
import { type Organization, Organizations } from "../../lib/organizations/organizations.ts";
import type { Budget } from "../../lib/ports/budget.ts";
import { getMany, pages, put } from "../../lib/table/store.ts";

/** So long after a day its rows have been gathered, so that its usage is whole. */
const COUNTED_AFTER_MS = 2 * HOUR_MS;

/** Days that are made up for, where the service could not be reached. */
const MOST_DAYS = 7;

/** A service that fails so often is down, and is not asked for every organization. */
const MOST_FAILURES = 3;

/** Left for the run to end in, and for a service that is slow, milliseconds. */
const RESERVE_MS = 40_000;

/** The day up to which a process knows that everything was reported. */
const doneBy = perOwner((_: World) => ({ day: Number.NEGATIVE_INFINITY }));

/** Where another service does the billing, tells it once a day what every organization used the day before. What fails is tried again by the next run. */
export const reportDays = async (world: World, budget: Budget): Promise<void> => {
  if (world.config.billingServiceUrl === "") return;
  const license = await licenseOf(world);
  if (license === undefined) return;
  const done = doneBy(world);
  const last = Math.floor((world.clock.now() - COUNTED_AFTER_MS) / DAY_MS) - 1;
  if (done.day >= last) return;
  let failed = 0;
  for await (const organizations of pages(world.table, Organizations, "all", {})) {
    for (const [organization, first] of await unreported(world, organizations, last)) {
      if (failed === MOST_FAILURES || budget.remainingMs() < RESERVE_MS) return failedIf(failed);
      await reportFrom(world, license, organization, first, last).catch((fault: unknown) => {
        failed += 1;
        world.log.line("error", "usage_not_reported", { organization: organization.id, ...faultFields(fault) });
      });
    }
  }
  if (failed === 0) done.day = last;
  failedIf(failed);
};

const failedIf = (failed: number): void => {
  if (failed > 0) throw new Defect(`the usage of ${failed} organizations could not be reported`);
};

/** Those with days that were not reported, and the first of these. Of one that never was, the last day alone. */
const unreported = async (
  { table }: Pick<World, "table">,
  organizations: readonly Organization[],
  last: number,
): Promise<readonly (readonly [Organization, number])[]> => {
  const active = organizations.filter(({ state }) => state === "active");
  const keys = active.map(({ id }) => ({ organization_id: id }));
  const days = new Map((await getMany(table, UsageReports, keys)).map(({ organization_id, day }) => [organization_id, day]));
  return active
    .map((organization) => [organization, Math.max((days.get(organization.id) ?? last - 1) + 1, last - MOST_DAYS + 1)] as const)
    .filter(([, first]) => first <= last);
};

const reportFrom = async (
  world: World,
  license: ServiceLicense,
  organization: Organization,
  first: number,
  last: number,
): Promise<void> => {
  for (let day = first; day <= last; day += 1) {
    await reportUsage(world, license, organization, day);
    await put(world.table, UsageReports, { organization_id: organization.id, day });
  }
};
