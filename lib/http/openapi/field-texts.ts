import type { JsonSchema } from "./schemas.ts";

/**
 * What the fields of one schema mean, by their paths: names joined by dots. Lists, maps and alternatives add nothing to a path, so
 * `results.label` is the label of each result.
 */
export type FieldTexts = Readonly<Record<string, string>>;

/** A schema whose fields have these descriptions; `path` is where it stands in the schema that the texts are of. */
export const withTexts = (schema: JsonSchema, texts: FieldTexts, path = ""): JsonSchema => {
  const { properties, ...rest } = schema;
  const nested = NESTED.flatMap((part) => (part in rest ? [[part, within(rest[part], texts, path)]] : []));
  return { ...rest, ...Object.fromEntries(nested), ...(properties && { properties: describedFields(properties, texts, path) }) };
};

/** The parts of a schema that hold fields of the same path. */
const NESTED = ["items", "prefixItems", "additionalProperties", "anyOf", "oneOf", "allOf"] as const;

const within = (part: unknown, texts: FieldTexts, path: string): unknown => {
  if (Array.isArray(part)) return part.map((each) => within(each, texts, path));
  return typeof part === "object" && part !== null ? withTexts({ ...part }, texts, path) : part;
};

const describedFields = (properties: Readonly<Record<string, JsonSchema>>, texts: FieldTexts, path: string): JsonSchema["properties"] =>
  Object.fromEntries(
    Object.entries(properties).map(([name, field]) => {
      const own = path === "" ? name : `${path}.${name}`;
      const description = texts[own];
      return [name, { ...(description !== undefined && { description }), ...withTexts(field, texts, own) }];
    }),
  );
