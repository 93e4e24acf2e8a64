/** Names of the `{holes}` in a template: "/a/{b}/{c}/" gives "b" | "c". */
export type Holes<T extends string> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | Holes<Rest> : never;

/** One text for every hole of a template. */
export type HoleValues<T extends string> = { readonly [N in Holes<T>]: string };

const HOLE = /\{([^}]+)\}/g;

/** The names of a template's holes, in order. */
export const holes = (template: string): string[] => [...template.matchAll(HOLE)].map((match) => match[1] ?? "");

/** The template with every hole replaced by its value, each passed through `encode`. */
export const fill = <T extends string>(template: T, values: HoleValues<T>, encode: (value: string) => string): string => {
  const byName: Readonly<Record<string, string>> = values;
  return template.replace(HOLE, (_, name: string) => encode(byName[name] ?? ""));
};
