import { BUILT_IN } from "../../../lib/billing/catalogue/built-in-catalogue.ts";
import { Subscriptions } from "../../../lib/billing/customer/subscription.ts";
import { openInvoice } from "../../../lib/billing/invoices/open-invoice.ts";
import { Invoices } from "../../../lib/billing/invoices.ts";
import { DAY_MS } from "../../../lib/core/time.ts";
import { partitionAt } from "../../../lib/event/time-partitions.ts";
import type { Ports } from "../../../lib/ports/ports.ts";
import { put } from "../../../lib/table/store.ts";
import { readRollUp, replaceRollUp, withProject } from "../../../lib/usage/roll-ups.ts";

/** An organization with nothing but its books: it holds product analytics, used some events on the first day of a period, and is billed for it. */
export const aSubscriber = async (
  world: Pick<Ports, "table" | "objects" | "ids">,
  period: { readonly start: number; readonly end: number },
  events: number,
): Promise<string> => {
  const organization_id = world.ids.uuid();
  const item = { product: "product_analytics", plan_key: "paid-20260101", since: period.start, until: null };
  await put(
    world.table,
    Subscriptions,
    Subscriptions.schema.parse({ organization_id, id: world.ids.ulid(), state: "active", items: [item], version: 1 }),
  );
  await put(world.table, Invoices, openInvoice({ organization_id }, period, { ...BUILT_IN, id: "built-in" }));
  const partition = partitionAt(BigInt(period.start) * 1_000n);
  const { item: stored, rollUp } = await readRollUp(world, organization_id, partition);
  const entry = { manifest: "m", days: { [String(period.start / DAY_MS)]: { event_count_in_period: events } } };
  await replaceRollUp(world, organization_id, partition, stored, withProject(rollUp, 1, entry));
  return organization_id;
};
