import * as z from "zod";
import { refusal, route } from "../../../lib/app/routes.ts";
import { isHyphenatedUuid } from "../../../lib/core/uuid.ts";
import { type ExternalReference, ExternalReferences, referencesOfProject } from "../../../lib/error-tracking/external-references.ts";
import { type Fields, isFields } from "../../../lib/event/fields.ts";
import { invalid, notFound } from "../../../lib/http/errors.ts";
import { boolean, integer, uuid } from "../../../lib/http/fields.ts";
import { PageQuery, page, paginated } from "../../../lib/http/pagination.ts";
import { json } from "../../../lib/http/reply.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { checkRoom } from "../../../lib/table/bounded-list.ts";
import { readWindow } from "../../../lib/table/paging.ts";
import { counterKey } from "../../../lib/table/partitions.ts";
import { get } from "../../../lib/table/store.ts";
import { ExternalIssue } from "../issues/issue-form.ts";
import { BASE, type InProject, read, TAGS, write } from "../place.ts";
import { TRACKERS, trackerConnection, withProviderErrors, withToken } from "../providers/trackers.ts";
import { checkKeys, readNames, requireEnds, setVisibility, tie } from "./external-links.ts";
import { referenceForm, referenceForms } from "./external-reference-form.ts";

const byId = async (table: Table, project: number, id: string): Promise<ExternalReference> => {
  if (!isHyphenatedUuid(id)) throw invalid("id", "Must be a valid UUID.");
  const reference = await get(table, ExternalReferences, { project, id: id.toLowerCase() }, { consistent: true });
  if (reference === undefined) throw notFound();
  return reference;
};

/** One of them as sent; one whose integration is gone is gone with it. */
const currentForm = async (table: Table, reference: ExternalReference) => {
  const [form] = await referenceForms(table, reference.project, [reference]);
  if (form === undefined) throw notFound();
  return form;
};

const list = route({
  method: "GET",
  path: `${BASE}/external_references/`,
  summary: "List issues at providers that belong to issues here",
  description: "Oldest first.",
  tags: TAGS,
  access: read,
  query: PageQuery,
  reply: json(200, paginated(ExternalIssue)),
  async handle({ query, grant, world, request }) {
    const project = grant.project.id;
    const options = { ...query, counter: counterKey("externalReferenceCount", project) };
    const { count, items } = await readWindow(world.table, ExternalReferences, "inOrder", { project, visibility: "shown" }, options);
    return page(request, query, count, await referenceForms(world.table, project, items));
  },
});

const retrieve = route({
  method: "GET",
  path: `${BASE}/external_references/{id}/`,
  summary: "Retrieve an external reference",
  tags: TAGS,
  access: read,
  reply: json(200, ExternalIssue),
  errors: [400],
  async handle({ params, grant, world: { table } }) {
    const reference = await byId(table, grant.project.id, params.id);
    if (reference.visibility === "hidden") throw notFound();
    return currentForm(table, reference);
  },
});

/** Any value that is there; whether it is an object is said after the issue and the integration are known. */
const sentObject = () => z.any().refine((value) => value !== undefined, { error: "This field is required.", params: { code: "required" } });

const requireObject = (sent: unknown, what: string): Fields => {
  if (!isFields(sent)) throw invalid(null, `The ${what} must be an object.`);
  return sent;
};

