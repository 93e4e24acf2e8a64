import { NULL_SQL, numeral, type Sql, separated, sql } from "../sql/fragment.ts";
import type { Type } from "../types.ts";

/** The DuckDB type that values of this type have. */
export const physical = (type: Type): Sql => {
  switch (type.kind) {
    case "integer":
      return type.wide ? sql`UBIGINT` : sql`BIGINT`;
    case "interval":
      return sql`BIGINT`;
    case "float":
      return sql`DOUBLE`;
    case "decimal":
      return sql`DECIMAL(38, ${numeral(type.scale)})`;
    case "boolean":
      return sql`BOOLEAN`;
    case "date":
      return sql`DATE`;
    case "datetime":
      return sql`TIMESTAMP WITH TIME ZONE`;
    case "uuid":
      return sql`UUID`;
    case "array":
      return sql`${physical(type.of)}[]`;
    case "tuple":
      return sql`STRUCT(${separated(type.of.map((of, index) => sql`"${numeral(index + 1)}" ${physical(of)}`))})`;
    case "map":
      return sql`MAP(${physical(type.key)}, ${physical(type.value)})`;
    default:
      return sql`VARCHAR`;
  }
};

/** The default of a type where ClickHouse has no value to show; null where it has no such default. */
export const defaultSql = (type: Type): Sql | null => {
  switch (type.kind) {
    case "string":
    case "json":
      return sql`''`;
    case "integer":
      return type.wide ? sql`0::UBIGINT` : sql`0`;
    case "interval":
      return sql`0`;
    case "float":
      return sql`0::DOUBLE`;
    case "decimal":
      return sql`0`;
    case "boolean":
      return sql`false`;
    case "date":
      return sql`DATE '1970-01-01'`;
    case "datetime":
      return sql`make_timestamptz(0)`;
    case "uuid":
      return sql`'00000000-0000-0000-0000-000000000000'::UUID`;
    case "array":
      return sql`[]::${physical(type)}`;
    case "tuple":
      return sql`{${separated(type.of.map((of, index) => sql`'${numeral(index + 1)}': ${itemDefault(of, type.nullable?.[index])}`))}}`;
    case "map":
      return sql`MAP {}::${physical(type)}`;
    default:
      return null;
  }
};

const itemDefault = (type: Type, nullable: boolean | undefined): Sql => (nullable ? NULL_SQL : (defaultSql(type) ?? NULL_SQL));
