import { route } from "../../../lib/app/routes.ts";
import { billingKey } from "../../../lib/auth/billing-access.ts";
import {
  createWebhook,
  deleteWebhook,
  readDeliveries,
  readWebhook,
  readWebhooks,
  retryDelivery,
  updateWebhook,
} from "../../../lib/billing/webhooks.ts";
import { PageQuery, page, paginated } from "../../../lib/http/pagination.ts";
import { empty, json } from "../../../lib/http/reply.ts";
import { BASE, TAGS, TeamQuery } from "../operations.ts";
import { DeliveryForm, deliveryForm, NewWebhookForm, PatchedWebhook, WebhookBody, WebhookForm, webhookForm } from "./webhook-wire.ts";

const PATH = `${BASE}/webhooks/` as const;
const ONE = `${BASE}/webhooks/{id}/` as const;

const reading = billingKey("billing:read", "full");
const writing = billingKey("billing:write", "full");

export const webhookRoutes = [
  route({
    method: "GET",
    path: PATH,
    summary: "List the endpoints that events of billing are sent to",
    tags: TAGS,
    access: reading,
    query: TeamQuery.extend(PageQuery.shape),
    reply: json(200, paginated(WebhookForm)),
    async handle({ query, grant, world, request }) {
      const webhooks = await readWebhooks(world.table, grant.organization.id);
      return page(request, query, webhooks.length, webhooks.slice(query.offset, query.offset + query.limit).map(webhookForm));
    },
  }),
  route({
    method: "POST",
    path: PATH,
    summary: "Register an endpoint for events of billing",
    description:
      "Events are posted to it as JSON, signed with the secret that this answer alone shows, and tried for a day. Its host has to be one that the platform's operator allows.",
    tags: TAGS,
    access: writing,
    query: TeamQuery,
    body: WebhookBody,
    examples: { body: { url: "https://hooks.acme.example/billing", events: ["billing.limit", "billing.invoice"] } },
    reply: json(201, NewWebhookForm),
    errors: [409],
    async handle({ body, grant, world }) {
      const made = await createWebhook(world, grant.organization.id, body);
      return { ...webhookForm(made), secret: made.secret };
    },
  }),
  route({
    method: "GET",
    path: ONE,
    summary: "Retrieve an endpoint for events of billing",
    tags: TAGS,
    access: reading,
    query: TeamQuery,
    reply: json(200, WebhookForm),
    handle: async ({ params, grant, world }) => webhookForm(await readWebhook(world.table, grant.organization.id, params.id)),
  }),
  route({
    method: "PATCH",
    path: ONE,
    summary: "Change an endpoint for events of billing",
    description: "Its secret stays: for another one, register the endpoint anew and delete this one.",
    tags: TAGS,
    access: writing,
    query: TeamQuery,
    body: PatchedWebhook,
    examples: { body: { is_active: false } },
    reply: json(200, WebhookForm),
    find: ({ params, grant, world }) => readWebhook(world.table, grant.organization.id, params.id),
    errors: [409],
    handle: async ({ body, grant, world, found }) => webhookForm(await updateWebhook(world, grant.organization.id, found.id, body)),
  }),
  route({
    method: "DELETE",
    path: ONE,
    summary: "Delete an endpoint for events of billing",
    description: "What was on its way to it is not sent any more.",
    tags: TAGS,
    access: writing,
    query: TeamQuery,
    reply: empty(204),
    errors: [409],
    handle: async ({ params, grant, world }) => {
      await deleteWebhook(world, grant.organization.id, params.id);
    },
  }),
  route({
    method: "GET",
    path: `${ONE}deliveries/`,
    summary: "List what was sent to an endpoint",
    description: "Of the last 30 days, newest first.",
    tags: TAGS,
    access: reading,
    query: TeamQuery.extend(PageQuery.shape),
    reply: json(200, paginated(DeliveryForm)),
    find: ({ params, grant, world }) => readWebhook(world.table, grant.organization.id, params.id),
    async handle({ query, grant, world, request, found }) {
      const deliveries = await readDeliveries(world, grant.organization.id, found);
      return page(request, query, deliveries.length, deliveries.slice(query.offset, query.offset + query.limit).map(deliveryForm));
    },
  }),
  route({
    method: "POST",
    path: `${ONE}deliveries/{delivery_id}/retry/`,
    summary: "Send an event to an endpoint again",
    description: "Whatever became of it before. It is sent within a minute or two, and tried for another day.",
    tags: TAGS,
    access: writing,
    query: TeamQuery,
    reply: json(200, DeliveryForm),
    errors: [409],
    find: ({ params, grant, world }) => readWebhook(world.table, grant.organization.id, params.id),
    handle: async ({ params, grant, world, found }) =>
      deliveryForm(await retryDelivery(world, grant.organization.id, found, params.delivery_id)),
  }),
];
