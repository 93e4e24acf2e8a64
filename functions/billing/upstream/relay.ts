import type { World } from "../../../lib/app/world.ts";
import type { BillingGrant } from "../../../lib/auth/billing-access.ts";
import {
  askService,
  isUpstream,
  type ServiceAnswer,
  type ServiceCustomer,
  type ServiceLicense,
  type ServiceQuestion,
  ServiceTooSlow,
  serviceError,
} from "../../../lib/billing/billing-service.ts";
import { refused } from "../../../lib/billing/commands.ts";
import { findLicense } from "../../../lib/billing/license.ts";
import { isFields } from "../../../lib/event/fields.ts";
import { type ApiError, bare, throttled } from "../../../lib/http/errors.ts";
import { LEVELS } from "../../../lib/organizations/organizations.ts";

export type Parts = Pick<World, "table" | "clock" | "config">;

/** Who asks: nothing more of a grant is told to the billing service. */
export type Asker = Pick<BillingGrant, "organization" | "caller" | "membership">;

/**
 * Asks the billing service in the name of a caller. Throws 429 where it has had too many calls, 502 where it does not answer, and what
 * `tooSlow` gives where it is slow.
 */
export const callBillingService = async (
  { config, clock }: Parts,
  license: ServiceLicense,
  asker: Asker,
  question: ServiceQuestion,
  tooSlow: (cause: unknown) => Error = serviceError,
): Promise<ServiceAnswer> => {
  try {
    const answer = await askService(config, license, serviceCustomer(asker), question, clock.now());
    if (answer.status === TOO_MANY) throw throttled(answer.waitSeconds ?? 1);
    if (answer.status >= SERVER_ERROR) throw serviceError(new Error(`the billing service answered ${answer.status}`));
    return answer;
  } catch (thrown) {
    throw thrown instanceof ServiceTooSlow ? tooSlow(thrown) : thrown;
  }
};

const TOO_MANY = 429;
const SERVER_ERROR = 500;

const serviceCustomer = ({ organization, caller, membership }: Asker): ServiceCustomer => ({
  organization_id: organization.id,
  organization_name: organization.name,
  organization_role: Object.entries(LEVELS).find(([, level]) => level === membership.level)?.[0] ?? "member",
  distinct_id: caller.user.distinct_id,
});

/** How an answer of the billing service is passed on. */
interface Relay {
  /** The body as our clients know it. */
  readonly shape?: (body: unknown) => unknown;
  /** The answer while there is no license to ask with. */
  readonly unlicensed?: unknown;
}

const UNLICENSED = { success: true };

/**
 * Where another service does the billing, answers with what that says: by throwing it, so that nothing here answers.
 * Returns where billing is done here.
 */
export const relay = async (parts: Parts, asker: Asker, question: ServiceQuestion, told: Relay = {}): Promise<void> => {
  if (!isUpstream(parts)) return;
  const { shape = (body) => body, unlicensed = UNLICENSED } = told;
  const license = await findLicense(parts);
  if (license === undefined) throw bare(200, unlicensed);
  throw bare(200, shape(acceptedBody(await callBillingService(parts, license, asker, question))));
};

/** What the service took; clients here know no other success than 200. */
const ACCEPTED: ReadonlySet<number> = new Set([200, 201]);

/** Refusals of these statuses are meant for the client as they are. */
export const PASSED: ReadonlySet<number> = new Set([401, 404]);

/** The body of an answer that is a success. Throws 401 and 404 as the service said them, and 400 for any other, which refuses. */
export const acceptedBody = ({ status, body }: ServiceAnswer): unknown => {
  if (ACCEPTED.has(status)) return body;
  throw PASSED.has(status) ? bare(status, body) : relayedRefusal(body);
};

const relayedRefusal = (body: unknown): ApiError => {
  const { error_message, detail, code, link } = isFields(body) ? body : {};
  const said = [error_message, detail].find((each) => each !== undefined && each !== null) ?? body;
  return refused(typeof code === "string" ? code : null, asDetail(said), typeof link === "string" ? { link } : {});
};

const asDetail = (said: unknown): string | object => (typeof said === "object" && said !== null ? said : String(said ?? ""));
