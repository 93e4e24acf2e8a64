import type { World } from "../../lib/app/world.ts";
import { type Division, previewVersion } from "../../lib/endpoints/preview.ts";
import type { EndpointVersion, SavedEndpoint } from "../../lib/endpoints/saved-endpoints.ts";
import { type BothForms, bothForms, type Side } from "../../lib/endpoints/trial-runs.ts";
import type { Preview } from "./wire.ts";

/** How a version would be divided, or why it cannot be; with variables, the rows of a run of it both ways. */
export const previewFor = async (
  world: World,
  project: { readonly id: number; readonly timezone: string },
  endpoint: SavedEndpoint,
  version: EndpointVersion,
  variables: Readonly<Record<string, unknown>> | undefined,
): Promise<Preview> => {
  const found = await previewVersion(world, project, endpoint, version);
  if (found.kind === "refused") return { ...NOTHING, can_materialize: false, reason: found.reason };
  const divided = { ...divisionForm(found.division), can_materialize: true, reason: null };
  if (variables === undefined) return divided;
  return { ...divided, comparison: comparisonForm(await bothForms(world, project, version, variables)) };
};

const NOTHING = { transformed_query: null, execution_query: null, display_execution_query: null, range_pairs: [], aggregates: [] };

const divisionForm = ({ range_pairs, aggregates, ...texts }: Division) => ({
  ...texts,
  range_pairs: range_pairs.map((pair) => ({ ...pair, variables: [...pair.variables] })),
  aggregates: [...aggregates],
});

/** Rows that a comparison shows; all of them were compared. */
const SHOWN_ROWS = 20;

const comparisonForm = ({ live, materialised, table }: BothForms): NonNullable<Preview["comparison"]> => ({
  live: sideForm(live),
  materialised: sideForm(materialised),
  table,
  equal: live.error === null && materialised.error === null && JSON.stringify(live.rows) === JSON.stringify(materialised.rows),
});

const sideForm = ({ rows, columns, ...rest }: Side) => ({
  ...rest,
  columns: [...columns],
  rows: rows.slice(0, SHOWN_ROWS),
  row_count: rows.length,
});
