import * as z from "zod";
import { underEachBase } from "../../../lib/endpoint/base-paths.ts";
import { BUCKETS } from "../../../lib/endpoint/definition.ts";
import { requireEndpoint, requireVersion } from "../../../lib/endpoint/load.ts";
import { bare } from "../../../lib/http/errors.ts";
import { json } from "../../../lib/http/reply.ts";
import { route } from "../../../lib/http/route.ts";
import { checkBuckets } from "../settings.ts";
import { ENDPOINT_TAGS, readEndpoints, UnknownVersion, VersionQuery } from "../shared.ts";
import { Materialization } from "../wire.ts";
import { Preview } from "./preview-wire.ts";
import { Suggestion } from "./suggestion-wire.ts";
import { tablesOf } from "./tables.ts";

const shared = { tags: ENDPOINT_TAGS, access: readEndpoints } as const;

const Conditions = z
  .object({
    conditions_source: z.string().meta({ description: "The source of the live checks." }),
    rewrite_contract: z.string().meta({ description: "What a rewritten query has to keep." }),
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
      const { conditionsSource, REWRITE_CONTRACT } = await import("../../../lib/endpoint/materialisation/checks/sources.ts");
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
      return (await tablesOf(world.table, [{ endpoint, version }])).of(version);
    },
  }),
);

const PreviewBody = z
  .object({
    version: z.int().nullish(),
    bucket_overrides: z
      .record(z.string(), z.string())
      .nullish()
      .meta({ description: `Columns that are rounded otherwise than to their day: ${BUCKETS.join(", ")}.` }),
  })
  .meta({ id: "MaterializationPreviewRequest" });

const preview = underEachBase((base) =>
  route({
    ...shared,
    method: "POST",
    path: `${base}/{name}/materialization_preview/`,
    summary: "Show how a version would be materialised",
    description: "Nothing is saved.",
    body: PreviewBody,
    reply: json(200, Preview),
    errors: [UnknownVersion],
    async handle({ params, body, grant, world }) {
      const endpoint = await requireEndpoint(world.table, grant.project.id, params.name);
      const version = await requireVersion(world.table, endpoint, body.version ?? endpoint.current_version);
      checkBuckets(body.bucket_overrides);
      const { previewFor } = await import("./preview.ts");
      return previewFor(world, grant.project, endpoint, {
        ...version,
        bucket_overrides: body.bucket_overrides ?? version.bucket_overrides,
      });
    },
  }),
);

const Refusal = z.object({ error: z.string() }).meta({ id: "MaterializationSuggestionRefusal" });

const suggestion = underEachBase((base) =>
  route({
    ...shared,
    method: "POST",
    path: `${base}/{name}/materialization_suggestion/`,
    summary: "Suggest a form of a query that can be materialised",
    description: "For a SQL query that fails the checks: the known rewrites. Nothing is saved.",
    body: z.object({ version: z.int().nullish() }).meta({ id: "MaterializationSuggestionRequest" }),
    reply: json(200, Suggestion),
    errors: [
      UnknownVersion,
      { status: 400, description: "An insight, or a query that needs no rewrite.", body: Refusal },
      { status: 403, description: "The organization has not approved AI data processing.", body: Refusal },
      { status: 503, description: "No known rewrite fits, and no model is configured.", body: Refusal },
    ],
    async handle({ params, body, grant, world }) {
      const endpoint = await requireEndpoint(world.table, grant.project.id, params.name);
      if (grant.organization.is_ai_data_processing_approved !== true)
        throw bare(403, { error: "The organization has not approved AI data processing. An admin may approve it in its settings." });
      const version = await requireVersion(world.table, endpoint, body.version ?? endpoint.current_version);
      return (await import("./suggestion.ts")).suggestFor(world, grant.project, version);
    },
  }),
);

/** Operations on the tables of versions. */
export const materialisations = [...conditions, ...status, ...preview, ...suggestion];
