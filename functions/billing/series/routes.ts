import { billingKey } from "../../../lib/auth/billing-access.ts";
import { json } from "../../../lib/http/reply.ts";
import { route } from "../../../lib/http/route.ts";
import { BASE, TAGS } from "../place.ts";
import { answer } from "./answer.ts";
import { SeriesQuery } from "./query.ts";
import { TimeSeriesResponse } from "./wire.ts";

const shared = {
  method: "GET",
  tags: TAGS,
  access: billingKey("billing:read", "usage"),
  query: SeriesQuery,
  reply: json(200, TimeSeriesResponse),
  errors: [400],
} as const;

const usage = route({
  ...shared,
  path: `${BASE}/usage/`,
  summary: "What an organization used, by day, week or month",
  description: "Members who may only look see the projects that they see everywhere.",
  handle: ({ query, grant, world }) => answer("usage", world, grant, query),
});

const spend = route({
  ...shared,
  path: `${BASE}/spend/`,
  summary: "What an organization spent, by day, week or month",
  description: "In US dollars, before coupons, credits and tax.",
  handle: ({ query, grant, world }) => answer("spend", world, grant, query),
});

export const seriesRoutes = [usage, spend];
