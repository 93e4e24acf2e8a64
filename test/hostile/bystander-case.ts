import { answerOrders } from "../../lib/core/thread.ts";
import type { ATenant } from "../support/processes/platform.ts";
import { type Bystander, type Seen, startBystander } from "./bystander.ts";

/** What a bystander in a thread of its own is told. */
export type BystanderOrder =
  | { readonly kind: "start"; readonly origin: string; readonly tenant: ATenant }
  | { readonly kind: "forget" | "seen" | "stop" };

let bystander: Bystander | undefined;

answerOrders(async (order: BystanderOrder): Promise<Seen | null> => {
  if (order.kind === "start") bystander = await startBystander(order.origin, order.tenant);
  else if (order.kind === "seen") return (await bystander?.seen()) ?? null;
  else await bystander?.[order.kind]();
  return null;
});
