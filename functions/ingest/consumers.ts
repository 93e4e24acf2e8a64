import { consumer } from "../../lib/lambda/consumer.ts";
import type { Budget } from "../../lib/ports/budget.ts";
import type { Delivery } from "../../lib/ports/queues.ts";
import type { World } from "../../lib/world/world.ts";
import { ingest } from "./ingest.ts";

/** Stores what capture took. */
export const ingestLive = consumer({
  name: "ingest-live",
  queue: "live",
  uses: ["table", "objects", "queues"],
  handle: (deliveries: readonly Delivery[], world: World, budget: Budget) => ingest(deliveries, world, budget, "live"),
});

/** The same for imports, which never delay live events. */
export const ingestHistorical = consumer({
  name: "ingest-historical",
  queue: "historical",
  uses: ["table", "objects", "queues"],
  handle: (deliveries: readonly Delivery[], world: World, budget: Budget) => ingest(deliveries, world, budget, "historical"),
});
