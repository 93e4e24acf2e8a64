import { queryOf } from "../../../lib/endpoint/definition.ts";
import { previewOf } from "../../../lib/endpoint/materialisation/preview.ts";
import { unpackAst } from "../../../lib/endpoint/stored-ast.ts";
import type { EndpointVersion, SavedEndpoint } from "../../../lib/entities/endpoints/saved-endpoints.ts";
import type { World } from "../../../lib/world/world.ts";
import type { Preview } from "./preview-wire.ts";
import { refusalOf, transformFor } from "./transform.ts";

/** How a version would be divided, or why it cannot be. */
export const previewFor = async (
  world: Pick<World, "table" | "clock">,
  project: { readonly id: number; readonly timezone: string },
  endpoint: SavedEndpoint,
  version: EndpointVersion,
): Promise<Preview> => {
  const query = queryOf(version);
  if (query.kind !== "HogQLQuery") {
    const reason = await refusalOf(world, project, { ...version, query });
    return reason === null ? { ...NOTHING, can_materialize: true, reason: null } : refused(reason);
  }
  const found = await transformFor(world, project, { ...version, query });
  if (found.kind === "refused") return refused(found.reason.text);
  const { range_pairs, aggregates, ...texts } = previewOf(unpackAst(version.ast), found.transform, endpoint.name, version.version);
  return {
    can_materialize: true,
    reason: null,
    ...texts,
    range_pairs: range_pairs.map((pair) => ({ ...pair, variables: [...pair.variables] })),
    aggregates: [...aggregates],
  };
};

const NOTHING = { transformed_query: null, execution_query: null, display_execution_query: null, range_pairs: [], aggregates: [] };

const refused = (reason: string): Preview => ({ ...NOTHING, can_materialize: false, reason });
