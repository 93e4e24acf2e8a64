import { queryOf } from "../../../lib/endpoint/definition.ts";
import { checks } from "../../../lib/endpoint/materialisation/checks/conditions.ts";
import { unpackAst } from "../../../lib/endpoint/stored-ast.ts";
import type { EndpointVersion } from "../../../lib/entities/endpoints/saved-endpoints.ts";

/** Why a version cannot have a table of its own; null where it can. */
export const reasonOf = (version: EndpointVersion): string | null => {
  const query = queryOf(version);
  const conditions = checks.can_materialize_query(query, query.kind === "HogQLQuery" ? unpackAst(version.ast) : null);
  return conditions.kind === "refused" ? conditions.reason.text : null;
};
