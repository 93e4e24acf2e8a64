import * as z from "zod";
import { DAY_MS } from "../../core/time.ts";
import { entity } from "../../table/entity.ts";
import { within } from "../../table/partitions.ts";
import type { QuotaResource } from "../../usage/identifiers.ts";
import type { Period } from "../rating/period.ts";

/** The facts that decide whether data of a resource are dropped. */
export interface QuotaFacts {
  readonly resource: QuotaResource;
  /** Units of the period, today's included. */
  readonly usage: number;
  /** Null for none. */
  readonly limit: number | null;
  readonly period: Period;
  readonly neverDrops: boolean;
  /** Whether no limit comes over the organization any more; one that holds goes on. */
  readonly retains: boolean;
  /** How far an organization is trusted to pay: 0, 3, 7, 10 or 15. */
  readonly trust: number;
}

const FREE: QuotaState = { limited_until: null, suspended_until: null, suspended_since: null };

/** Units above a limit that are let through: a recording is known to be one only after it has begun. */
const BUFFERS: Partial<Record<QuotaResource, number>> = { recordings: 1_000 };

/** The state of a resource at a moment, from what it was before. */
export const nextState = (facts: QuotaFacts, before: QuotaState = FREE, now: number): QuotaState => {
  const { resource, usage, limit, period } = facts;
  if (limit === null || usage < limit + (BUFFERS[resource] ?? 0)) return FREE;
  if (facts.neverDrops && resource !== "ai_credits") return FREE;
  const limited: QuotaState = { ...FREE, limited_until: period.end };
  if (before.limited_until !== null && before.limited_until >= now) return limited;
  if (facts.retains) return FREE;
  const days = graceDays(facts);
  if (days === 0) return limited;
  const { suspended_until, suspended_since } = before;
  const isOfPeriod = suspended_since !== null && suspended_since >= period.start;
  if (suspended_until !== null && (now < suspended_until || isOfPeriod)) return now < suspended_until ? before : limited;
  return { limited_until: null, suspended_until: endOfDay(now) + days * DAY_MS, suspended_since: now };
};

/** Days after the day on which a limit is passed, by trust; the first that one is trusted as far as. */
const GRACE: readonly (readonly [trust: number, days: number])[] = [
  [15, 5],
  [10, 3],
  [7, 1],
];

/** Without flags an application may stand still, so they end later. */
const LEAST_FLAG_DAYS = 2;

const graceDays = ({ resource, trust }: QuotaFacts): number => {
  if (resource === "ai_credits") return 0;
  const days = GRACE.find(([least]) => trust >= least)?.[1] ?? 0;
  return resource === "feature_flag_requests" ? Math.max(days, LEAST_FLAG_DAYS) : days;
};

const endOfDay = (now: number): number => (Math.floor(now / DAY_MS) + 1) * DAY_MS;

/** How far a resource that is over its limit has come; all milliseconds since 1970. */
const QuotaState = z.object({
  /** Its data are dropped until then; null while they are not. */
  limited_until: z.int().nullable(),
  /** Nothing is dropped until then although it is over; null where there was no such grace. */
  suspended_until: z.int().nullable(),
  suspended_since: z.int().nullable(),
});
export type QuotaState = z.output<typeof QuotaState>;

/** The resources of an organization that are over their limit. A later version may have stored some that this one does not know. */
export const OrganizationQuota = z.object({
  organization_id: z.guid(),
  states: z.record(z.string(), QuotaState),
  /** The markers that some of its projects may still lack, as canonical JSON; absent once all have them. */
  marking: z.string().optional(),
});
export type OrganizationQuota = z.output<typeof OrganizationQuota>;

export const OrganizationQuotas = entity({
  name: "organization-quota",
  version: 1,
  schema: OrganizationQuota,
  key: within("organization", "quota", { organization: "organization_id" }),
  patterns: {},
});
