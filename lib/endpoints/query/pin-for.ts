import type { EnginePorts } from "../../engine/engine.ts";
import type { LoweredQuery, Scan } from "../../hogql/lowered-query.ts";
import type { PinnedState } from "../../lake/catalogue.ts";
import { type CatalogueSnapshot, pin } from "../../lake/pin.ts";

/** Whether queries read persons, groups or who is who. */
export const readsState = (queries: readonly LoweredQuery[]): boolean => queries.some(({ scans }) => scans.some(isOfState));

const isOfState = (scan: Scan): boolean => {
  if (scan.kind === "events") return scan.columns.includes("person_id");
  return scan.kind !== "table" && scan.kind !== "list";
};

/** The state of the lake that these queries read, as it is now, or as it was seen for them. */
export const pinFor = (
  world: EnginePorts,
  project: number,
  queries: readonly LoweredQuery[],
  snapshot?: Promise<CatalogueSnapshot>,
): Promise<PinnedState> => {
  const events = queries.flatMap(({ scans }) => scans).filter((scan) => scan.kind === "events");
  const range = {
    from: widest(
      events.map(({ from }) => from),
      -1n,
    ),
    to: widest(
      events.map(({ to }) => to),
      1n,
    ),
  };
  return pin(world, project, range, { events: events.length > 0, state: readsState(queries) }, snapshot);
};

/** The bound that contains all of them: open as soon as one is. `direction` is -1 for the least and 1 for the greatest. */
const widest = (bounds: readonly (bigint | null)[], direction: -1n | 1n): bigint | null =>
  bounds.reduce<bigint | null>((a, b) => (a === null || b === null ? null : (b - a) * direction > 0n ? b : a), bounds[0] ?? null);
