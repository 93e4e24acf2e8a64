import { withOffset } from "../../lib/core/time.ts";
import { findMaterialisations, type Materialisation } from "../../lib/endpoints/materialisations.ts";
import { loadVersionRefusal } from "../../lib/endpoints/materialise.ts";
import type { EndpointVersion, SavedEndpoint } from "../../lib/endpoints/saved-endpoints.ts";
import type { Table } from "../../lib/ports/table.ts";
import type { Materialization, Tables } from "./wire.ts";

/** One version as it is shown, with the endpoint it belongs to. */
interface Shown {
  readonly endpoint: Pick<SavedEndpoint, "name">;
  readonly version: EndpointVersion;
}

/** How the tables of these versions stand. */
export const readTables = async (table: Table, shown: readonly Shown[]): Promise<Tables> =>
  tablesFor(
    shown,
    await findMaterialisations(
      table,
      shown.map(({ version }) => version),
    ),
  );

/** The same of what was read already. The language is loaded only where a version has no table: then its query is asked. */
export const tablesFor = async (shown: readonly Shown[], found: readonly Materialisation[]): Promise<Tables> => {
  const byPlace = new Map(found.map((one) => [placeName(one), one]));
  const tableOf = (version: EndpointVersion): Materialisation | undefined => byPlace.get(placeName(version));
  const isAsked = shown.some(({ version }) => tableOf(version) === undefined);
  const refusalOf = isAsked ? await loadVersionRefusal() : () => null;
  const forms = new Map(
    shown.map(({ endpoint, version }) => {
      const one = tableOf(version);
      return [version.id, one === undefined ? unconfigured(endpoint.name, refusalOf(version)) : configured(endpoint.name, one)] as const;
    }),
  );
  return {
    has: (version) => (tableOf(version)?.table ?? null) !== null,
    of: ({ id }) => forms.get(id) ?? unconfigured("", null),
  };
};

const placeName = ({ endpoint_id, version }: Pick<Materialisation, "endpoint_id" | "version">): string => `${endpoint_id}#${version}`;

const unconfigured = (name: string, reason: string | null): Materialization => ({
  name,
  enabled: false,
  ready: false,
  hibernated: false,
  can_materialize: reason === null,
  reason,
});

const configured = (name: string, one: Materialisation): Materialization => ({
  name,
  enabled: true,
  ready: one.table !== null && one.status === "Completed",
  hibernated: false,
  status: one.status,
  can_materialize: true,
  last_materialized_at: one.last_materialized_at === null ? null : withOffset(one.last_materialized_at),
  error: one.status === "Completed" ? "" : one.error,
  saved_query_id: one.id,
});
