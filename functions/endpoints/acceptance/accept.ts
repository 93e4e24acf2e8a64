import type { World } from "../../../lib/app/world.ts";
import type { EndpointQuery } from "../../../lib/endpoints/definition.ts";
import type { AcceptedQuery } from "./accepted-query.ts";

/** Parses and checks a query that is saved: see `acceptQuery`. The language is loaded here: most calls save nothing. */
export const accept = async (
  sent: EndpointQuery,
  world: Pick<World, "table" | "clock" | "log">,
  project: { readonly id: number; readonly timezone: string },
): Promise<AcceptedQuery> => {
  const { acceptQuery, contextOf } = await import("./accept-query.ts");
  return acceptQuery(sent, await contextOf(world, project));
};
