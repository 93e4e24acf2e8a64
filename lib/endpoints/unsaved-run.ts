import type { EnginePorts } from "../engine/engine.ts";
import { readPinned } from "../engine/gone-file.ts";
import { QueryError } from "../hogql/errors.ts";
import { accept } from "./accept.ts";
import type { EndpointQuery } from "./definition.ts";
import { queryProblem } from "./query-problem.ts";
import { type Computed, compute, pinQuery } from "./run/compute.ts";
import { type ResolvedQuery, type RunInput, resolveInsight, resolveSql } from "./run/resolved-query.ts";
import { checkKind, type RunProject } from "./run-request.ts";

/** The input of a run of a query that is not saved. */
export type UnsavedInput = Pick<RunInput, "limit" | "offset" | "variables" | "filtersOverride">;

export interface UnsavedRun extends Computed {
  readonly query: ResolvedQuery;
}

/**
 * Runs a query that is not saved: checked as a saved one is, computed from the events in one of the project's slots and within a run's
 * limits; nothing of it is kept. Throws 400 on `query` for what could not be saved, on another field for what does not fit the query,
 * and `Busy` where no slot comes free.
 */
export const runUnsaved = async (
  world: EnginePorts,
  project: RunProject,
  sent: EndpointQuery,
  input: UnsavedInput,
): Promise<UnsavedRun> => {
  const { query: checked, ast, property_types } = await accept(sent, world, project);
  const asked: RunInput = { ...input, version: undefined, refresh: "force", debug: false };
  checkKind(checked, asked, false);
  const parsed = { project: project.id, ast, optional_breakdown_properties: [] };
  const now = world.clock.now();
  const query =
    checked.kind === "HogQLQuery"
      ? { ...resolveSql(checked, parsed, asked), seesMore: true as const }
      : await resolveInsight(checked, parsed, asked, { now, timezone: project.timezone, hasTable: false });
  const request = { id: world.ids.uuid(), project, query, now, types: property_types, namedBy: "ad-hoc" };
  try {
    const pin = () => pinQuery(world, request);
    const computed = await readPinned(await pin(), pin, (state) =>
      compute(world, { ...request, engine: "auto" }, state, async () => undefined),
    );
    return { query, ...computed };
  } catch (thrown) {
    throw thrown instanceof QueryError ? queryProblem(thrown, query) : thrown;
  }
};
