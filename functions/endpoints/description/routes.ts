import * as z from "zod";
import { route } from "../../../lib/app/routes.ts";
import { requireVersion } from "../../../lib/endpoints/load.ts";
import { findMaterialisation } from "../../../lib/endpoints/materialisations.ts";
import {
  ENDPOINT_TAGS,
  publicOrigin,
  readEndpoint,
  UnknownVersion,
  underEachBase,
  VersionQuery,
} from "../../../lib/endpoints/route-parts.ts";
import { json } from "../../../lib/http/reply.ts";
import { DIALECTS } from "../wire.ts";

const Description = z
  .record(z.string(), z.unknown())
  .meta({ id: "EndpointDescription", description: "An OpenAPI document with the run of one version as its only operation." });

/** The document and the language, which no other operation needs. */
const loadDescription = () => Promise.all([import("./openapi.ts"), import("./row-schema.ts")]);

/** Operations that describe endpoints to programs. */
export const descriptions = underEachBase((base) =>
  route({
    method: "GET",
    path: `${base}/{name}/openapi.json/`,
    summary: "Describe the run of a saved query endpoint for client generators",
    description: "OpenAPI with the run as its only operation: its variables, which of them it needs, and its rows.",
    tags: ENDPOINT_TAGS,
    access: readEndpoint,
    query: VersionQuery.extend({
      openapi: z
        .enum(DIALECTS)
        .default("3.0")
        .meta({ description: "The version of OpenAPI to write; 3.1 types the rows of a SQL query column by column." }),
    }),
    reply: json(200, Description),
    errors: [UnknownVersion],
    find: ({ grant }) => grant.endpoint(),
    async handle({ found, query, grant, world, request }) {
      const version = await requireVersion(world.table, found, query.version ?? found.current_version);
      const materialisation = version.has_table ? await findMaterialisation(world.table, version) : undefined;
      const hasTable = (materialisation?.table ?? null) !== null;
      const [{ describeVersion }, { rowSchema }] = await loadDescription();
      const row = await rowSchema(world, grant.project, version, query.openapi);
      return describeVersion({ endpoint: found, version, hasTable, row, origin: publicOrigin(world, request), dialect: query.openapi });
    },
  }),
);
