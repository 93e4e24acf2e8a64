import { hash } from "node:crypto";
import { cache } from "../../../lib/core/cache.ts";
import { queryOf } from "../../../lib/endpoints/definition.ts";
import { checks } from "../../../lib/endpoints/materialisation/checks/conditions.ts";
import type { EndpointVersion } from "../../../lib/endpoints/saved-endpoints.ts";
import { unpackAst } from "../../../lib/endpoints/stored-ast.ts";

/** Queries whose reason a process remembers. */
const CAPACITY = 5_000;

const reasons = cache<string, string | null>({ capacity: CAPACITY });

/** Why a version cannot have a table of its own; null where it can. */
export const reasonOf = (version: EndpointVersion): string | null => {
  const name = hash("sha256", version.query);
  const known = reasons.get(name);
  if (known !== undefined) return known;
  const reason = reasonIn(version);
  reasons.set(name, reason);
  return reason;
};

const reasonIn = (version: EndpointVersion): string | null => {
  const query = queryOf(version);
  const conditions = checks.can_materialize_query(query, query.kind === "HogQLQuery" ? unpackAst(version.ast) : null);
  return conditions.kind === "refused" ? conditions.reason.text : null;
};
