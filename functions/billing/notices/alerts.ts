import * as z from "zod";
import { route } from "../../../lib/app/routes.ts";
import { billingKey } from "../../../lib/auth/billing-access.ts";
import { alertFields, readAlerts } from "../../../lib/billing/alerts.ts";
import { isoSeconds } from "../../../lib/core/time.ts";
import { PageQuery, page, paginated } from "../../../lib/http/pagination.ts";
import { json } from "../../../lib/http/reply.ts";
import { BASE, TAGS, TeamQuery } from "../operations.ts";

const AlertForm = z
  .object({
    product: z.string(),
    name: z.string(),
    usage_key: z.string(),
    threshold: z.enum(["80", "100", "dropping"]),
    usage: z.int(),
    limit: z.int(),
    period_start: z.string(),
    period_end: z.string(),
    at: z.string(),
    drops_from: z.string().nullable(),
    letter: z.enum(["waiting", "sent", "superseded", "failed"]),
  })
  .meta({ id: "BillingAlert" });

export const listAlerts = route({
  method: "GET",
  path: `${BASE}/alerts/`,
  summary: "List what was told of limits",
  description:
    "Products whose use came to 80 % or 100 % of their limit, or beyond where data is dropped: each once in a period. Of the last year, newest first.",
  tags: TAGS,
  access: billingKey("billing:read", "usage"),
  query: TeamQuery.extend(PageQuery.shape),
  reply: json(200, paginated(AlertForm)),
  async handle({ query, grant, world, request }) {
    const alerts = await readAlerts(world.table, grant.organization.id);
    const shown = alerts
      .slice(query.offset, query.offset + query.limit)
      .map((alert) => ({ ...alertFields(alert), at: isoSeconds(alert.at), letter: alert.letter }));
    return page(request, query, alerts.length, shown);
  },
});
