import { typedValue, valueText } from "../../../parts/field/typed-value.ts";
import type { RunRequest } from "../calls.ts";

/** The names of variables in an address begin so. */
export const VARIABLE = "var.";

const NUMBERS = ["version", "limit", "offset"] as const;
const REFRESH = ["cache", "force", "direct"] as const;

/** The body of the run that an address says. */
export const runRequest = (query: URLSearchParams): RunRequest => {
  const numbers = NUMBERS.flatMap((name) => {
    const text = query.get(name);
    return text ? [[name, Number(text)] as const] : [];
  });
  const refresh = REFRESH.find((each) => each === query.get("refresh"));
  const variables = runValues(query);
  return {
    ...Object.fromEntries(numbers),
    ...(refresh && { refresh }),
    ...(Object.keys(variables).length > 0 && { variables }),
  };
};

/** The values of the variables that an address says. */
export const runValues = (query: URLSearchParams): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    [...query].filter(([name]) => name.startsWith(VARIABLE)).map(([name, text]) => [name.slice(VARIABLE.length), typedValue(text)]),
  );

/** What an address says of variables, to be put into it; those that are undefined are taken out. */
export const valuesInAddress = (values: Readonly<Record<string, unknown>>): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [VARIABLE + name, value === undefined ? undefined : valueText(value)]));
