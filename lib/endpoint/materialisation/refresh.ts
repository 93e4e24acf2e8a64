import type { Materialisation } from "../../entities/endpoints/materialisations.ts";
import type { EndpointVersion } from "../../entities/endpoints/saved-endpoints.ts";
import { type Project, Projects } from "../../entities/projects/projects.ts";
import type { LowerOptions } from "../../hogql/analysis/options.ts";
import { usedNames } from "../../hogql/analysis/used-names.ts";
import { QueryError } from "../../hogql/errors.ts";
import type { Ast } from "../../hogql/syntax/ast.ts";
import { sqlFilters } from "../../insight/filters/sql-filters.ts";
import { WEEK_START } from "../../insight/insight.ts";
import { readGroupTypes } from "../../lake/intake/group-types.ts";
import { withPropertyTypes } from "../../lake/property-types/remembered-types.ts";
import { get } from "../../table/store.ts";
import type { World } from "../../world/world.ts";
import { queryOf, type StoredSql } from "../definition.ts";
import { unpackAst } from "../stored-ast.ts";
import type { MaterialiseJob } from "./job.ts";
import { makeInsight } from "./make-insight.ts";
import { makeTable } from "./make-table.ts";
import { beginRun, completeRun, failRun, findPlaced, forgetRun, keysOf, type MadeTable, tablesOf, versionOf } from "./state.ts";
import { transformed } from "./transform.ts";

/** What the author is told of a fault that is none of theirs. */
const FAULT = "The table could not be made because of a fault of the platform. It is tried again by itself.";

/** Nobody is left to say more when the platform ends a function; what did so once may do so again, so it is not tried again soon. */
const ENDED =
  "The run was ended from outside, most likely because it took too much memory or time. Group by fewer values, or a shorter time.";

/**
 * Makes a version's table anew if it is due, and deletes what nothing names any more. A query that fails ends in the state `Failed`
 * with its sentence and leaves the table before; so does a fault, which is thrown on afterwards.
 */
export const refresh = async (world: World, job: MaterialiseJob): Promise<void> => {
  const before = await findPlaced(world.table, job);
  if (before === undefined) return removeUnnamed(world, job, new Set());
  if (before.run !== null && before.run_until <= world.clock.now()) {
    await failRun(world, before, ENDED, before.freshness_seconds * 1000);
    return removeUnnamed(world, job, keysOf({ ...before, run: null }));
  }
  const begun = await beginRun(world, job);
  if (begun === undefined) return;
  const key = tablesOf(job) + begun.run;
  try {
    const table = await tableOf(world, begun, key);
    if (table === undefined) {
      await forgetRun(world, begun);
      return await removeUnnamed(world, job, new Set());
    }
    if (await completeRun(world, begun, table)) await world.objects.remove(begun.replaced);
    else await world.objects.remove([key]);
  } catch (thrown) {
    await world.objects.remove([key]);
    await failRun(world, begun, thrown instanceof QueryError ? thrown.message : FAULT);
    if (!(thrown instanceof QueryError)) throw thrown;
  }
};

/** Everything below a version's tables that is not among these keys. */
const removeUnnamed = async ({ objects }: Pick<World, "objects">, job: MaterialiseJob, named: ReadonlySet<string>): Promise<void> => {
  let cursor: string | null = null;
  do {
    const page = await objects.list(tablesOf(job), cursor);
    const gone = page.objects.map(({ key }) => key).filter((key) => !named.has(key));
    if (gone.length > 0) await objects.remove(gone);
    cursor = page.cursor;
  } while (cursor !== null);
};

/** Undefined where version or project are gone. */
const tableOf = async (world: World, begun: Materialisation, key: string): Promise<MadeTable | undefined> => {
  const [version, project] = await Promise.all([
    versionOf(world.table, begun),
    get(world.table, Projects, { id: begun.project }, { consistent: true }),
  ]);
  if (version === undefined || project === undefined || project.state === "removed") return undefined;
  const query = queryOf(version);
  if (query.kind !== "HogQLQuery") return makeInsight(world, { project, query, ast: version.ast, key });
  return sqlTable(world, begun, { version, project, query, key });
};

interface SqlMaking {
  readonly version: EndpointVersion;
  readonly project: Project;
  readonly query: StoredSql;
  readonly key: string;
}

const sqlTable = async (world: World, begun: Materialisation, { version, project, query, key }: SqlMaking): Promise<MadeTable> => {
  const ast = unpackAst(version.ast);
  const { options, found } = await typed(world, project, query, ast, (known) => ({
    options: known,
    found: transformed(query, ast, begun.bucket_overrides, known),
  }));
  if (found.kind === "refused") throw new QueryError("unsupported", found.reason.text);
  return makeTable(world, found.transform, { key, options, before: begun.table });
};

/** Makes something of a query with what the project has of the names in it, as it is now. */
export const typed = async <T>(
  { table, clock }: Pick<World, "table" | "clock">,
  { id, timezone }: Pick<Project, "id" | "timezone">,
  query: StoredSql,
  ast: Ast,
  make: (options: Omit<LowerOptions, "variables" | "page">) => T,
): Promise<T> => {
  const now = clock.now();
  const groupTypes = await readGroupTypes(table, id);
  const filters = sqlFilters(query.filters, { now, timezone, weekStart: WEEK_START });
  const wanted = usedNames([ast, filters.condition, filters.from, filters.to]).properties(groupTypes);
  const { made } = await withPropertyTypes(table, id, now, wanted, (propertyType) =>
    make({ project: id, timezone, now, groupTypes, propertyType, filters, values: query.values ?? {} }),
  );
  return made;
};
