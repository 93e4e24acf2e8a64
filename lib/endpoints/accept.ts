import type { StoredColumn } from "../hogql/options.ts";
import type { Ports } from "../ports/ports.ts";
import type { AcceptedQuery, EndpointQuery, StoredSql } from "./definition.ts";
import type { EndpointVersion } from "./saved-endpoints.ts";

/** Parses and checks a query that is saved: see `acceptQuery`. The language is loaded here: most calls save nothing. */
export const accept = async (
  sent: EndpointQuery,
  world: Pick<Ports, "table" | "clock" | "log">,
  project: { readonly id: number; readonly timezone: string },
): Promise<AcceptedQuery> => {
  const { acceptQuery, acceptContext } = await import("./acceptance/accept-query.ts");
  return acceptQuery(sent, await acceptContext(world, project));
};

/**
 * The columns of a version's rows with the types that they have now; those of its item are as they were saved. Undefined for a query
 * that no longer stands, because what it reads is gone.
 */
export const currentColumns = async (
  world: Pick<Ports, "table" | "clock">,
  project: { readonly id: number; readonly timezone: string },
  version: EndpointVersion,
  query: StoredSql,
): Promise<readonly StoredColumn[] | undefined> =>
  (await import("./acceptance/current-columns.ts")).currentColumns(world, project, version, query);
