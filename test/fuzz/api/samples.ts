import type { Random } from "../../simulation/random.ts";
import type { JsonSchema } from "./description.ts";
import { ODD_TEXTS } from "./odd.ts";
import type { Pool } from "./pool.ts";
import { TEXTS } from "./texts.ts";

/** Below so many levels only what has to be there is. */
const MAX_DEPTH = 7;

export interface Maker {
  readonly random: Random;
  readonly pool: Pool;
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

/** A value that a schema admits, as far as the schema says it all; `name` is that of the field that it stands in. */
export const sampleOf = (schema: JsonSchema, maker: Maker, name = "", depth = 0): unknown => {
  const { random } = maker;
  const { $ref, const: only, enum: choices, anyOf, oneOf, default: standard } = schema;
  if (typeof $ref === "string") return sampleOf(maker.schemas[$ref.split("/").at(-1) ?? ""] ?? {}, maker, name, depth);
  if (only !== undefined) return only;
  if (Array.isArray(choices)) return choices[random.int(0, choices.length - 1)];
  const branches = schemasOf(anyOf ?? oneOf);
  if (branches.length > 0) {
    const least = branches.find(({ type }) => type === "null") ?? branches[0] ?? {};
    return sampleOf(depth > MAX_DEPTH ? least : (branches[random.int(0, branches.length - 1)] ?? least), maker, name, depth);
  }
  if (standard !== undefined && random.chance(0.3)) return standard;
  return typedValue(schema, maker, name, depth);
};

const typedValue = (schema: JsonSchema, maker: Maker, name: string, depth: number): unknown => {
  const { random, pool } = maker;
  switch (schema.type) {
    case "object":
      return objectOf(schema, maker, depth);
    case "array":
      return arrayOf(schema, maker, name, depth);
    case "integer":
    case "number": {
      const known = pool.named(name, random);
      if (typeof known === "number" && random.chance(0.3)) return known;
      const least = numberOr(schema.minimum, numberOr(schema.exclusiveMinimum, -2) + 1);
      const most = Math.min(numberOr(schema.maximum, least + 100), 2 ** 53);
      return schema.type === "integer" || random.chance(0.5) ? random.int(least, most) : least + random.next() * (most - least);
    }
    case "boolean":
      return random.chance(0.5);
    case "null":
      return null;
    case "string":
      return textOf(schema, maker, name);
    default:
      return random.pick<unknown>(["text", 1, true, null, { a: [1, "b"] }, ["a", 2]]);
  }
};

const objectOf = (schema: JsonSchema, maker: Maker, depth: number): unknown => {
  const { random } = maker;
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const value: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(schemaMap(schema.properties))) {
    if (required.has(name) || (depth < MAX_DEPTH && random.chance(0.4))) value[name] = sampleOf(inner, maker, name, depth + 1);
  }
  const [more] = schemasOf([schema.additionalProperties]);
  if (more === undefined || depth > MAX_DEPTH) return value;
  for (let count = random.int(0, 3); count > 0; count -= 1) {
    const [names] = schemasOf([schema.propertyNames]);
    const name = String(names?.type === undefined && names?.enum === undefined ? random.pick(TEXTS.names) : sampleOf(names, maker));
    value[name] = sampleOf(more, maker, name, depth + 1);
  }
  return value;
};

const arrayOf = (schema: JsonSchema, maker: Maker, name: string, depth: number): unknown => {
  const first = schemasOf(schema.prefixItems);
  if (first.length > 0) return first.map((each) => sampleOf(each, maker, name, depth + 1));
  const [items = {}] = schemasOf([schema.items]);
  const least = numberOr(schema.minItems, 0);
  const most = Math.min(numberOr(schema.maxItems, least + 3), least + (depth > MAX_DEPTH ? 0 : 3));
  return Array.from({ length: maker.random.int(least, most) }, () => sampleOf(items, maker, name.replace(/s$/, ""), depth + 1));
};

const textOf = (schema: JsonSchema, { random, pool }: Maker, name: string): string => {
  const known = pool.named(name, random);
  if (typeof known === "string" && random.chance(0.4)) return known;
  if (schema.format === "uuid") return `${random.int(10_000_000, 99_999_999)}-0000-4000-8000-000000000000`;
  if (schema.format === "date-time") return random.pick(["2026-09-01T00:00:00Z", "2026-11-20T12:30:00.123+02:00", "1970-01-01T00:00:00Z"]);
  if (schema.format === "uri") return random.pick(["https://a.example/cb", "http://127.0.0.1:9/x"]);
  const own = TEXTS.byName.get(name);
  const text = own !== undefined && random.chance(0.8) ? random.pick(own) : random.pick(random.chance(0.9) ? TEXTS.names : ODD_TEXTS);
  return text.padEnd(numberOr(schema.minLength, 0), "x").slice(0, numberOr(schema.maxLength, text.length + 1_000));
};

const numberOr = (value: unknown, otherwise: number): number => (typeof value === "number" ? value : otherwise);

const isSchema = (value: unknown): value is JsonSchema => typeof value === "object" && value !== null && !Array.isArray(value);
const schemasOf = (value: unknown): readonly JsonSchema[] => (Array.isArray(value) ? value.filter(isSchema) : []);
const schemaMap = (value: unknown): Readonly<Record<string, JsonSchema>> =>
  isSchema(value) ? Object.fromEntries(Object.entries(value).flatMap(([name, inner]) => (isSchema(inner) ? [[name, inner]] : []))) : {};
