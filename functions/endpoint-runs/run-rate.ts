import { cache, perOwner } from "../../lib/core/cache.ts";
import { servesFromTable } from "../../lib/endpoints/load.ts";
import { parseVersion } from "../../lib/endpoints/requested-version.ts";
import type { EndpointGrant } from "../../lib/endpoints/route-parts.ts";
import type { RunAnswer } from "../../lib/endpoints/run.ts";
import type { SavedEndpoint } from "../../lib/endpoints/saved-endpoints.ts";
import type { Access, Call, Rate } from "../../lib/http/access.ts";
import { ApiError } from "../../lib/http/errors.ts";
import type { Ports } from "../../lib/ports/ports.ts";
import type { Table } from "../../lib/ports/table.ts";

/** Endpoints whose last run this process remembers. */
const CAPACITY = 5_000;
/** How long what served a run decides how further ones are counted. */
const REMEMBERED_MS = 30_000;

/** How long a refusal goes by what the one before was told: what switched a table on is heard of that much later. */
const TOLD_MS = 2_000;

/** How runs like one are counted, and from when on a refused one asks whether that still holds. */
interface Known {
  readonly rate: Rate;
  readonly askAt: number;
}

const served = perOwner((_: Table) => cache<string, Known>({ capacity: CAPACITY }));

type RateWorld = Pick<Ports, "table" | "clock">;

/**
 * `access` with a rate that follows what this process knows of an endpoint, since a run is counted before anything is read: the rate
 * of a table's runs while the last run like it was served from its table. Else a run counts as a costly one; only if it is one too many
 * of these is it asked, now and then, whether there is a table by now, so that refusals stay cheap and a table is not out of reach.
 */
export const atRunRate = <G extends EndpointGrant>(access: Access<Ports, G>): Access<Ports, G> =>
  Object.freeze({
    rule: access.rule,
    async identify(call: Call, world: Ports) {
      const identity = await access.identify(call, world);
      return {
        async admit() {
          const known = knownOf(call, world);
          const admission = await identity.admit(known?.rate ?? "run");
          if (known !== undefined && world.clock.now() < known.askAt) return admission;
          const throttle = async () => {
            try {
              await admission.throttle();
            } catch (refusal) {
              if (!(refusal instanceof ApiError && refusal.status === 429)) throw refusal;
              const rate = (await hasTable(call, world, admission.grant)) ? "materialised-run" : "run";
              remember(world, nameOf(call), rate, rate === "run" ? TOLD_MS : Number.POSITIVE_INFINITY);
              if (rate === "run") throw refusal;
              await (await identity.admit(rate)).throttle();
            }
          };
          return { ...admission, throttle };
        },
      };
    },
  });

/** The rate of runs like this, undefined where none was served lately. */
export const runRate = (call: Call, world: RateWorld): Rate | undefined => knownOf(call, world)?.rate;

const knownOf = (call: Call, { table, clock }: RateWorld): Known | undefined => served(table).get(nameOf(call), clock.now());

/** `toldMs` for how long nobody needs to ask. */
const remember = ({ table, clock }: RateWorld, name: string, rate: Rate, toldMs: number): void => {
  const now = clock.now();
  served(table).set(name, { rate, askAt: now + toldMs }, now + REMEMBERED_MS);
};

/** Whether the version that a call names in its path and query has a table that serves. What is not there has none. */
const hasTable = async ({ query }: Call, world: RateWorld, grant: EndpointGrant): Promise<boolean> => {
  const version = query.version === undefined ? undefined : parseVersion(query.version);
  const endpoint = await grant.endpoint().catch(() => undefined);
  return endpoint?.is_active === true && servesFromTable(world, endpoint, version ?? endpoint.current_version);
};

/** Remembers for the rate of the next run what served this one, and whether a table may serve the next. `version` as the query names it. */
export const rememberPath = (
  world: RateWorld,
  { project, name }: SavedEndpoint,
  version: string | undefined,
  { path, mayChange }: { readonly path: RunAnswer["path"]; readonly mayChange: boolean },
): void => {
  const rate = path === "materialised" ? "materialised-run" : "run";
  remember(world, rateName(String(project), name, version), rate, mayChange ? 0 : Number.POSITIVE_INFINITY);
};

const nameOf = ({ params, query }: Call): string => rateName(params.project_id, params.name, query.version);

const rateName = (...parts: readonly (string | undefined)[]): string => JSON.stringify(parts.map((part) => part ?? null));
