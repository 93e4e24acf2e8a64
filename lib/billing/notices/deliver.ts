import { SIGNATURE_HEADER, signature } from "../../notices/signature.ts";
import { waitAfter } from "../../notices/waits.ts";
import { type Outcome, sendWebhook } from "../../notices/webhook.ts";
import type { Ports } from "../../ports/ports.ts";
import { get, putting, removing } from "../../table/store.ts";
import { nextVersion, unlessOvertaken } from "../../table/versions.ts";
import { Deliveries, type Delivery } from "./delivery.ts";
import { type Notice, PendingNotices } from "./notice.ts";
import { readOrganizationWebhooks, type Webhook } from "./webhook.ts";

type Parts = Pick<Ports, "table" | "clock" | "config">;

/** Gives an event a delivery to each endpoint that wants it, once however many do so at once: with them the event itself is gone. */
export const spreadNotice = async ({ table }: Parts, { organization_id, id, type, body, created_at }: Notice): Promise<void> => {
  const { webhooks } = await readOrganizationWebhooks(table, organization_id);
  const wanted = webhooks.filter(({ is_active, events }) => is_active && events.includes(type));
  const deliveries = wanted.map((webhook) =>
    putting(Deliveries, newDelivery({ organization_id, webhook_id: webhook.id, event_id: id, type, body, created_at })),
  );
  await unlessOvertaken(() => table.transact([removing(PendingNotices, { organization_id, id }, PRESENT), ...deliveries]));
};

const PRESENT = { kind: "present" } as const;

type NewDelivery = Pick<Delivery, "organization_id" | "webhook_id" | "event_id" | "type" | "body" | "created_at">;

const newDelivery = (event: NewDelivery): Delivery => ({
  ...event,
  state: "pending",
  attempts: 0,
  tries: 0,
  due_at: event.created_at,
  response_status: null,
  error: null,
  delivered_at: null,
  version: 1,
});

/**
 * Makes one try of a delivery. The next try is written down before this one is made, so that of many who come at once one sends, and where
 * that one is killed another follows: an event comes twice rather than never.
 */
export const deliver = async (parts: Parts, due: Delivery): Promise<void> => {
  const { table, clock } = parts;
  const delivery = await get(table, Deliveries, due, { consistent: true });
  const now = clock.now();
  if (delivery === undefined || delivery.due_at === null || delivery.due_at > now) return;
  const tries = delivery.tries + 1;
  const wait = waitAfter(tries);
  const begun: Delivery = { ...delivery, tries, attempts: delivery.attempts + 1, due_at: now + (wait ?? waitAfter(1) ?? 0) };
  if (!(await unlessOvertaken(() => table.transact([nextVersion(Deliveries, begun)])))) return;
  const { webhooks } = await readOrganizationWebhooks(table, delivery.organization_id);
  const webhook = webhooks.find(({ id }) => id === delivery.webhook_id);
  const { status, error } = await attempt(parts, begun, webhook);
  const isOver = wait === undefined || webhook === undefined || !webhook.is_active;
  const ended: Delivery = {
    ...begun,
    version: begun.version + 1,
    response_status: status,
    error,
    ...(error === null && { state: "delivered", due_at: null, delivered_at: clock.now() }),
    ...(error !== null && isOver && { state: "failed", due_at: null }),
  };
  await unlessOvertaken(() => table.transact([nextVersion(Deliveries, ended)]));
};

const attempt = async (parts: Parts, { body }: Delivery, webhook: Webhook | undefined): Promise<Outcome> => {
  if (webhook === undefined) return { status: null, error: "The endpoint was deleted." };
  if (!webhook.is_active) return { status: null, error: "The endpoint is switched off." };
  const signed = signature(body, webhook.secret, parts.clock.now());
  return sendWebhook(parts, webhook.url, body, { "user-agent": "billing-webhooks", [SIGNATURE_HEADER]: signed });
};
