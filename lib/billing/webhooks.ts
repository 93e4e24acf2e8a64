import { invalid, notFound } from "../http/errors.ts";
import { urlProblem } from "../notices/allowed-url.ts";
import { newSigningSecret } from "../notices/signature.ts";
import type { Ports } from "../ports/ports.ts";
import type { Table } from "../ports/table.ts";
import { get, list } from "../table/store.ts";
import { nextVersion } from "../table/versions.ts";
import { type BillingParts, runCommand } from "./commands.ts";
import { Deliveries, type Delivery, SHOWN_MS } from "./notices/delivery.ts";
import { MOST_WEBHOOKS, type OrganizationWebhooks, readOrganizationWebhooks, type Webhook, Webhooks } from "./notices/webhook.ts";

/** The endpoints that an organization has events of its billing sent to, and what became of these. */

export type WebhookFields = Pick<Webhook, "url" | "events" | "is_active">;

type Parts = BillingParts & Pick<Ports, "config">;

/** An organization's endpoints, the oldest first. */
export const readWebhooks = async (table: Table, organization: string): Promise<readonly Webhook[]> =>
  (await readOrganizationWebhooks(table, organization)).webhooks;

/** One of them. Throws 404. */
export const readWebhook = async (table: Table, organization: string, id: string): Promise<Webhook> =>
  webhookWith(await readOrganizationWebhooks(table, organization), id);

const webhookWith = ({ webhooks }: OrganizationWebhooks, id: string): Webhook => {
  const found = webhooks.find((webhook) => webhook.id === id.toLowerCase());
  if (found === undefined) throw notFound();
  return found;
};

/**
 * Registers an endpoint, with the secret that it is signed with. Throws 400 where nothing may be sent to its address, and where the
 * organization has as many as it may.
 */
export const createWebhook = async (parts: Parts, organization: string, fields: WebhookFields): Promise<Webhook> => {
  const { ids, clock } = parts;
  checkUrl(parts, fields.url);
  const made = { id: ids.uuid(), ...fields, secret: newSigningSecret(parts), created_at: clock.now() };
  return changeWebhooks(parts, organization, (webhooks) => {
    if (webhooks.length >= MOST_WEBHOOKS) throw invalid(null, `An organization has at most ${MOST_WEBHOOKS} endpoints. Delete one first.`);
    return { webhooks: [...webhooks, made], answer: made };
  });
};

const checkUrl = ({ config }: Pick<Ports, "config">, url: string): void => {
  const problem = urlProblem(url, config.webhookHosts);
  if (problem !== undefined) throw invalid("url", problem);
};

/** Changes an endpoint; its secret stays, and so does what is undefined. Throws 404, and 400 where nothing may be sent to its address. */
export const updateWebhook = async (
  parts: Parts,
  organization: string,
  id: string,
  { url, events, is_active }: { readonly [F in keyof WebhookFields]?: WebhookFields[F] | undefined },
): Promise<Webhook> => {
  if (url !== undefined) checkUrl(parts, url);
  return changeWebhooks(parts, organization, (webhooks, found) => {
    const before = found(id);
    const changed = { ...before, url: url ?? before.url, events: events ?? before.events, is_active: is_active ?? before.is_active };
    return { webhooks: webhooks.map((webhook) => (webhook.id === changed.id ? changed : webhook)), answer: changed };
  });
};

/** Forgets an endpoint: nothing more is sent to it. Throws 404. */
export const deleteWebhook = (parts: BillingParts, organization: string, id: string): Promise<null> =>
  changeWebhooks(parts, organization, (webhooks, found) => {
    const removed = found(id);
    return { webhooks: webhooks.filter((webhook) => webhook.id !== removed.id), answer: null };
  });

interface WebhooksChange<T> {
  readonly webhooks: Webhook[];
  readonly answer: T;
}

const changeWebhooks = <T>(
  parts: BillingParts,
  organization: string,
  change: (webhooks: readonly Webhook[], found: (id: string) => Webhook) => WebhooksChange<T>,
): Promise<T> =>
  runCommand(parts, { organization, operation: "webhooks", key: undefined, body: null }, async () => {
    const known = await readOrganizationWebhooks(parts.table, organization);
    const { webhooks, answer } = change(known.webhooks, (id) => webhookWith(known, id));
    return { writes: [nextVersion(Webhooks, { ...known, webhooks })], answer };
  });

/** What was sent to an endpoint within the last 30 days, the newest first. */
export const readDeliveries = async (
  { table, clock }: Pick<Ports, "table" | "clock">,
  organization_id: string,
  { id: webhook_id }: Webhook,
): Promise<readonly Delivery[]> => {
  const deliveries = await list(table, Deliveries, "key", { organization_id, webhook_id }, { consistent: true });
  const since = clock.now() - SHOWN_MS;
  return deliveries
    .filter(({ created_at }) => created_at >= since)
    .toSorted((a, b) => b.created_at - a.created_at || (a.event_id < b.event_id ? -1 : 1));
};

/** Has an event sent to an endpoint again, whatever became of it, and tried for another day. Throws 404. */
export const retryDelivery = (parts: BillingParts, organization_id: string, webhook: Webhook, event_id: string): Promise<Delivery> =>
  runCommand(parts, { organization: organization_id, operation: "retry-delivery", key: undefined, body: null }, async () => {
    const now = parts.clock.now();
    const found = await get(parts.table, Deliveries, { organization_id, webhook_id: webhook.id, event_id }, { consistent: true });
    if (found === undefined || found.created_at < now - SHOWN_MS) throw notFound();
    const again: Delivery = { ...found, state: "pending", tries: 0, due_at: now };
    return { writes: [nextVersion(Deliveries, again)], answer: again };
  });
