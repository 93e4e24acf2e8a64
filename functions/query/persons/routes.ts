import { route } from "../../../lib/app/routes.ts";
import { projectKey } from "../../../lib/auth/access.ts";
import { isoOfMicros } from "../../../lib/core/time.ts";
import { page, paginated } from "../../../lib/http/pagination.ts";
import { json } from "../../../lib/http/reply.ts";
import type { HttpRequest } from "../../../lib/http/request.ts";
import { erase } from "./erase-route.ts";
import type { TimeRange } from "./person-events.ts";
import { Person, PersonEvents, PersonEventsQuery, PersonsQuery } from "./wire.ts";

const BASE = "/api/projects/{project_id}/persons/";
const shared = { tags: ["Persons"], access: projectKey("person:read"), throttle: "query" } as const;

const list = route({
  method: "GET",
  path: BASE,
  summary: "Find persons",
  description:
    "Those for which all that is asked holds, the one seen first last; all of them where nothing is asked. At most 100 distinct ids of each are shown. They are read by a query, in one of the slots for runs, and a page ends earlier where its persons are too long for one answer: `next` goes on where it ended.",
  ...shared,
  query: PersonsQuery,
  reply: json(200, paginated(Person)),
  errors: [400],
  async handle({ query, grant, world, request }) {
    const { count, persons } = await (await import("./find-persons.ts")).findPersons(world, grant.project, query);
    const reached = query.offset + (persons.length > 0 ? persons.length : query.limit);
    return page(request, query, count, persons, reached);
  },
});

const retrieve = route({
  method: "GET",
  path: `${BASE}{uuid}/`,
  summary: "Retrieve a person",
  description:
    "With its properties and its distinct ids, at most 2,500. The id of one that was merged into another is 404: ask for the list by `distinct_id`.",
  ...shared,
  reply: json(200, Person),
  errors: [400],
  handle: async ({ params, grant, world }) => (await import("./find-persons.ts")).findPerson(world, grant.project, params.uuid),
});

const events = route({
  method: "GET",
  path: `${BASE}{uuid}/events/`,
  summary: "List the events of a person",
  description:
    "Of all its distinct ids, the newest first. `next` is the address of those before them within the same times; it is null where there are none.",
  ...shared,
  query: PersonEventsQuery,
  reply: json(200, PersonEvents),
  errors: [400],
  async handle({ params, query, grant, world, request }) {
    const {
      events: results,
      cursor,
      range,
    } = await (await import("./person-events.ts")).personEvents(world, grant.project, params.uuid, query);
    return { next: cursor === null ? null : nextAddress(request, cursor, range), results: [...results] };
  },
});

/** The same address with what comes after a place, within the same times whenever it is called. */
const nextAddress = (request: HttpRequest, cursor: string, { after, before }: TimeRange): string => {
  const query = new URLSearchParams(request.query.filter(([name]) => !OWN.has(name)).map(([...pair]) => pair));
  for (const [name, value] of [
    ["after", isoOfMicros(after)],
    ["before", isoOfMicros(before)],
    ["cursor", cursor],
  ] as const)
    query.set(name, value);
  return `${request.origin}${request.path}?${query}`;
};

/** What is replaced. */
const OWN: ReadonlySet<string> = new Set(["after", "before", "cursor"]);

/** Persons and what they did. */
export const persons = [list, retrieve, erase, events];
