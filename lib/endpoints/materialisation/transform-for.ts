import type { Ports } from "../../ports/ports.ts";
import type { StoredSql } from "../definition.ts";
import { unpackAst } from "../stored-ast.ts";
import { checks } from "./checks/conditions.ts";
import type { Materialisable } from "./materialisable.ts";
import { type TransformResult, transformed } from "./transform.ts";
import { typed } from "./typed.ts";

type TypeWorld = Pick<Ports, "table" | "clock">;
type ProjectZone = { readonly id: number; readonly timezone: string };

/** A SQL query taken apart with what the project has of the names in it. */
export const transformFor = async (
  world: TypeWorld,
  project: ProjectZone,
  { query, ast, bucket_overrides, property_types }: Materialisable & { readonly query: StoredSql },
): Promise<TransformResult> => {
  const tree = unpackAst(ast);
  const { made } = await typed(world, project, { query, types: property_types }, tree, (options) =>
    transformed(query, tree, bucket_overrides, options),
  );
  return made;
};

/** Why a query cannot have a table; null where it can. */
export const refusalOf = async (world: TypeWorld, project: ProjectZone, wanted: Materialisable): Promise<string | null> => {
  const { query } = wanted;
  if (query.kind !== "HogQLQuery") {
    const found = checks.can_materialize_query(query, null);
    return found.kind === "refused" ? found.reason.text : null;
  }
  const found = await transformFor(world, project, { ...wanted, query });
  return found.kind === "refused" ? found.reason.text : null;
};
