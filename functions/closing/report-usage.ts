import type { World } from "../../lib/app/world.ts";
import { isUpstream, type ServiceLicense } from "../../lib/billing/billing-service.ts";
import { findLicense } from "../../lib/billing/license.ts";
import { findUnreported, reportUsage } from "../../lib/billing/upstream-customers.ts";
import { perOwner } from "../../lib/core/cache.ts";
import { DAY_MS, HOUR_MS } from "../../lib/core/time.ts";
import { Defect } from "../../lib/core/unreachable.ts";
import { faultFields } from "../../lib/http/request-log.ts";
import { type Organization, Organizations } from "../../lib/organizations/organizations.ts";
import type { Budget } from "../../lib/ports/system.ts";
import { pages } from "../../lib/table/store.ts";

/** So long after a day its rows have been gathered, so that its usage is whole. */
const COUNTED_AFTER_MS = 2 * HOUR_MS;

/** A service that fails so often is down, and is not asked for every organization. */
const MOST_FAILURES = 3;

/** Left for the run to end in, and for a service that is slow, milliseconds. */
const RESERVE_MS = 40_000;

/** The day up to which a process knows that everything was reported. */
const doneBy = perOwner((_: World) => ({ day: Number.NEGATIVE_INFINITY }));

/** Where another service does the billing, tells it once a day what every organization used the day before. What fails is tried again by the next run. */
export const reportDays = async (world: World, budget: Budget): Promise<void> => {
  if (!isUpstream(world)) return;
  const license = await findLicense(world);
  if (license === undefined) return;
  const done = doneBy(world);
  const last = Math.floor((world.clock.now() - COUNTED_AFTER_MS) / DAY_MS) - 1;
  if (done.day >= last) return;
  let failed = 0;
  for await (const organizations of pages(world.table, Organizations, "all", {})) {
    for (const [organization, first] of await findUnreported(world.table, organizations, last)) {
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

const reportFrom = async (
  world: World,
  license: ServiceLicense,
  organization: Organization,
  first: number,
  last: number,
): Promise<void> => {
  for (let day = first; day <= last; day += 1) await reportUsage(world, license, organization, day);
};
