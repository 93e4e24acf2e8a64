import * as z from "zod";
import { group, route } from "../../lib/app/routes.ts";
import { projectKey } from "../../lib/auth/access.ts";
import { CALLER_PARTITIONS } from "../../lib/auth/caller-partitions.ts";
import { json } from "../../lib/http/reply.ts";
import type { QuotaResource } from "../../lib/usage/identifiers.ts";
import { QUOTA_RESOURCES, quotaItemKey, readMarkers } from "../../lib/usage/project-quotas.ts";

/** `fromEntries` over all resources has all of them. */
const byResource = <T>(of: (resource: QuotaResource) => T): Record<QuotaResource, T> =>
  Object.fromEntries(QUOTA_RESOURCES.map((resource) => [resource, of(resource)])) as Record<QuotaResource, T>;

const Limited = z.object({ limited: z.boolean() });

/** Every resource is always named: clients read theirs by its name. */
const QuotaLimits = z
  .object({
    limited: z.object(byResource(() => Limited)),
  })
  .meta({ id: "QuotaLimits" });

const retrieve = route({
  method: "GET",
  path: "/api/projects/{project_id}/quota_limits/",
  summary: "Which resources are used up",
  description: "True while a resource of the project's organization is over its limit and its data are dropped.",
  tags: ["Quota limits"],
  access: projectKey("project:read"),
  reply: json(200, QuotaLimits),
  async handle({ grant, world }) {
    const now = world.clock.now();
    const markers = readMarkers(await world.table.get(quotaItemKey(grant.project.id)));
    return { limited: byResource((resource) => ({ limited: (markers[resource] ?? 0) >= now })) };
  },
});

/** Which billable resources of a project are used up. */
export const quotaLimits = group({
  name: "quota-limits",
  gateway: "management",
  uses: { table: CALLER_PARTITIONS },
  routes: [retrieve],
});
