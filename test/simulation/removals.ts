import { importIdOf } from "../../lib/event/imports.ts";
import type { Removal } from "../../lib/lake/catalogue.ts";
import type { Removed } from "../model/removals.ts";
import { PEOPLE, STORED_IDS } from "./ids.ts";
import type { Random } from "./random.ts";
import type { Scenario, SentRequest } from "./scenario.ts";

/** One removal of a run, and how long after the beginning somebody asks for it. */
export interface PlannedRemoval {
  readonly afterMs: number;
  readonly what: Removed;
}

const IMPORTS = ["old shop", "files"] as const;

const MINUTE_MS = 60_000;

/** Of imports in a run most have one of two names. Some requests come a second time, as part of the other import or of none. */
export const withImports = (random: Random, scenario: Scenario): Scenario => {
  const requests = scenario.requests.flatMap((request): readonly SentRequest[] => {
    if (request.path !== "/batch/") return [request];
    const isImport = request.historical || random.chance(0.4);
    if (!isImport || random.chance(0.15)) return [request];
    const named: SentRequest = { ...request, historical: true, pieces: 1, importName: random.pick(IMPORTS) };
    if (random.chance(0.5)) return [named];
    const other = random.chance(0.5) ? { ...named, importName: random.pick(IMPORTS) } : { ...request, importName: undefined };
    const again = { ...other, name: `${request.name}-other`, gapMs: random.pick([1_000, MINUTE_MS, 10 * MINUTE_MS]) };
    return random.chance(0.5) ? [named, again] : [again, named];
  });
  return { ...scenario, requests };
};

/** One to three removals, mostly amid the requests. */
export const plannedRemovals = (random: Random, { projects }: Scenario): readonly PlannedRemoval[] =>
  Array.from({ length: random.int(1, 3) }, () => {
    const project = random.pick([projects[0] ?? 16, ...projects]);
    const afterMs = random.int(10, random.pick([20_000, 200_000, 20 * MINUTE_MS]));
    if (random.chance(0.5)) return { afterMs, what: { project, kind: "import", name: random.pick(IMPORTS) } };
    const ids = random.chance(0.7) ? [random.pick(PEOPLE)] : STORED_IDS.filter(() => random.chance(0.3));
    return { afterMs, what: { project, kind: "ids", ids: ids.length > 0 ? ids : ["ana"] } };
  });

/** What the operator's command asks the lake for. */
export const removalOf = (what: Removed): Removal =>
  what.kind === "ids" ? { kind: "ids", distinctIds: what.ids } : { kind: "import", import: importIdOf(what.name) };
