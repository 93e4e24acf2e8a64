import * as z from "zod";
import { route } from "../../lib/app/routes.ts";
import { requireEndpoint, requireVersion } from "../../lib/endpoints/load.ts";
import { ENDPOINT_TAGS, readEndpoints, UnknownVersion, underEachBase, VersionQuery } from "../../lib/endpoints/route-parts.ts";
import { json } from "../../lib/http/reply.ts";
import { readTables } from "./shown-with.ts";
import { Materialization } from "./wire.ts";

const shared = { tags: ENDPOINT_TAGS, access: readEndpoints } as const;

const Conditions = z
  .object({
    conditions_source: z.string(),
    rewrite_contract: z.string(),
  })
  .meta({ id: "MaterializationConditions" });

const conditions = underEachBase((base) =>
  route({
    ...shared,
    method: "GET",
    path: `${base}/materialization_conditions/`,
    summary: "Show the live checks of materialisation and the contract of a rewrite",
    reply: json(200, Conditions),
    async handle() {
      const { conditionsSource, REWRITE_CONTRACT } = await import("../../lib/endpoints/check-sources.ts");
      return { conditions_source: conditionsSource(), rewrite_contract: REWRITE_CONTRACT };
    },
  }),
);

const status = underEachBase((base) =>
  route({
    ...shared,
    method: "GET",
    path: `${base}/{name}/materialization_status/`,
    summary: "Show how the table of a version stands",
    query: VersionQuery,
    reply: json(200, Materialization),
    errors: [UnknownVersion],
    async handle({ params, query, grant, world }) {
      const endpoint = await requireEndpoint(world.table, grant.project.id, params.name);
      const version = await requireVersion(world.table, endpoint, query.version ?? endpoint.current_version);
      return (await readTables(world.table, [{ endpoint, version }])).of(version);
    },
  }),
);

/** Operations on the tables of versions. */
export const materialisations = [...conditions, ...status];
