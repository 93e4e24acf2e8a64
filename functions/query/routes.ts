import * as z from "zod";
import { group, route } from "../../lib/app/routes.ts";
import { projectKey } from "../../lib/auth/access.ts";
import { CALLER_PARTITIONS } from "../../lib/auth/caller-partitions.ts";
import { RunNumberError } from "../../lib/endpoints/check-input.ts";
import { RUN_PARTITIONS } from "../../lib/endpoints/run-partitions.ts";
import { integer, text } from "../../lib/http/fields.ts";
import { PageQuery, page, paginated, type Window } from "../../lib/http/pagination.ts";
import { json, jsonWithHeaders } from "../../lib/http/reply.ts";
import type { HttpRequest } from "../../lib/http/request.ts";
import { EventDefinition, OWNER_KINDS, PropertyDefinition, PropertyValues } from "./definitions-wire.ts";
import { LiveEvents, LiveQuery } from "./live-wire.ts";
import { persons } from "./persons/routes.ts";
import { ruleTrials } from "./rule-trials.ts";
import { DescribedQueryResult, QUERY_HEADERS, QueryBody, QueryResult, QuerySchema } from "./wire.ts";

const run = route({
  method: "POST",
  path: "/api/projects/{project_id}/query/",
  tags: ["Queries"],
  summary: "Run a query that is not saved",
  description:
    "The query is checked as one that is saved as an endpoint, and computed from the events by each call, within the bounds of an endpoint's run. Nothing of it is kept.",
  access: projectKey("query:read"),
  // Counted together with the runs of saved queries, by the contract.
  throttle: "run",
  body: QueryBody,
  examples: {
    body: {
      query: { kind: "HogQLQuery", query: "SELECT event, count() AS times FROM events GROUP BY event ORDER BY times DESC" },
      limit: 10,
    },
  },
  bodyErrors: "dotted",
  errors: [{ status: 400, description: "The query, its variables or its numbers cannot be served.", body: RunNumberError }],
  reply: jsonWithHeaders(200, QueryResult, QUERY_HEADERS),
  described: { reply: DescribedQueryResult },
  handle: async ({ body, grant, world }) => (await import("./run.ts")).runQuery(world, grant.project, body),
});

const schema = route({
  method: "GET",
  path: "/api/projects/{project_id}/query/schema/",
  tags: ["Queries"],
  summary: "List the tables and functions of the query language",
  description: "The same for all projects. What a project's events hold beyond the columns is in the lists of events and of properties.",
  access: projectKey("query:read"),
  reply: json(200, QuerySchema),
  handle: async () => (await import("./schema.ts")).querySchema(),
});

const SEARCH = z.string().optional().meta({ description: "A text that the names have to hold, in upper or lower case." });

const listEvents = route({
  method: "GET",
  path: "/api/projects/{project_id}/event_definitions/",
  tags: ["Queries"],
  summary: "List the events of a project by name",
  description:
    "Those that came with a time in the last 30 days, of more than 10,000 names those of most events. Their rows are counted by each call, in one of the slots for runs.",
  access: projectKey("event_definition:read"),
  throttle: "query",
  query: PageQuery.extend({ search: SEARCH }),
  reply: json(200, paginated(EventDefinition)),
  errors: [400],
  async handle({ query, grant, world, request }) {
    const { eventDefinitions } = await import("./event-definitions.ts");
    return windowPage(request, query, await eventDefinitions(world, grant.project, query.search));
  },
});

const GROUP_TYPE_INDEX = integer({ min: 0, max: 4 })
  .optional()
  .meta({ description: "Of groups, the place of one group type, from 0; all of them when left out." });

const listProperties = route({
  method: "GET",
  path: "/api/projects/{project_id}/property_definitions/",
  tags: ["Queries"],
  summary: "List the properties of a project with their types",
  description: "Those that had a value, as queries take them; a property without a value so far is not listed.",
  access: projectKey("property_definition:read"),
  query: PageQuery.extend({
    type: z.enum(OWNER_KINDS).default("event").meta({ description: "Whose properties; those of events when left out." }),
    group_type_index: GROUP_TYPE_INDEX,
    search: SEARCH,
  }),
  reply: json(200, paginated(PropertyDefinition)),
  async handle({ query, grant, world, request }) {
    const { propertyDefinitions } = await import("./property-definitions.ts");
    return windowPage(request, query, await propertyDefinitions(world, grant.project.id, query));
  },
});

const listValues = route({
  method: "GET",
  path: "/api/projects/{project_id}/property_definitions/values/",
  tags: ["Queries"],
  summary: "List the most frequent values of a property",
  description:
    "At most 50, of up to 400 characters: of events with a time in the last 30 days, or of persons or groups as they are now. They are counted by each call, in one of the slots for runs.",
  access: projectKey("property_definition:read"),
  throttle: "query",
  query: z.object({
    key: text().meta({ description: "Name of the property." }),
    type: z.enum(OWNER_KINDS).default("event").meta({ description: "Whose property; an event's when left out." }),
    group_type_index: GROUP_TYPE_INDEX,
    event: z.string().optional().meta({ description: "Of events, only those of this name." }),
    value: z.string().optional().meta({ description: "A text that the values have to hold, in upper or lower case." }),
  }),
  reply: json(200, PropertyValues),
  errors: [400],
  handle: async ({ query, grant, world }) => (await import("./property-values.ts")).propertyValues(world, grant.project, query),
});

const liveEvents = route({
  method: "GET",
  path: "/api/projects/{project_id}/live_events/",
  tags: ["Queries"],
  summary: "Follow the events of a project as they come",
  description:
    "Without `after`, the newest events of the last hour, or of the last 30 days where that has none. With `next` of an answer as `after`, those that came since, in the order in which they came and whatever their times are, so that no event is shown twice or left out while an answer is not full: one of which some are left out says `has_more`, and the numbers of its minutes count them. Made to be called every two seconds; where nothing came, no query is run. A cursor is good for 10 minutes, after which the answer begins anew. What took longer than a minute from being numbered to being stored is counted and not shown, and what is sent again more than 15 minutes later is shown again.",
  access: projectKey("query:read"),
  throttle: "live",
  query: LiveQuery,
  reply: json(200, LiveEvents),
  errors: [400],
  handle: async ({ query, grant, world }) => (await import("./live-events.ts")).liveEvents(world, grant.project, query),
});

const windowPage = <T>(request: HttpRequest, window: Window, all: readonly T[]) =>
  page(request, window, all.length, all.slice(window.offset, window.offset + window.limit));

export const query = group({
  name: "query",
  gateway: "management",
  uses: {
    // Of a project the slots of its runs are written, and its rules are read where they are tried.
    // Who is to be erased is written down, and a job does it.
    table: {
      read: [...CALLER_PARTITIONS.read, ...RUN_PARTITIONS, "errorTracking", "erasures"],
      lists: CALLER_PARTITIONS.lists,
      write: [...CALLER_PARTITIONS.write, "project", "erasures"],
    },
    queues: ["jobs"],
    objects: { read: ["fresh", "events", "state", "tables"] },
    engine: true,
  },
  settings: ["erasure"],
  routes: [run, schema, liveEvents, listEvents, listProperties, listValues, ...persons, ...ruleTrials],
});
