import type { World } from "../../lib/app/world.ts";
import { cache, perOwner } from "../../lib/core/cache.ts";
import { EVENT_RESOURCES, type EventResource } from "../../lib/event/quota-resources.ts";
import type { QuotaResource } from "../../lib/usage/identifiers.ts";
import { type QuotaMarkers, quotaItemKey, readMarkers } from "../../lib/usage/project-quotas.ts";

/** Projects that a process remembers at most. */
const MAX_REMEMBERED = 10_000;
/** How long a process may use a project's quota state, milliseconds. */
const QUOTA_MS = 10_000;

const rememberedMarkers = perOwner((_: World) => cache<number, QuotaMarkers>({ capacity: MAX_REMEMBERED }));

/** The resources of a project that are used up now. None while the table does not answer: events are worth more than a limit. */
export const usedUpResources = async (project: number, world: World): Promise<readonly EventResource[]> => {
  const now = world.clock.now();
  const markers = await currentMarkers(project, now, world);
  return EVENT_RESOURCES.filter((resource) => (markers[resource] ?? 0) >= now);
};

/** Whether one resource of a project is used up now. */
export const isLimited = async (project: number, resource: QuotaResource, world: World): Promise<boolean> => {
  const now = world.clock.now();
  return ((await currentMarkers(project, now, world))[resource] ?? 0) >= now;
};

const currentMarkers = async (project: number, now: number, world: World): Promise<QuotaMarkers> => {
  const memory = rememberedMarkers(world);
  const known = memory.get(project, now);
  if (known !== undefined) return known;
  try {
    const markers = readMarkers(await world.table.get(quotaItemKey(project)));
    memory.set(project, markers, now + QUOTA_MS);
    return markers;
  } catch (cause) {
    world.log.line("warn", "capture.quota-unread", { project, reason: String(cause) });
    return memory.get(project) ?? {};
  }
};
