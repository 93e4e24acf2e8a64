import * as z from "zod";
import { route } from "../../../lib/app/routes.ts";
import { billingKey } from "../../../lib/auth/billing-access.ts";
import { json, largeFile } from "../../../lib/http/reply.ts";
import { BASE, TAGS } from "../operations.ts";
import { answer, teamOptions } from "./answer.ts";
import { exportSeries } from "./export.ts";
import { ExportQuery, SeriesQuery } from "./query.ts";
import { TimeSeriesResponse } from "./wire.ts";

const shared = {
  method: "GET",
  tags: TAGS,
  access: billingKey("billing:read", "usage"),
  query: SeriesQuery,
  errors: [400],
} as const;

const usage = route({
  ...shared,
  path: `${BASE}/usage/`,
  reply: json(200, TimeSeriesResponse),
  summary: "What an organization used, by day, week or month",
  description: "Members who may only look see the projects that they see everywhere.",
  handle: ({ query, grant, world }) => answer("usage", world, grant, query),
});

const spend = route({
  ...shared,
  path: `${BASE}/spend/`,
  reply: json(200, TimeSeriesResponse),
  summary: "What an organization spent, by day, week or month",
  description: "In US dollars, before coupons, credits and tax.",
  handle: ({ query, grant, world }) => answer("spend", world, grant, query),
});

const FILE =
  "All series of the question as one CSV file, not in pages. Members who may only look get the projects from which they may export.";

const usageExport = route({
  ...shared,
  path: `${BASE}/usage/export/`,
  summary: "Usage as a CSV file",
  description: FILE,
  query: ExportQuery,
  reply: largeFile("text/csv"),
  throttle: "export",
  handle: ({ query, grant, world, request }) => exportSeries("usage", world, grant, query, request),
});

const spendExport = route({
  ...shared,
  path: `${BASE}/spend/export/`,
  summary: "Spend as a CSV file",
  description: FILE,
  query: ExportQuery,
  reply: largeFile("text/csv"),
  throttle: "export",
  handle: ({ query, grant, world, request }) => exportSeries("spend", world, grant, query, request),
});

const options = route({
  method: "GET",
  path: `${BASE}/usage/team_options/`,
  summary: "Projects that usage can be filtered by",
  tags: TAGS,
  access: shared.access,
  query: SeriesQuery.pick({ team_id: true }),
  reply: json(200, z.object({ team_id_options: z.array(z.int()) }).meta({ id: "BillingTeamOptionsResponse" })),
  handle: async ({ grant, world }) => ({ team_id_options: [...(await teamOptions(world, grant))] }),
});

export const seriesRoutes = [usage, spend, usageExport, spendExport, options];
