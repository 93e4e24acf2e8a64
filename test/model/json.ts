/** A JSON object. */
export type Json = { readonly [name: string]: unknown };

export const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

export const objectOr = (value: unknown): Json => (isObject(value) ? value : {});

/** JSON with sorted keys: equal values have equal text. */
export const sorted = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(sorted).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const members = Object.keys(value).toSorted();
  return `{${members.map((name) => `${JSON.stringify(name)}:${sorted(value[name])}`).join(",")}}`;
};
