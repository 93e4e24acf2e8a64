import { typedValue, valueText } from "../../../parts/field/typed-value.ts";
import type { EndpointQuery } from "../calls.ts";

/** A query as it is edited. */
export interface Draft {
  /** Of SQL the text itself, of an insight its JSON. */
  readonly text: string;
  /** Defaults of variables by name, as text; empty where there is none. */
  readonly defaults: Readonly<Record<string, string>>;
}

const VARIABLE = /\{\s*variables\.([A-Za-z_]\w*)\s*\}/g;

/** The variables that a text has in the place of values, each once. */
export const variableNames = (text: string): readonly string[] => [...new Set([...text.matchAll(VARIABLE)].map(([, name = ""]) => name))];

export const draft = (query: EndpointQuery): Draft => {
  if (query.kind !== "HogQLQuery") return { text: JSON.stringify(query, (_, value) => value ?? undefined, 2), defaults: {} };
  const variables = Object.values(query.variables ?? {});
  return {
    text: query.query,
    defaults: Object.fromEntries(variables.map(({ code_name, value, isNull }) => [code_name, defaultText(value, isNull === true)])),
  };
};

const defaultText = (value: unknown, isNull: boolean): string => {
  if (isNull) return "null";
  return value === null || value === undefined ? "" : valueText(value);
};

/** The query that a draft makes of the one before. Throws where an insight is no JSON. */
export const newQuery = (before: EndpointQuery, { text, defaults }: Draft): EndpointQuery => {
  if (before.kind !== "HogQLQuery") return JSON.parse(text);
  const known = Object.values(before.variables ?? {});
  const variables = variableNames(text).map((code_name) => {
    const id = known.find((each) => each.code_name === code_name)?.variableId ?? crypto.randomUUID();
    const written = defaults[code_name] ?? "";
    const value = written === "" ? null : typedValue(written);
    return [id, { variableId: id, code_name, value, isNull: written === "null" }] as const;
  });
  return { ...before, query: text, variables: Object.fromEntries(variables) };
};
