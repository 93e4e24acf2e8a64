import * as z from "zod";
import { ERROR_TYPES } from "../errors.ts";

/** A JSON Schema, as far as the description looks into it. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly $ref?: string;
}

type Direction = "input" | "output";

/** Turns schemas into JSON Schema and keeps those that have a name of their own. */
export interface SchemaBook {
  readonly named: ReadonlyMap<string, JsonSchema>;
  /** A reference for a schema with an id, else the schema itself. */
  refer(schema: z.ZodType, direction: Direction): JsonSchema;
  /** The schema itself even where it has an id. */
  inline(schema: z.ZodType, direction: Direction): JsonSchema;
}

export const schemaBook = (): SchemaBook => {
  const named = new Map<string, JsonSchema>();
  const names: Names = { input: new Map(), output: new Map() };
  named.set(
    "Error",
    described(z.toJSONSchema(ErrorEnvelope), (ref) => ref),
  );
  const refer = (schema: z.ZodType, direction: Direction): JsonSchema => {
    const { $defs: found = {}, properties = {} } = z.toJSONSchema(z.object({ it: schema }), {
      io: direction,
      unrepresentable: "any",
      override: tidied(direction),
    });
    const $defs = Object.fromEntries(Object.entries(found).filter(([id]) => !NAMELESS.test(id)));
    const renamed = namesFor(named, $defs, names[direction]);
    const rename = (ref: string) => {
      const id = ref.replace("#/$defs/", "");
      if (!NAMELESS.test(id)) return `#/components/schemas/${renamed.get(id) ?? ref}`;
      named.set(ANY_JSON, { description: "Any JSON value." });
      return `#/components/schemas/${ANY_JSON}`;
    };
    for (const [id, definition] of Object.entries($defs)) named.set(renamed.get(id) ?? id, described(definition, rename));
    return described(properties.it ?? {}, rename);
  };
  return {
    named,
    refer,
    inline(schema, direction) {
      const made = refer(schema, direction);
      return (made.$ref && named.get(made.$ref.replace("#/components/schemas/", ""))) || made;
    },
  };
};

/** What refers to itself and has no name is any JSON value: types that generators make of its recursion do not compile. */
const NAMELESS = /^__schema\d+$/;
const ANY_JSON = "JsonValue";

const ErrorEnvelope = z.object({
  type: z.enum(ERROR_TYPES).describe("The kind of error: what went wrong in general, and so whether a retry can help."),
  code: z.string().describe("The exact error, for programs: stable, in lower case with underscores."),
  detail: z.string().describe("What is wrong and what to do about it, in a sentence for people. It may change."),
  attr: z.string().nullable().describe("The field or parameter that is wrong, nested names joined by `__`; null when it is none."),
  error_event_id: z.string().optional().describe("Names the fault in the service's log; only with status 500."),
});

/** The name of each id met so far, in either direction. */
type Names = Readonly<Record<Direction, Map<string, string>>>;

/**
 * A schema that reads as one thing and is written as another needs two names: the second shape met gets `Request` behind its own,
 * and so does a schema that refers to one of those. Adds to the names met.
 */
const namesFor = (
  named: ReadonlyMap<string, JsonSchema>,
  definitions: Readonly<Record<string, unknown>>,
  met: Map<string, string>,
): ReadonlyMap<string, string> => {
  const fresh = Object.entries(definitions).filter(([id]) => !met.has(id));
  for (const [id] of fresh) met.set(id, id);
  for (let changed = true; changed; ) {
    changed = false;
    for (const [id, definition] of fresh) {
      const known = named.get(id);
      if (known === undefined || met.get(id) !== id) continue;
      const ours = described(definition, (ref) => `#/components/schemas/${met.get(ref.replace("#/$defs/", "")) ?? ref}`);
      if (shape(known) === shape(ours)) continue;
      met.set(id, `${id}Request`);
      changed = true;
    }
  }
  return met;
};

const shape = (schema: unknown): string => JSON.stringify(schema);

/** The same JSON schema with its references renamed and without what only its own document needs. `walk` gives an object for an object. */
const described = (schema: unknown, rename: (ref: string) => string): JsonSchema => walk(schema, rename) as JsonSchema;

const walk = (value: unknown, rename: (ref: string) => string): unknown => {
  if (Array.isArray(value)) return value.map((each) => walk(each, rename));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      if (key === "$schema" || (key === "id" && typeof inner === "string")) return [];
      return [[key, key === "$ref" && typeof inner === "string" ? rename(inner) : walk(inner, rename)]];
    }),
  );
};

/** Formats say more to a reader than the patterns that check them, safe-integer bounds say nothing, and an answer may grow fields. */
const tidied =
  (direction: Direction) =>
  ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void => {
    if (jsonSchema.format !== undefined || String(jsonSchema.pattern ?? "").includes("-02-29")) {
      jsonSchema.format = jsonSchema.format ?? "date-time";
      delete jsonSchema.pattern;
    }
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (direction === "output" && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  };
