import type { StoredSql } from "../../../lib/endpoint/definition.ts";
import { checks } from "../../../lib/endpoint/materialisation/checks/conditions.ts";
import { typed } from "../../../lib/endpoint/materialisation/refresh.ts";
import { type Transformed, transformed } from "../../../lib/endpoint/materialisation/transform.ts";
import { unpackAst } from "../../../lib/endpoint/stored-ast.ts";
import type { World } from "../../../lib/world/world.ts";
import type { Materialisable } from "./materialisable.ts";

type TypeWorld = Pick<World, "table" | "clock">;
type Place = { readonly id: number; readonly timezone: string };

/** A SQL query taken apart with what the project has of the names in it. */
export const transformFor = async (
  world: TypeWorld,
  project: Place,
  { query, ast, bucket_overrides }: Materialisable & { readonly query: StoredSql },
): Promise<Transformed> => {
  const tree = unpackAst(ast);
  return typed(world, project, query, tree, (options) => transformed(query, tree, bucket_overrides, options));
};

/** Why a query cannot have a table; null where it can. */
export const refusalOf = async (world: TypeWorld, project: Place, wanted: Materialisable): Promise<string | null> => {
  const { query } = wanted;
  if (query.kind !== "HogQLQuery") {
    const found = checks.can_materialize_query(query, null);
    return found.kind === "refused" ? found.reason.text : null;
  }
  const found = await transformFor(world, project, { ...wanted, query });
  return found.kind === "refused" ? found.reason.text : null;
};