const create = route({
  method: "POST",
  path: `${BASE}/external_references/`,
  summary: "Create an issue at a provider for an issue here",
  description: "Through the project's integration. What the provider made is tied to the issue here.",
  tags: TAGS,
  access: write,
  body: z
    .object({ integration_id: integer(), config: sentObject().meta({ type: "object" }), issue: uuid() })
    .meta({ id: "ErrorTrackingExternalReferenceWrite" }),
  examples: {
    body: {
      integration_id: 1,
      issue: "0190d0aa-0000-7000-8000-000000000001",
      config: { repository: "shop", title: "Checkout fails", body: "It fails since the last release." },
    },
  },
  reply: json(201, ExternalIssue),
  errors: [429],
  async handle({ body, grant, world }) {
    const ends = await requireEnds(world.table, grant.project.id, body.issue, body.integration_id);
    const { integration } = ends;
    const tracker = TRACKERS[integration.kind];
    const wanted = wantedTexts(integration.kind, tracker.creating, requireObject(body.config, "config"));
    const connection = trackerConnection(integration, world.config);
    const url = tracker.urls(connection);
    await checkRoom(world, referencesOfProject(grant.project.id));
    const made = await withProviderErrors(integration.kind, async () =>
      tracker.create(await withToken(world, connection, integration), wanted),
    );
    return referenceForm(await tie(world, ends, { ...made, url: url(made.context), idKey: tracker.idKey }), integration);
  },
});

/** Characters of a description; providers take less. */
const MOST_CHARACTERS = 100_000;

const wantedTexts = (kind: string, keys: Readonly<Record<string, boolean>>, sent: Fields): Readonly<Record<string, string>> => {
  checkKeys(kind, Object.keys(keys), sent, "config");
  return Object.fromEntries(
    Object.entries(keys).map(([key, isNeeded]) => {
      const value = sent[key];
      if (typeof value !== "string" || value.length > MOST_CHARACTERS)
        throw invalid(null, `The config key ${key} must be a string for ${kind}.`);
      if (isNeeded && value.trim() === "") throw invalid(null, `The config key ${key} may not be blank for ${kind}.`);
      return [key, value];
    }),
  );
};

const link = route({
  method: "POST",
  path: `${BASE}/external_references/link_issue/`,
  summary: "Tie an issue to one that is at the provider already",
  description: "Saying it twice changes nothing.",
  tags: TAGS,
  access: write,
  body: z
    .object({ integration_id: integer(), issue: uuid(), external_context: sentObject().meta({ type: "object" }) })
    .meta({ id: "ErrorTrackingExternalLink" }),
  examples: {
    body: {
      integration_id: 1,
      issue: "0190d0aa-0000-7000-8000-000000000001",
      external_context: { repository: "shop", number: 7, title: "Checkout fails" },
    },
  },
  reply: json(201, ExternalIssue),
  async handle({ body, grant, world }) {
    const ends = await requireEnds(world.table, grant.project.id, body.issue, body.integration_id);
    const { integration } = ends;
    const { naming, idKey, urls } = TRACKERS[integration.kind];
    const sent = requireObject(body.external_context, "external_context");
    const context = readNames(integration.kind, naming, sent);
    const title = typeof sent.title === "string" ? sent.title : "";
    const url = urls(trackerConnection(integration, world.config))(context);
    return referenceForm(await tie(world, ends, { context, title, url, idKey }), integration);
  },
});

const hide = route({
  method: "PATCH",
  path: `${BASE}/external_references/{id}/`,
  summary: "Hide an external reference from lists and look-ups, or bring it back",
  description: "The issue at the provider stays.",
  tags: TAGS,
  access: write,
  body: z.object({ deleted: boolean().optional() }).meta({ id: "ErrorTrackingExternalReferenceChanges" }),
  examples: { body: { deleted: true } },
  reply: json(200, ExternalIssue),
  errors: [400],
  find: ({ params, grant, world }: InProject) => byId(world.table, grant.project.id, params.id),
  async handle({ found, body, world }) {
    if (body.deleted !== undefined) await setVisibility(world, found, body.deleted ? "hidden" : "shown");
    return currentForm(world.table, found);
  },
});

const destroy = refusal({
  method: "DELETE",
  path: `${BASE}/external_references/{id}/`,
  summary: "Not offered: set `deleted` by PATCH",
  tags: TAGS,
  access: write,
  body: null,
});

export const externalReferenceRoutes = [list, retrieve, create, link, hide, destroy];
