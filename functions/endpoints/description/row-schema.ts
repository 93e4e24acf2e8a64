import * as z from "zod";
import type { World } from "../../../lib/app/world.ts";
import { currentColumns } from "../../../lib/endpoints/accept.ts";
import { storedQuery } from "../../../lib/endpoints/definition.ts";
import type { EndpointVersion } from "../../../lib/endpoints/saved-endpoints.ts";
import type { StoredColumn } from "../../../lib/hogql/options.ts";
import type { Type } from "../../../lib/hogql/types.ts";
import { INSIGHT_KINDS } from "../../../lib/insight/kinds.ts";
import type { InsightQuery } from "../../../lib/insight/query.ts";
import type { Dialect } from "../wire.ts";

type JsonObject = Readonly<Record<string, unknown>>;

/** The schema of a row of a version: of SQL its columns with the types that they have now, of an insight its object. */
export const rowSchema = async (
  world: Pick<World, "table" | "clock">,
  project: { readonly id: number; readonly timezone: string },
  version: EndpointVersion,
  dialect: Dialect,
): Promise<JsonObject> => {
  const query = storedQuery(version);
  if (query.kind !== "HogQLQuery") return insightRow(query.kind, dialect);
  const columns = await currentColumns(world, project, version, query);
  return columns === undefined ? ANY : sqlRow(columns, dialect);
};

/** A value of which nothing is known. */
const ANY: JsonObject = {};

/** Only the newer dialect can say what stands at which place of a list; the older one says what all of them may be. */
const sqlRow = (columns: readonly StoredColumn[], dialect: Dialect): JsonObject => {
  const length = { minItems: columns.length, maxItems: columns.length };
  const description = `The values of ${columns.map(({ name }) => `\`${name}\``).join(", ")}, in this order.`;
  const cells = columns.map(({ name, type, nullable }) => ({ name, schema: cellSchema(type, nullable, dialect) }));
  if (dialect === "3.1") {
    const prefixItems = cells.map(({ name, schema }) => ({ ...schema, title: name }));
    return { type: "array", description, prefixItems, items: false, ...length };
  }
  return { type: "array", description, items: unionSchema(cells.map(({ schema }) => schema)), ...length };
};

const unionSchema = (schemas: readonly JsonObject[]): JsonObject => {
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

const insightRow = (kind: InsightQuery["kind"], dialect: Dialect): JsonObject => {
  // Without its name it stands in the place where it is wanted.
  const { $schema: _, ...schema } = z.toJSONSchema(z.object(INSIGHT_KINDS[kind].row.shape), {
    target: dialect === "3.1" ? "draft-2020-12" : "openapi-3.0",
    override: ({ jsonSchema }) => {
      // An answer may grow.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return schema;
};
