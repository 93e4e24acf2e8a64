import type { World } from "../../../lib/app/world.ts";
import type { BillingGrant } from "../../../lib/auth/billing-access.ts";
import { USAGE_TYPES } from "../../../lib/usage/identifiers.ts";
import { readRollUps } from "../../../lib/usage/roll-ups.ts";
import { upstreamProjects } from "../upstream/answer.ts";
import { isUpstream } from "../upstream/call-billing-service.ts";
import { countedAmounts } from "./figures/amounts.ts";
import { seriesRequest } from "./query.ts";
import { type Scope, scopeOf } from "./scope.ts";

/** The projects that a filter can offer: all that ever used something, of those that the caller may see. Throws 403. */
export const teamOptions = async (world: World, grant: BillingGrant): Promise<readonly number[]> => {
  const scope = await scopeOf(world.table, grant, null, "look");
  try {
    if (isUpstream(world)) return await upstreamProjects(world, grant, seriesRequest({}, world.clock.now()), scope);
    return await usingProjects(world, grant.organization.id, scope);
  } catch (thrown) {
    // A filter without choices is worth more than none.
    world.log.line("warn", "team_options_unread", { reason: thrown instanceof Error ? thrown.message : "unknown" });
    return [];
  }
};

const usingProjects = async (world: World, organization: string, scope: Scope): Promise<readonly number[]> => {
  const rollUps = await readRollUps(world, organization, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
  const projects = countedAmounts(rollUps, scope, new Set(USAGE_TYPES)).flatMap(({ project }) => project ?? []);
  return [...new Set(projects)].sort((one, other) => one - other);
};
