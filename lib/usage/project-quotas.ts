import { Defect } from "../core/unreachable.ts";
import type { Item, Key, Value, Write } from "../ports/table.ts";
import { keyIn } from "../table/partitions.ts";
import type { UsageKey } from "./identifiers.ts";

/** The resources that a quota can limit, in the order of the quota answer. */
export const QUOTA_RESOURCES = [
  "events",
  "exceptions",
  "recordings",
  "rows_synced",
  "feature_flag_requests",
  "api_queries_read_bytes",
  "survey_responses",
  "llm_events",
  "cdp_trigger_events",
  "rows_exported",
  "ai_credits",
  "workflow_emails",
  "workflow_destinations_dispatched",
  "logs_mb_ingested",
  "signals_credits",
  "replay_vision_credits",
  "service_code_credits",
] as const satisfies readonly UsageKey[];
export type QuotaResource = (typeof QUOTA_RESOURCES)[number];

/** Resource → when its limit ends, milliseconds since 1970. One in the past limits nothing. */
export type QuotaMarkers = Readonly<Partial<Record<QuotaResource, number>>>;

/** Where a project's quota markers lie: one small item, read by capture every ten seconds. Kept free of zod for capture's sake. */
export const quotaItemOf = (project: number): Key => keyIn("project", "quota", { project });

/** Sets the markers given and lifts those given as null; others stay. */
export const markingQuota = (project: number, markers: Readonly<Partial<Record<QuotaResource, number | null>>>): Write => {
  const set: Record<string, Value> = { entity: "project-quota", v: 1 };
  const remove: string[] = [];
  for (const resource of QUOTA_RESOURCES) {
    const until = markers[resource];
    if (until === null) remove.push(attribute(resource));
    else if (until !== undefined) set[attribute(resource)] = until;
  }
  return { kind: "update", key: quotaItemOf(project), change: { set, remove } };
};

/** Sets the markers that follow from use and limits, and lifts all others of that kind; those set by hand stay. */
export const computingQuota = (project: number, markers: QuotaMarkers): Write => {
  const set: Record<string, Value> = { entity: "project-quota", v: 1 };
  const remove: string[] = [];
  for (const resource of QUOTA_RESOURCES) {
    const until = markers[resource];
    if (until === undefined) remove.push(computed(resource));
    else set[computed(resource)] = until;
  }
  return { kind: "update", key: quotaItemOf(project), change: { set, remove } };
};

/** The markers of a stored quota item, the later where one is set and computed; none where there is no item. */
export const quotaMarkersOf = (item: Item | undefined): QuotaMarkers => {
  const [set, counted] = [setQuotaOf(item), computedQuotaOf(item)];
  return markersBy((resource) => {
    const [one, other] = [set[resource], counted[resource]];
    return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
  });
};

/** The markers that somebody set. */
export const setQuotaOf = (item: Item | undefined): QuotaMarkers => markersBy((resource) => marker(item, attribute(resource)));

/** The markers that follow from use and limits. */
export const computedQuotaOf = (item: Item | undefined): QuotaMarkers => markersBy((resource) => marker(item, computed(resource)));

const markersBy = (of: (resource: QuotaResource) => number | undefined): QuotaMarkers => {
  const markers: Partial<Record<QuotaResource, number>> = {};
  for (const resource of QUOTA_RESOURCES) {
    const until = of(resource);
    if (until !== undefined) markers[resource] = until;
  }
  return markers;
};

const marker = (item: Item | undefined, name: string): number | undefined => {
  const until = item?.[name];
  if (until !== undefined && typeof until !== "number") throw new Defect("a quota marker is malformed");
  return until;
};

const attribute = (resource: QuotaResource): string => `until:${resource}`;
const computed = (resource: QuotaResource): string => `computed:${resource}`;
