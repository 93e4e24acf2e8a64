import { QueryError } from "../../hogql/errors.ts";
import { storedColumns } from "../../hogql/lower.ts";
import type { StoredColumn } from "../../hogql/options.ts";
import type { Ports } from "../../ports/ports.ts";
import type { StoredSql } from "../definition.ts";
import { unpackAst } from "../query/stored-ast.ts";
import { typed } from "../query/typed.ts";
import type { EndpointVersion } from "../saved-endpoints.ts";

/** See `accept.ts`. */
export const currentColumns = async (
  world: Pick<Ports, "table" | "clock">,
  project: { readonly id: number; readonly timezone: string },
  version: EndpointVersion,
  query: StoredSql,
): Promise<readonly StoredColumn[] | undefined> => {
  const ast = unpackAst(version.ast);
  try {
    const { made } = await typed(world, project, { query, types: version.property_types }, ast, (options) => storedColumns(ast, options));
    return made;
  } catch (error) {
    if (error instanceof QueryError) return undefined;
    throw error;
  }
};
