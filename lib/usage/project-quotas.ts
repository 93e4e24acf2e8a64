import { Defect } from "../core/unreachable.ts";
import type { Item, Key, Value, Write } from "../ports/table.ts";
import { keyIn } from "../table/partitions.ts";
import type { QuotaResource } from "./identifiers.ts";

/** Every resource that has a quota in the table of identifiers, in the order of the quota answer. */
const ANSWERED = {
  events: true,
  exceptions: true,
  recordings: true,
  rows_synced: true,
  feature_flag_requests: true,
  api_queries_read_bytes: true,
  survey_responses: true,
  llm_events: true,
  cdp_trigger_events: true,
  rows_exported: true,
  ai_credits: true,
  workflow_emails: true,
  workflow_destinations_dispatched: true,
  logs_mb_ingested: true,
  signals_credits: true,
  replay_vision_credits: true,
  service_code_credits: true,
} as const satisfies Readonly<Record<QuotaResource, true>>;

export const isQuotaResource = (name: string): name is QuotaResource => Object.hasOwn(ANSWERED, name);

/** The resources that a quota can limit, in the order of the quota answer. */
export const QUOTA_RESOURCES: readonly QuotaResource[] = Object.keys(ANSWERED).filter(isQuotaResource);

/** Resource → when its limit ends, milliseconds since 1970. One in the past limits nothing. */
export type QuotaMarkers = Readonly<Partial<Record<QuotaResource, number>>>;

/** Where a project's quota markers lie: one small item, read by capture every ten seconds. Kept free of zod for capture's sake. */
export const quotaItemKey = (project: number): Key => keyIn("project", "quota", { project });

/** Sets the markers given and lifts those given as null; others stay. */
export const setMarkersWrite = (project: number, markers: Readonly<Partial<Record<QuotaResource, number | null>>>): Write => {
  const set: Record<string, Value> = { entity: "project-quota", v: 1 };
  const remove: string[] = [];
  for (const resource of QUOTA_RESOURCES) {
    const until = markers[resource];
    if (until === null) remove.push(attribute(resource));
    else if (until !== undefined) set[attribute(resource)] = until;
  }
  return { kind: "update", key: quotaItemKey(project), change: { set, remove } };
};

/** Sets the markers that follow from use and limits, and lifts all others of that kind; those set by hand stay. */
export const computedMarkersWrite = (project: number, markers: QuotaMarkers): Write => {
  const set: Record<string, Value> = { entity: "project-quota", v: 1 };
  const remove: string[] = [];
  for (const resource of QUOTA_RESOURCES) {
    const until = markers[resource];
    if (until === undefined) remove.push(computed(resource));
    else set[computed(resource)] = until;
  }
  return { kind: "update", key: quotaItemKey(project), change: { set, remove } };
};

/** The markers of a stored quota item, the later where one is set and computed; none where there is no item. */
export const readMarkers = (item: Item | undefined): QuotaMarkers => {
  const [set, counted] = [readSetMarkers(item), readComputedMarkers(item)];
  return markersBy((resource) => {
    const [one, other] = [set[resource], counted[resource]];
    return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
  });
};

/** The markers that somebody set. */
export const readSetMarkers = (item: Item | undefined): QuotaMarkers => markersBy((resource) => marker(item, attribute(resource)));

/** The markers that follow from use and limits. */
export const readComputedMarkers = (item: Item | undefined): QuotaMarkers => markersBy((resource) => marker(item, computed(resource)));

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
