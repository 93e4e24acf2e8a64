import { countItems, MAX_LIST } from "../../hogql/options.ts";
import { invalid } from "../../http/errors.ts";
import type { StoredSql } from "../definition.ts";

/** Refuses variables that the query does not have. Throws 400. */
export const checkNames = (sent: Readonly<Record<string, unknown>>, known: readonly string[]): void => {
  const names = new Set(known);
  const unknown = Object.keys(sent)
    .filter((name) => !names.has(name))
    .sort();
  if (unknown.length === 0) return;
  const hint = known.length > 0 ? `This query has ${quotedNames(known.toSorted())}.` : "This query has none.";
  throw invalid("variables", `Unknown variable(s) ${quotedNames(unknown.slice(0, MAX_NAMED))}. ${hint}`);
};

/** Most unknown names that an answer repeats. */
const MAX_NAMED = 20;

/** Names as a sentence lists them, each once. */
export const quotedNames = (names: readonly string[]): string => [...new Set(names)].map((name) => `'${name}'`).join(", ");

/** Of a version with a table every variable has to be given: its defaults do not count. Throws 400. */
export const requireValues = ({ query }: { readonly query: StoredSql }, sent: Readonly<Record<string, unknown>>): void => {
  const names = Object.values(query.variables ?? {}).map(({ code_name }) => code_name);
  const missing = names.filter((name) => (Object.hasOwn(sent, name) ? sent[name] : null) === null).sort();
  if (missing.length > 0) throw invalid("variables", `Required variable(s) ${quotedNames(missing)} not provided`);
};

/**
 * The value of each variable of a SQL query: as sent, else its stored default. A variable that is sent as null, or whose
 * default is marked as NULL, is NULL. Throws 400 for names that the query does not have, and for lists that are too long.
 */
export const variableValues = (query: StoredSql, sent: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const defined = new Map(Object.values(query.variables ?? {}).map((variable) => [variable.code_name, variable]));
  checkNames(sent, [...defined.keys()]);
  if (countItems(Object.values(sent)) - Object.keys(sent).length > MAX_LIST) {
    throw invalid("variables", `The lists of the variables hold more than ${MAX_LIST} values together. Split the run into several.`);
  }
  return Object.fromEntries(
    [...defined.values()].map((variable) => {
      if (Object.hasOwn(sent, variable.code_name)) return [variable.code_name, sent[variable.code_name]];
      return [variable.code_name, variable.isNull === true ? null : (variable.value ?? null)];
    }),
  );
};
