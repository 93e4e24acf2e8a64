import type { Ports } from "../../ports/ports.ts";
import type { StoredQuery, StoredSql } from "../definition.ts";
import { unpackAst } from "../query/stored-ast.ts";
import { typed } from "../query/typed.ts";
import type { VersionTypes } from "../query/version-types.ts";
import { checks } from "./checks/conditions.ts";
import { type TransformResult, transformed } from "./transform.ts";

/** The definition that a version's table is made from. */
export interface Materialisable {
  readonly query: StoredQuery;
  readonly ast: Uint8Array;
  readonly property_types: VersionTypes;
  readonly bucket_overrides: Readonly<Record<string, string>> | null;
}

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
export const tableRefusal = async (world: TypeWorld, project: ProjectZone, wanted: Materialisable): Promise<string | null> => {
  const { query } = wanted;
  if (query.kind !== "HogQLQuery") {
    const found = checks.can_materialize_query(query, null);
    return found.kind === "refused" ? found.reason.text : null;
  }
  const found = await transformFor(world, project, { ...wanted, query });
  return found.kind === "refused" ? found.reason.text : null;
};
