import type { World } from "../../../lib/app/world.ts";
import type { BillingGrant } from "../../../lib/auth/billing-access.ts";
import type { ServiceCustomer, ServiceLicense } from "../../../lib/billing/upstream/license-token.ts";
import {
  askService,
  type ServiceAnswer,
  type ServiceQuestion,
  ServiceTooSlow,
  serviceError,
} from "../../../lib/billing/upstream/service.ts";
import { LEVELS } from "../../../lib/organizations/organizations.ts";

export type Parts = Pick<World, "table" | "clock" | "config">;

/** Who asks: nothing more of a grant is told to the billing service. */
export type Asker = Pick<BillingGrant, "organization" | "caller" | "membership">;

/** Whether another service does the billing of this deployment. */
export const isUpstream = ({ config }: Pick<World, "config">): boolean => config.billingServiceUrl !== "";

/** Asks the billing service in the name of a caller. Throws 502 where it does not answer, or what `tooSlow` gives where it is slow. */
export const callBillingService = async (
  { config, clock }: Parts,
  license: ServiceLicense,
  asker: Asker,
  question: ServiceQuestion,
  tooSlow: (cause: unknown) => Error = serviceError,
): Promise<ServiceAnswer> => {
  try {
    const answer = await askService(config, license, customerOf(asker), question, clock.now());
    if (answer.status >= SERVER_ERROR) throw serviceError(new Error(`the billing service answered ${answer.status}`));
    return answer;
  } catch (thrown) {
    throw thrown instanceof ServiceTooSlow ? tooSlow(thrown) : thrown;
  }
};

const SERVER_ERROR = 500;

const customerOf = ({ organization, caller, membership }: Asker): ServiceCustomer => ({
  organization_id: organization.id,
  organization_name: organization.name,
  organization_role: Object.entries(LEVELS).find(([, level]) => level === membership.level)?.[0] ?? "member",
  distinct_id: caller.user.distinct_id,
});
