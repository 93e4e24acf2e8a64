import * as z from "zod";
import { group, route } from "../../lib/app/routes.ts";
import { CALLER_PARTITIONS } from "../../lib/auth/caller-partitions.ts";
import { checkBuckets } from "../../lib/endpoints/definition.ts";
import { requireEndpoint, requireVersion } from "../../lib/endpoints/load.ts";
import { ENDPOINT_TAGS, readEndpoints, UnknownVersion, underEachBase } from "../../lib/endpoints/route-parts.ts";
import { RUN_PARTITIONS } from "../../lib/endpoints/run-partitions.ts";
import { bare } from "../../lib/http/errors.ts";
import { json } from "../../lib/http/reply.ts";
import { Preview, Suggestion } from "./wire.ts";

const shared = { tags: ENDPOINT_TAGS, access: readEndpoints } as const;

const PreviewBody = z
  .object({
    version: z.int().nullish(),
    bucket_overrides: z.record(z.string(), z.string()).nullish(),
    variables: z.record(z.string(), z.unknown()).nullish(),
  })
  .meta({ id: "MaterializationPreviewRequest" });

const preview = underEachBase((base) =>
  route({
    ...shared,
    method: "POST",
    path: `${base}/{name}/materialization_preview/`,
    summary: "Show how a version would be materialised",
    description: "Nothing is saved. With `variables` a run of the version is made both ways, live and materialised.",
    throttle: "query",
    body: PreviewBody,
    examples: { body: { bucket_overrides: { timestamp: "hour" } } },
    reply: json(200, Preview),
    errors: [UnknownVersion],
    async handle({ params, body, grant, world }) {
      const endpoint = await requireEndpoint(world.table, grant.project.id, params.name);
      const version = await requireVersion(world.table, endpoint, body.version ?? endpoint.current_version);
      checkBuckets(body.bucket_overrides);
      const { previewFor } = await import("./preview.ts");
      const bucket_overrides = body.bucket_overrides ?? version.bucket_overrides;
      return previewFor(world, grant.project, endpoint, { ...version, bucket_overrides }, body.variables ?? undefined);
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
    description:
      "For a SQL query that fails the checks: the known rewrites, and where none of them does, a language model. Nothing is saved.",
    throttle: "suggestion",
    body: z.object({ version: z.int().nullish() }).meta({ id: "MaterializationSuggestionRequest" }),
    examples: { body: { version: 1 } },
    reply: json(200, Suggestion),
    errors: [
      UnknownVersion,
      { status: 400, description: "An insight, or a query that needs no rewrite.", body: Refusal },
      { status: 403, description: "The organization has not approved AI data processing.", body: Refusal },
      { status: 502, description: "The language model refused the question.", body: Refusal },
      { status: 503, description: "No known rewrite fits, and no model is configured or it does not answer.", body: Refusal },
    ],
    async handle({ params, body, grant, world }) {
      const endpoint = await requireEndpoint(world.table, grant.project.id, params.name);
      if (grant.organization.is_ai_data_processing_approved !== true)
        throw bare(403, { error: "The organization has not approved AI data processing. An admin may approve it in its settings." });
      const version = await requireVersion(world.table, endpoint, body.version ?? endpoint.current_version);
      return (await import("../../lib/endpoints/suggest.ts")).suggestFor(world, grant.project, version);
    },
  }),
);

/** What is tried out with a version's query before anything of it is saved: these need the engine, and one of them a model. */
export const endpointTrials = group({
  name: "endpoint-trials",
  gateway: "management",
  uses: {
    table: {
      read: [...CALLER_PARTITIONS.read, ...RUN_PARTITIONS],
      lists: CALLER_PARTITIONS.lists,
      write: [...CALLER_PARTITIONS.write, "project"],
    },
    // A table is made to be compared with the events, read, and removed.
    objects: { read: ["fresh", "events", "state", "tables"], write: ["tables"], remove: ["tables"] },
    engine: true,
    model: true,
  },
  routes: [...preview, ...suggestion],
});
