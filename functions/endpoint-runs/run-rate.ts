import { cache, perOwner } from "../../lib/core/cache.ts";
import type { RunAnswer } from "../../lib/endpoints/run.ts";
import type { SavedEndpoint } from "../../lib/endpoints/saved-endpoints.ts";
import type { Access, Call, Rate } from "../../lib/http/access.ts";
import type { Ports } from "../../lib/ports/ports.ts";
import type { Table } from "../../lib/ports/table.ts";

/** Endpoints whose last run this process remembers. */
const CAPACITY = 5_000;
/** How long a table that served lets further runs count as cheap ones. */
const REMEMBERED_MS = 30_000;

const served = perOwner((_: Table) => cache<string, true>({ capacity: CAPACITY }));

type RateWorld = Pick<Ports, "table" | "clock">;

/**
 * `access` with a rate that follows what this process knows of an endpoint, since a run is counted before anything is read: the rate
 * of a table's runs while the last run like it was served from its table.
 */
export const atRunRate = <G>(access: Access<Ports, G>): Access<Ports, G> =>
  Object.freeze({
    rule: access.rule,
    async identify(call: Call, world: Ports) {
      const identity = await access.identify(call, world);
      return { admit: () => identity.admit(runRate(call, world)) };
    },
  });

export const runRate = ({ params, query }: Call, { table, clock }: RateWorld): Rate =>
  served(table).get(rateName(params.project_id, params.name, query.version), clock.now()) ? "materialised-run" : "run";

/** Remembers for the rate of the next run what served this one. `version` as the query names it. */
export const rememberPath = (
  { table, clock }: RateWorld,
  { project, name }: SavedEndpoint,
  version: string | undefined,
  path: RunAnswer["path"],
): void => {
  const until = path === "materialised" ? clock.now() + REMEMBERED_MS : 0;
  served(table).set(rateName(String(project), name, version), true, until);
};

const rateName = (...parts: readonly (string | undefined)[]): string => JSON.stringify(parts.map((part) => part ?? null));
