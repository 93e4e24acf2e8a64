import * as z from "zod";
import type { World } from "../../../lib/app/world.ts";
import { queryOf, type StoredQuery, type StoredSql } from "../../../lib/endpoints/definition.ts";
import { typed } from "../../../lib/endpoints/materialisation/typed.ts";
import { RetentionRow, TrendRow } from "../../../lib/endpoints/run/insight-rows.ts";
import type { EndpointVersion } from "../../../lib/endpoints/saved-endpoints.ts";
import { unpackAst } from "../../../lib/endpoints/stored-ast.ts";
import { QueryError } from "../../../lib/hogql/errors.ts";
import { storedColumns } from "../../../lib/hogql/lower.ts";
import type { StoredColumn } from "../../../lib/hogql/options.ts";
import type { Type } from "../../../lib/hogql/types.ts";
import type { Dialect } from "./dialect.ts";

type JsonObject = Readonly<Record<string, unknown>>;
type Place = Parameters<typeof typed>[1];

/** What a row of a version is: of SQL its columns with the types that they have now, of an insight its object. */
export const rowSchema = async (
  world: Pick<World, "table" | "clock">,
  project: Place,
  version: EndpointVersion,
  dialect: Dialect,
): Promise<JsonObject> => {
  const query = queryOf(version);
  if (query.kind !== "HogQLQuery") return insightRow(query.kind, dialect);
  const columns = await columnsOf(world, project, version, query);
  return columns === undefined ? ANY : sqlRow(columns, dialect);
};

/** What nothing is known of. */
const ANY: JsonObject = {};

/** Undefined for a query that no longer stands, because what it reads is gone. */
const columnsOf = async (
  world: Pick<World, "table" | "clock">,
  project: Place,
  version: EndpointVersion,
  query: StoredSql,
): Promise<readonly StoredColumn[] | undefined> => {
  const ast = unpackAst(version.ast);
  try {
    const { made } = await typed(world, project, { query, types: version.property_types }, ast, (options) => storedColumns(ast, options));
    return made;
  } catch (error) {
    if (error instanceof QueryError) return undefined;
    throw error;
  }
};

/** Only the newer dialect can say what stands at which place of a list; the older one says what all of them may be. */
const sqlRow = (columns: readonly StoredColumn[], dialect: Dialect): JsonObject => {
  const length = { minItems: columns.length, maxItems: columns.length };
  const description = `The values of ${columns.map(({ name }) => `\`${name}\``).join(", ")}, in this order.`;
  const cells = columns.map(({ name, type, nullable }) => ({ name, schema: cellSchema(type, nullable, dialect) }));
  if (dialect === "3.1") {
    const prefixItems = cells.map(({ name, schema }) => ({ ...schema, title: name }));
    return { type: "array", description, prefixItems, items: false, ...length };
  }
  return { type: "array", description, items: anyOf(cells.map(({ schema }) => schema)), ...length };
};

const anyOf = (schemas: readonly JsonObject[]): JsonObject => {
  const each = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const [first = ANY] = each;
  if (each.length <= 1) return first;
  return each.some((schema) => Object.keys(schema).length === 0) ? ANY : { anyOf: each };
};

/** A value as a reply writes it. A number that is none, such as a division by zero, is sent as null. */
const cellSchema = (type: Type, nullable: boolean, dialect: Dialect): JsonObject => {
  switch (type.kind) {
    case "integer":
    case "interval":
      return orNull({ type: "integer" }, nullable, dialect);
    case "float":
    case "decimal":
      return orNull({ type: "number" }, true, dialect);
    case "string":
      return orNull({ type: "string" }, nullable, dialect);
    case "uuid":
      return orNull({ type: "string", format: "uuid" }, nullable, dialect);
    case "date":
      return orNull({ type: "string", format: "date" }, nullable, dialect);
    case "datetime":
      return orNull({ type: "string", format: "date-time" }, nullable, dialect);
    case "boolean":
      return orNull({ type: "boolean" }, nullable, dialect);
    case "array":
      return orNull({ type: "array", items: cellSchema(type.of, type.nullable, dialect) }, nullable, dialect);
    case "map":
      return orNull({ type: "object", additionalProperties: cellSchema(type.value, true, dialect) }, nullable, dialect);
    // What a property without a type, a variable, JSON or the fields of a tuple hold, a run decides.
    case "unknown":
    case "json":
    case "null":
    case "tuple":
      return ANY;
  }
};

const orNull = (schema: JsonObject & { readonly type: string }, nullable: boolean, dialect: Dialect): JsonObject => {
  if (!nullable) return schema;
  return dialect === "3.1" ? { ...schema, type: [schema.type, "null"] } : { ...schema, nullable: true };
};

const ROWS = { TrendsQuery: TrendRow, RetentionQuery: RetentionRow };

const insightRow = (kind: Exclude<StoredQuery["kind"], "HogQLQuery">, dialect: Dialect): JsonObject => {
  // Without its name it stands in the place where it is wanted.
  const { $schema: _, ...schema } = z.toJSONSchema(z.object(ROWS[kind].shape), {
    target: dialect === "3.1" ? "draft-2020-12" : "openapi-3.0",
    override: ({ jsonSchema }) => {
      // An answer may grow.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return schema;
};
