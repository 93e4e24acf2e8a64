import { hash } from "node:crypto";
import { cache } from "../../core/cache.ts";
import { storedQuery } from "../definition.ts";
import { unpackAst } from "../query/stored-ast.ts";
import type { EndpointVersion } from "../saved-endpoints.ts";
import { checks } from "./checks/conditions.ts";

/** Queries whose refusal a process remembers. */
const CAPACITY = 5_000;

const refusals = cache<string, string | null>({ capacity: CAPACITY });

/** Why a version cannot have a table of its own; null where it can. */
export const versionRefusal = (version: EndpointVersion): string | null => {
  const name = hash("sha256", version.query);
  const known = refusals.get(name);
  if (known !== undefined) return known;
  const refusal = found(version);
  refusals.set(name, refusal);
  return refusal;
};

const found = (version: EndpointVersion): string | null => {
  const query = storedQuery(version);
  const conditions = checks.can_materialize_query(query, query.kind === "HogQLQuery" ? unpackAst(version.ast) : null);
  return conditions.kind === "refused" ? conditions.reason.text : null;
};
