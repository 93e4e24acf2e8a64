import { typedValue } from "../../parts/field/typed-value.ts";
import type { SqlQuery } from "./calls.ts";

/** The names of the variables of a query, each once, in their order; comments and texts are no query. */
export const variableNames = (text: string): readonly string[] => [
  ...new Set(
    [...text.replaceAll(/'(?:[^'\\]|\\.)*'|--[^\n]*|\/\*[\s\S]*?\*\//g, " ").matchAll(/\{\s*variables\.(\w+)\s*\}/g)].map(
      ([, name = ""]) => name,
    ),
  ),
];

/** A query with its variables defined, as the API asks for: each under an id of its own. */
export const sqlQuery = (text: string, values: Readonly<Record<string, string>>): SqlQuery => {
  const names = variableNames(text);
  const defined = names.map((name, at) => {
    const variableId = `00000000-0000-4000-8000-${String(at + 1).padStart(12, "0")}`;
    return [variableId, { variableId, code_name: name, value: typedValue(values[name] ?? "") }] as const;
  });
  return { kind: "HogQLQuery", query: text, ...(names.length > 0 && { variables: Object.fromEntries(defined) }) };
};
