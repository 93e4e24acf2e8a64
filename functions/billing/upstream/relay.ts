import { refused } from "../../../lib/billing/refusal.ts";
import { licenseOf } from "../../../lib/billing/upstream/license.ts";
import type { ServiceAnswer, ServiceQuestion } from "../../../lib/billing/upstream/service.ts";
import { isFields } from "../../../lib/event/fields.ts";
import { type ApiError, bare } from "../../../lib/http/errors.ts";
import { type Asker, callBillingService, isUpstream, type Parts } from "./call-billing-service.ts";

/** How an answer of the billing service is told on. */
interface Relay {
  /** The body as our clients know it. */
  readonly shape?: (body: unknown) => unknown;
  /** What is answered while there is no license to ask with. */
  readonly unlicensed?: unknown;
  /** What a refusal says besides. */
  readonly more?: Readonly<Record<string, unknown>>;
}

const UNLICENSED = { success: true };

/**
 * Where another service does the billing, answers with what that says: by throwing it, so that the ledger here is never reached.
 * Returns where the ledger is to answer.
 */
export const relay = async (parts: Parts, asker: Asker, question: ServiceQuestion, told: Relay = {}): Promise<void> => {
  if (!isUpstream(parts)) return;
  const { shape = (body) => body, unlicensed = UNLICENSED, more } = told;
  const license = await licenseOf(parts);
  if (license === undefined) throw bare(200, unlicensed);
  const { status, body } = passed(await callBillingService(parts, license, asker, question), more);
  throw bare(status, status === OK ? shape(body) : body);
};

const OK = 200;

/** What these say is meant for the client. */
const PASSED: ReadonlySet<number> = new Set([OK, 201, 401, 404]);

/** An answer that is told on as it is. Throws 400 for any other, which refuses. */
export const passed = (answer: ServiceAnswer, more: Readonly<Record<string, unknown>> = {}): ServiceAnswer => {
  if (!PASSED.has(answer.status)) throw refusedBy(answer.body, more);
  // What was made is told as what was done: clients here know no other.
  return { status: answer.status === 201 ? OK : answer.status, body: answer.body };
};

const refusedBy = (body: unknown, more: Readonly<Record<string, unknown>>): ApiError => {
  const { error_message, detail, code, link } = isFields(body) ? body : {};
  const said = [error_message, detail].find((each) => each !== undefined && each !== null) ?? body;
  return refused(typeof code === "string" ? code : null, asDetail(said), { ...more, ...(typeof link === "string" && { link }) });
};

const asDetail = (said: unknown): string | object => (typeof said === "object" && said !== null ? said : String(said ?? ""));
