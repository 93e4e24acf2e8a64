import * as z from "zod";
import { route } from "../../../lib/app/routes.ts";
import { projectKey } from "../../../lib/auth/access.ts";
import { invalid } from "../../../lib/http/errors.ts";
import { integer } from "../../../lib/http/fields.ts";
import { json } from "../../../lib/http/reply.ts";
import { BASE, TAGS } from "../place.ts";
import { MOST_FOUND, pathName } from "../providers/tracker.ts";
import { TRACKERS, trackerConnection, withProviderErrors, withToken } from "../providers/trackers.ts";
import { requireIntegration, shownTitle } from "./external-links.ts";

const FoundIssue = z.object({ id: z.string(), title: z.string(), url: z.string(), external_context: z.record(z.string(), z.unknown()) });

/** Characters that a provider is asked for. */
const MOST_CHARACTERS = 200;

const search = route({
  method: "GET",
  path: `${BASE}/external_references/search_issues/`,
  summary: "Search issues at a provider",
  description: "Through the project's integration. What is found can be tied with `link_issue`.",
  tags: TAGS,
  access: projectKey(["error_tracking:read", "integration:read"]),
  query: z.object({
    integration_id: integer().meta({ description: "Number of the project's integration with the provider." }),
    search: z
      .string()
      .max(MOST_CHARACTERS)
      .default("")
      .meta({ description: "Words that the issue holds; the latest issues when left out." }),
    repository: z.string().optional().meta({ description: "Which repository; only GitHub needs it." }),
  }),
  reply: json(200, z.object({ issues: z.array(FoundIssue) }).meta({ id: "ErrorTrackingExternalIssues" })),
  errors: [429],
  async handle({ query, grant, world }) {
    const integration = await requireIntegration(world.table, grant.project.id, query.integration_id);
    const tracker = TRACKERS[integration.kind];
    const repository = tracker.searchesRepository ? pathName(query.repository) : "";
    if (repository === undefined) throw invalid("repository", "Name a repository of the integration's organization, without a slash.");
    const connection = trackerConnection(integration, world.config);
    const url = tracker.urls(connection);
    const found = await withProviderErrors(integration.kind, async () =>
      tracker.search(await withToken(world, connection, integration), { text: query.search, repository }),
    );
    return {
      issues: found.slice(0, MOST_FOUND).map(({ context, title }) => ({
        id: String(context[tracker.idKey]),
        title: shownTitle(title),
        url: url(context),
        external_context: context,
      })),
    };
  },
});

export const externalSearchRoutes = [search];
