import * as z from "zod";
import { route } from "../../../lib/app/routes.ts";
import { billingKey } from "../../../lib/auth/billing-access.ts";
import { type Owed, readOwed } from "../../../lib/billing/owed.ts";
import { formatUsd } from "../../../lib/core/money.ts";
import { isoSeconds } from "../../../lib/core/time.ts";
import { PageQuery, page, paginated } from "../../../lib/http/pagination.ts";
import { json } from "../../../lib/http/reply.ts";
import { BASE, TAGS, TeamQuery } from "../operations.ts";
import { refuseUpstream } from "./upstream.ts";

const Receivable = z
  .object({
    kind: z.enum(["invoice", "credit_purchase"]),
    id: z.string(),
    number: z.string().nullable(),
    status: z.enum(["open", "payment_failed", "overdue"]),
    amount_due_usd: z.string(),
    issued_at: z.string(),
    overdue_at: z.string(),
  })
  .meta({ id: "BillingReceivable" });

export const listReceivables = route({
  method: "GET",
  path: `${BASE}/receivables/`,
  summary: "List what the organization owes",
  description: "Invoices that are to be paid, and credit that was bought and is there once it is paid. Oldest first.",
  tags: TAGS,
  access: billingKey("billing:read", "member"),
  query: TeamQuery.extend(PageQuery.shape),
  reply: json(200, paginated(Receivable)),
  async handle({ query, grant, world, request }) {
    refuseUpstream(world);
    const owed = await readOwed(world.table, grant.organization.id, world.clock.now());
    return page(request, query, owed.length, owed.slice(query.offset, query.offset + query.limit).map(receivableForm));
  },
});

const receivableForm = ({ kind, id, number, status, cents, since, overdue_at }: Owed): z.output<typeof Receivable> => ({
  kind,
  id,
  number,
  status,
  amount_due_usd: formatUsd(BigInt(cents)),
  issued_at: isoSeconds(since),
  overdue_at: isoSeconds(overdue_at),
});
