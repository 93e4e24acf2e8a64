import type { Ports } from "../../ports/ports.ts";
import { ConditionFailed, Conflict } from "../../ports/table.ts";
import { get, putting, removing } from "../../table/store.ts";
import { nextVersion } from "../commands.ts";
import { urlProblem } from "./allowed-url.ts";
import { Deliveries, type Delivery, waitAfter } from "./delivery.ts";
import { type Notice, PendingNotices } from "./notice.ts";
import { postJson, Unreachable } from "./post.ts";
import { SIGNATURE_HEADER, signature } from "./signature.ts";
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

/** How a try came out. */
interface Outcome {
  readonly status: number | null;
  /** Null where it arrived. */
  readonly error: string | null;
}

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

const attempt = async ({ clock, config }: Parts, { body }: Delivery, webhook: Webhook | undefined): Promise<Outcome> => {
  if (webhook === undefined) return { status: null, error: "The endpoint was deleted." };
  if (!webhook.is_active) return { status: null, error: "The endpoint is switched off." };
  const problem = urlProblem(webhook.url, config.webhookHosts);
  if (problem !== undefined) return { status: null, error: problem };
  try {
    const status = await postJson(new URL(webhook.url), body, { [SIGNATURE_HEADER]: signature(body, webhook.secret, clock.now()) });
    return { status, error: status >= 200 && status <= 299 ? null : refusal(status) };
  } catch (fault) {
    if (!(fault instanceof Unreachable)) throw fault;
    return { status: null, error: fault.message };
  }
};

const refusal = (status: number): string =>
  status >= 300 && status <= 399 ? `It answered ${status}, and redirects are not followed.` : `It answered ${status}.`;

/** False where somebody else has done it meanwhile. */
const unlessOvertaken = async (write: () => Promise<void>): Promise<boolean> => {
  try {
    await write();
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed || error instanceof Conflict) return false;
    throw error;
  }
};
