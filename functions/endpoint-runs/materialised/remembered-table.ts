import type { World } from "../../../lib/app/world.ts";
import { cache, perOwner } from "../../../lib/core/cache.ts";
import { findMaterialisation } from "../../../lib/endpoints/materialisation/state.ts";
import type { Materialisation } from "../../../lib/endpoints/materialisations.ts";
import type { EndpointVersion, SavedEndpoint } from "../../../lib/endpoints/saved-endpoints.ts";
import type { Table } from "../../../lib/ports/table.ts";

/** A table is replaced rarely, and the one before stays readable until the next but one is made. */
const LIFETIME_MS = 10_000;
const CAPACITY = 5_000;

const tables = perOwner((_: Table) => cache<string, Materialisation>({ capacity: CAPACITY }));

/**
 * How the version's table stands, at most some seconds ago while it served then; undefined where it was switched off. What switches it
 * off moves the endpoint's time of update, which was just read.
 */
export const rememberedTable = async (
  { table, clock }: Pick<World, "table" | "clock">,
  { updated_at }: SavedEndpoint,
  version: EndpointVersion,
): Promise<Materialisation | undefined> => {
  const name = `${version.id}#${updated_at}`;
  const now = clock.now();
  const known = tables(table).get(name, now);
  if (known !== undefined && isFresh(known, version, now)) return known;
  const found = await findMaterialisation(table, version);
  if (found?.status === "Completed" && isFresh(found, version, now)) tables(table).set(name, found, now + LIFETIME_MS);
  return found;
};

/** Its rows are as young as the version asks for. */
export const isFresh = ({ table }: Materialisation, { data_freshness_seconds }: EndpointVersion, now: number): boolean =>
  table !== null && now < table.as_of + data_freshness_seconds * 1000;
