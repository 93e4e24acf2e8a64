import type { EnginePorts, Rows } from "../engine/engine.ts";
import type { Ast } from "../hogql/ast.ts";
import { QueryError } from "../hogql/errors.ts";
import type { Commit } from "../lake/catalogue.ts";
import { type CatalogueSnapshot, pinCommits, readCatalogueSnapshot } from "../lake/pin.ts";
import { storedSql } from "./definition.ts";
import { inSlot } from "./in-slot.ts";
import { pinFor, readsState } from "./query/pin-for.ts";
import { queryProblem } from "./query-problem.ts";
import { type LoweringRequest, lowerFor } from "./run/lower-for.ts";
import { runQueries } from "./run/lowered-queries.ts";
import type { ResolvedSql } from "./run/resolved-query.ts";
import type { RunProject } from "./run-request.ts";

/** Runs queries that code has made, all over one state of the lake. */
export interface TreeRun {
  readonly snapshot: CatalogueSnapshot;
  /** The rows of a query with a LIMIT of its own, times in UTC: of all events, or of these commits alone. */
  rows(tree: Ast, commits?: readonly Commit[]): Promise<Rows["rows"]>;
}

/**
 * Runs trees in one of the project's slots, each within the time of one run. What callers sent stands in a tree as constants. Throws 400
 * for what takes more than a run may, and 429 where no slot comes free. `lists` are what trees that name issues go by, where the caller
 * has read them; otherwise each tree reads them for itself. `namedBy` says what they are, where callers chose the properties that they name.
 */
export const runTrees = async <T>(
  world: EnginePorts,
  project: RunProject,
  read: (run: TreeRun) => Promise<T>,
  { lists, namedBy }: Partial<Pick<LoweringRequest, "lists" | "namedBy">> = {},
): Promise<T> => {
  const now = world.clock.now();
  const snapshot = await readCatalogueSnapshot(world, project.id);
  const rowsOf = async (tree: Ast, admitted: Promise<void>, commits: readonly Commit[] | undefined) => {
    const query: ResolvedSql = { kind: "sql", query: storedSql(NO_TEXT, null), ast: tree, variables: {}, page: null };
    const moment = { project: { id: project.id, timezone: "UTC" }, now };
    const { made: lowered, namesKept } = await lowerFor(world.table, {
      query,
      ...moment,
      types: {},
      ...(namedBy !== undefined && { namedBy }),
      ...(lists && { lists }),
    });
    const seen = Promise.resolve(snapshot);
    const pinned =
      commits === undefined
        ? await pinFor(world, project.id, lowered.queries, seen)
        : await pinCommits(world, project.id, commits, readsState(lowered.queries), seen);
    await namesKept;
    try {
      const { rows } = await runQueries(world, lowered, pinned, { admitted });
      return rows[0] ?? [];
    } catch (thrown) {
      throw thrown instanceof QueryError ? queryProblem(thrown, query) : thrown;
    }
  };
  return inSlot(world, { project, id: world.ids.uuid() }, (admitted) =>
    read({ snapshot, rows: (tree, commits) => rowsOf(tree, admitted, commits) }),
  );
};

/** A tree that code has made has no text to point into. */
const NO_TEXT = { kind: "HogQLQuery" as const, query: "" };
