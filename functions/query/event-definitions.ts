import type { World } from "../../lib/app/world.ts";
import type { RunProject } from "../../lib/endpoints/run-request.ts";
import { runUnsaved } from "../../lib/endpoints/unsaved-run.ts";
import type { EventDefinition } from "./definitions-wire.ts";
import { namesHolding } from "./search.ts";

/** Names that are looked at, those of most events first. */
export const MOST_NAMES = 10_000;

/** Two columns of a month's events are the cheapest place that knows names: the catalogue's facts count events and do not name them. */
const RECENT = `SELECT event, max(timestamp), count() FROM events
  WHERE timestamp >= now() - INTERVAL 30 DAY GROUP BY event ORDER BY count() DESC, event LIMIT ${MOST_NAMES}`;

/** The names of the events of the last 30 days, in order. Throws 400 where the query takes more than a run may, and 429. */
export const eventDefinitions = async (
  world: World,
  project: RunProject,
  search: string | undefined,
): Promise<readonly EventDefinition[]> => {
  const { result } = await runUnsaved(world, project, { kind: "HogQLQuery", query: RECENT }, NO_INPUT);
  return namesHolding(result.rows.map(eventDefinition), search);
};

const NO_INPUT = { limit: undefined, offset: undefined, variables: {}, filtersOverride: undefined };

const eventDefinition = (row: unknown): EventDefinition => {
  const [name, last_seen_at, volume] = Object.values(Object(row));
  return { name: String(name), last_seen_at: String(last_seen_at), volume_30_day: Number(volume) };
};
