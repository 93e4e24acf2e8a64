import type { World } from "../../lib/app/world.ts";
import { storedSql } from "../../lib/endpoints/definition.ts";
import { pinFor } from "../../lib/endpoints/pin-for.ts";
import { loweredFor } from "../../lib/endpoints/run/lower-for.ts";
import type { StoredResult } from "../../lib/endpoints/run/result-cache.ts";
import { rowsOf } from "../../lib/endpoints/run/rows-of.ts";
import type { VersionTypes } from "../../lib/endpoints/version-types.ts";
import type { Ast } from "../../lib/hogql/ast.ts";

/** A parsed query, and the types that it takes properties for; those of today where it names others. */
export interface LiveQuery {
  readonly text: string;
  readonly ast: Ast;
  readonly types: VersionTypes;
}

/** The rows that a saved query would have now, within the limits of a run. Throws `QueryError`. */
export const liveRows = async (
  world: World,
  project: { readonly id: number; readonly timezone: string },
  { text, ast, types }: LiveQuery,
): Promise<Pick<StoredResult, "columns" | "rows">> => {
  const query = { kind: "sql", query: storedSql({ kind: "HogQLQuery", query: text }, null), ast, variables: {}, page: null } as const;
  const { made } = await loweredFor(world.table, { query, project, now: world.clock.now(), types });
  return made.resultOf(await rowsOf(world, made, await pinFor(world, project.id, made.queries)));
};
