import type { StoredQuery } from "../../lib/endpoint/definition.ts";
import { invalid } from "../../lib/http/errors.ts";

/**
 * The value of each variable of a SQL query: as sent, else its stored default. A variable that is sent as null, or whose
 * default is marked as NULL, is NULL.
 */
export const variableValues = (query: StoredQuery, sent: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const defined = new Map(Object.values(query.variables ?? {}).map((variable) => [variable.code_name, variable]));
  const unknown = Object.keys(sent)
    .filter((name) => !defined.has(name))
    .sort();
  if (unknown.length > 0) {
    const known = [...defined.keys()].sort();
    const hint = known.length > 0 ? `This query has ${known.map((name) => `'${name}'`).join(", ")}.` : "This query has none.";
    throw invalid("variables", `Unknown variable(s) ${unknown.map((name) => `'${name}'`).join(", ")}. ${hint}`);
  }
  return Object.fromEntries(
    [...defined.values()].map((variable) => {
      if (Object.hasOwn(sent, variable.code_name)) return [variable.code_name, sent[variable.code_name]];
      return [variable.code_name, variable.isNull === true ? null : (variable.value ?? null)];
    }),
  );
};
