import { cache, perOwner } from "../../core/cache.ts";
import { isYoung } from "../../core/time.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Table } from "../../ports/table.ts";
import { findMaterialisation, type Materialisation } from "../materialisations.ts";
import type { EndpointVersion, SavedEndpoint } from "../saved-endpoints.ts";

/** A table is replaced rarely, and the one before stays readable until the next but one is made. */
const LIFETIME_MS = 10_000;
const CAPACITY = 5_000;

const tables = perOwner((_: Table) => cache<string, Materialisation>({ capacity: CAPACITY }));

/**
 * How the version's table stands, at most some seconds ago while it served then; undefined where it was switched off. What switches it
 * off, or forgets its rows, moves a time of the endpoint, which was just read.
 */
export const rememberedTable = async (
  { table, clock }: Pick<Ports, "table" | "clock">,
  { updated_at, forgotten_at }: SavedEndpoint,
  version: EndpointVersion,
): Promise<Materialisation | undefined> => {
  const name = `${version.id}#${updated_at}#${forgotten_at ?? ""}`;
  const now = clock.now();
  const known = tables(table).get(name, now);
  if (known !== undefined && isFresh(known, version, now)) return known;
  const found = await findMaterialisation(table, version);
  if (found?.status === "Completed" && isFresh(found, version, now)) tables(table).set(name, found, now + LIFETIME_MS);
  return found;
};

/** Its rows are as young as the version asks for. */
export const isFresh = ({ table }: Materialisation, { data_freshness_seconds }: EndpointVersion, now: number): boolean =>
  table !== null && isYoung(table.as_of, data_freshness_seconds * 1000, now);
