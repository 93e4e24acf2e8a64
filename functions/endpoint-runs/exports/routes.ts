import { route } from "../../../lib/app/routes.ts";
import { projectKey } from "../../../lib/auth/access.ts";
import { notFound } from "../../../lib/http/errors.ts";
import { uuid } from "../../../lib/http/fields.ts";
import { json } from "../../../lib/http/reply.ts";
import { EndpointExport, ExportBody } from "./wire.ts";

const BASE = "/api/projects/{project_id}/exports/";
const shared = { tags: ["Endpoints"], access: projectKey("endpoint:read", { secretKeys: true }) } as const;

const loadExports = () => import("./make-export.ts");

const create = route({
  method: "POST",
  path: BASE,
  summary: "Make a file of all rows of a saved query",
  description:
    "For rows that are more than a run may answer: of SQL alone, up to 500,000 rows or 32 MB of JSON, computed now within the time of a run and in one of its slots. A query without a LIMIT gives all its rows. The file is kept for a day, and its address holds for an hour: retrieving the export gives another one.",
  ...shared,
  throttle: "export",
  body: ExportBody,
  examples: { body: { endpoint: "pageviews-by-day", variables: { event_name: "$pageview" }, format: "csv" } },
  bodyErrors: "dotted",
  reply: json(201, EndpointExport),
  handle: async ({ body, grant, world }) => (await loadExports()).makeExport(world, grant.project, body),
});

const retrieve = route({
  method: "GET",
  path: `${BASE}{id}/`,
  summary: "Retrieve an export",
  description: "With an address of its file that holds for an hour from now on.",
  ...shared,
  reply: json(200, EndpointExport),
  async handle({ params, grant, world }) {
    const id = uuid().safeParse(params.id);
    if (!id.success) throw notFound();
    return (await loadExports()).showExport(world, grant.project, id.data);
  },
});

/** Rows of saved queries as files. */
export const rowExports = [create, retrieve];
