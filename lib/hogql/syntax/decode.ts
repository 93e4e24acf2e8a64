import {
  type Alias,
  type ArrayJoin,
  type Ast,
  type Cte,
  type Expr,
  type FrameBound,
  JOINS,
  type Join,
  type OrderItem,
  SET_OPERATORS,
  type Select,
  type SetQuery,
  type TableSource,
  type Window,
} from "../ast.ts";
import * as build from "../build.ts";
import { QueryError } from "../errors.ts";
import { UNITS } from "../types.ts";
import { expr, exprs, maybe, maybeExprs } from "./decode-expr.ts";
import { at, type DecodeInput, deeper, type Json, list, placeInText, present, readName, record, refuse, string } from "./decode-json.ts";
import type { TextCounts } from "./guard-text.ts";

/**
 * The parser's JSON as our tree. Throws `QueryError` for every form that the language's grammar knows and we do not:
 * nothing is dropped in silence.
 */
export const decode = (json: unknown, text: string, counted: TextCounts): Ast =>
  accounted(text, counted, (reading) => query(record(json), reading));

/** The parser's JSON of an expression as our tree, in the same way. */
export const decodeExpression = (json: unknown, text: string, counted: TextCounts): Expr =>
  accounted(text, counted, (reading) => expr(json, reading));

const accounted = <T>(text: string, { orderBys }: TextCounts, read: (reading: DecodeInput) => T): T => {
  const budget = { nodes: 0, orderBys: 0 };
  const tree = read({ characters: [...text], depth: 0, budget });
  if (budget.orderBys < orderBys) {
    throw new QueryError(
      "unsupported",
      "ORDER BY after queries in brackets is not supported: write `SELECT * FROM (… UNION ALL …) ORDER BY …`.",
    );
  }
  return tree;
};

export const query = (node: Json, reading: DecodeInput): Ast => {
  const inner = deeper(reading, placeInText(node));
  if (node.node === "SelectQuery") return select(node, inner);
  if (node.node === "SelectSetQuery") return setQuery(node, inner);
  return refuse(`${String(node.node)} as a query`, node);
};

const setQuery = (node: Json, reading: DecodeInput): SetQuery => {
  if (present(node.limit_by)) refuse("LIMIT BY after a UNION", node);
  if (present(node.limit_with_ties) || present(node.limit_percent))
    refuse("LIMIT WITH TIES or in per cent", node, "filter by rank() or row_number() in QUALIFY");
  return {
    kind: "set",
    ...at(node),
    first: query(record(node.initial_select_query), reading),
    rest: list(node.subsequent_select_queries).map((item) => {
      const step = record(item);
      const operator = SET_OPERATORS.find((known) => known === step.set_operator);
      if (operator === undefined) return refuse(String(step.set_operator), node);
      return { operator, query: query(record(step.select_query), reading) };
    }),
    limit: maybe(node.limit, reading),
    offset: maybe(node.offset, reading),
  };
};

const SUBTOTALS = ["rollup", "cube"] as const;

const select = (node: Json, reading: DecodeInput): Select => {
  if (present(node.limit_with_ties) || present(node.limit_percent))
    refuse("LIMIT WITH TIES or in per cent", node, "filter by rank() or row_number() in QUALIFY");
  if (present(node.settings)) refuse("SETTINGS", node);
  const subtotals = SUBTOTALS.find((known) => known === node.group_by_mode);
  if (present(node.group_by_mode) && node.group_by_mode !== "all" && subtotals === undefined)
    refuse("GROUP BY with GROUPING SETS", node, "join the groupings with UNION ALL");
  const { source, joins } = from(node.select_from, reading);
  return {
    kind: "select",
    ...at(node),
    ctes: list(node.ctes).map((item) => cte(record(item), reading)),
    distinct: node.distinct === true,
    columns: exprs(node.select, reading),
    from: source,
    joins,
    arrayJoin: arrayJoin(node, reading),
    prewhere: maybe(node.prewhere, reading),
    where: maybe(node.where, reading),
    groupBy: node.group_by_mode === "all" ? "all" : maybeExprs(node.group_by, reading),
    ...(subtotals === undefined ? {} : { subtotals }),
    having: maybe(node.having, reading),
    qualify: maybe(node.qualify, reading),
    windows: windows(node.window_exprs, reading),
    orderBy: orderItems(node.order_by, reading),
    limitBy: limitBy(node.limit_by, reading),
    limit: maybe(node.limit, reading),
    offset: maybe(node.offset, reading),
  };
};

const cte = (node: Json, reading: DecodeInput): Cte => {
  const name = string(node.name);
  if (node.recursive === true) refuse("WITH RECURSIVE", node, "join numbers(n), or fold an array with arrayFold");
  if (node.cte_type === "column") return { name, query: expr(node.expr, reading), scalar: true, columns: null };
  const columns = Array.isArray(node.columns) ? node.columns.map(string) : null;
  return { name, query: query(record(node.expr), reading), scalar: false, columns };
};

const from = (value: unknown, reading: DecodeInput): { readonly source: TableSource | null; readonly joins: readonly Join[] } => {
  if (!present(value)) return { source: null, joins: [] };
  const first = record(value);
  const joins: Join[] = [];
  for (let next = first.next_join; present(next); next = record(next).next_join) {
    const node = record(next);
    joins.push(join(node, deeper(reading, placeInText(node))));
  }
  return { source: source(first, reading), joins };
};

const join = (node: Json, reading: DecodeInput): Join => {
  const kind = JOINS.find((known) => known === String(node.join_type).replace("ALL ", ""));
  if (kind === undefined) return refuseJoin(node);
  const base = { ...source(node, reading), join: kind };
  if (!present(node.constraint)) return { ...base, on: null, using: null };
  const constraint = record(node.constraint);
  const condition = expr(constraint.expr, reading);
  if (constraint.constraint_type === "ON") return { ...base, on: condition, using: null };
  const fields = condition.kind === "tuple" ? condition.items : [condition];
  const using = fields.map((field) => {
    const name = field.kind === "field" && field.chain.length === 1 ? field.chain[0] : undefined;
    return typeof name === "string" ? name : refuse("USING with anything but column names", node);
  });
  return { ...base, on: null, using };
};

const refuseJoin = (node: Json): never => {
  const name = String(node.join_type);
  if (!name.includes("ANY")) return refuse(name, node);
  throw new QueryError("unsupported", `${name} is not supported: join a subquery that ends in LIMIT 1 BY its key.`, placeInText(node));
};

const source = (node: Json, reading: DecodeInput): TableSource => {
  const base = {
    ...at(node),
    alias: readName(node.alias),
    columnAliases: Array.isArray(node.column_aliases) ? node.column_aliases.map(string) : null,
    sample: present(node.sample) ? sample(record(node.sample)) : null,
  };
  const table = record(node.table);
  if (table.node === "Field") {
    const args = Array.isArray(node.table_args) ? exprs(node.table_args, reading) : null;
    return { ...base, ...at(table), table: { kind: "name", chain: list(table.chain).map(String), args } };
  }
  if (table.node === "SelectQuery" || table.node === "SelectSetQuery") return { ...base, table: query(table, reading) };
  if (table.node === "ValuesQuery") return { ...base, table: values(table, reading) };
  if (table.node === "Placeholder") throw new QueryError("placeholder", "A placeholder cannot stand for a table.", placeInText(table));
  return refuse(`${String(table.node)} after FROM`, table);
};

/** `VALUES (1, 'a'), (2, 'b')`: a row for each tuple of an array, with columns c1, c2, …. */
const values = (node: Json, reading: DecodeInput): Select => {
  const rows = list(node.rows).map((row) => exprs(row, reading));
  const width = rows[0]?.length ?? 0;
  if (rows.some((row) => row.length !== width)) refuse("VALUES with rows of different lengths", node);
  const tuples = rows.map((items): Expr => ({ kind: "tuple", items }));
  const row = build.select([build.alias("row", build.call("arrayJoin", { kind: "array", items: tuples }))]);
  const columns = Array.from({ length: width }, (_, index) =>
    build.alias(`c${index + 1}`, { kind: "tuple-element", of: build.field("row"), index: index + 1 }),
  );
  return build.select(columns, { from: build.from(row) });
};

const sample = (node: Json): number => {
  if (present(node.offset_value)) refuse("SAMPLE with OFFSET", node, "filter by cityHash64(distinct_id) % 100");
  const ratio = record(node.sample_value);
  const side = (value: unknown): number => {
    const constant = record(value);
    return typeof constant.value === "number" ? constant.value : refuse("SAMPLE with anything but numbers", node);
  };
  const fraction = side(ratio.left) / (present(ratio.right) ? side(ratio.right) : 1);
  if (!(fraction > 0 && fraction <= 1)) refuse("SAMPLE outside 0 to 1", node);
  return fraction;
};

const arrayJoin = (node: Json, reading: DecodeInput): ArrayJoin | null => {
  if (!present(node.array_join_op)) return null;
  const items = exprs(node.array_join_list, reading).map((item): Alias => {
    if (item.kind === "alias") return item;
    const name = item.kind === "field" ? item.chain.at(-1) : undefined;
    return typeof name === "string" ? { kind: "alias", name, item } : refuse("ARRAY JOIN without an alias", node);
  });
  return { left: string(node.array_join_op).startsWith("LEFT"), items };
};

const windows = (value: unknown, reading: DecodeInput): Readonly<Record<string, Window>> => {
  if (!present(value)) return {};
  return Object.fromEntries(Object.entries(record(value)).map(([name, node]) => [name, window(record(node), reading)]));
};

export const window = (node: Json, reading: DecodeInput): Window => {
  const base = { partitionBy: exprs(node.partition_by, reading), orderBy: orderItems(node.order_by, reading) };
  if (!present(node.frame_method)) return base;
  const unit = node.frame_method === "RANGE" ? "range" : node.frame_method === "ROWS" ? "rows" : refuse(String(node.frame_method), node);
  const start = frameBound(record(node.frame_start));
  return { ...base, frame: { unit, start, end: present(node.frame_end) ? frameBound(record(node.frame_end)) : null } };
};

const frameBound = (node: Json): FrameBound => {
  if (node.frame_type === "CURRENT ROW") return { kind: "current", rows: 0 };
  const kind = node.frame_type === "PRECEDING" ? "preceding" : "following";
  if (!present(node.frame_value) && node.frame_value !== 0) return { kind, rows: null };
  const written = typeof node.frame_value === "object" ? record(node.frame_value) : { value: node.frame_value };
  const unit = UNITS.find((known) => String(written.name).toLowerCase() === `tointerval${known}`);
  const value = unit === undefined ? written.value : record(list(written.args)[0]).value;
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0)
    return refuse("A window frame bound that is no whole number", node);
  return { kind, rows: value, ...(unit === undefined ? {} : { unit }) };
};

const limitBy = (value: unknown, reading: DecodeInput): Select["limitBy"] => {
  if (!present(value)) return null;
  const node = record(value);
  return { n: expr(node.n, reading), offset: maybe(node.offset_value, reading), by: exprs(node.exprs, reading) };
};

export const orderItems = (value: unknown, reading: DecodeInput): OrderItem[] => {
  if (list(value).length > 0) reading.budget.orderBys += 1;
  return list(value).map((item) => {
    const node = record(item);
    if (present(node.with_fill)) refuse("WITH FILL", node, "start from numbers(n) and LEFT JOIN what you count");
    return {
      expr: expr(node.expr, reading),
      descending: node.order === "DESC",
      nulls: nullsFirst(node, reading.characters) ? "first" : "last",
    };
  });
};

/** NULLS FIRST stands within as many characters before an item's end. */
const NULLS_FIRST_REACH = 200;

/** The parser leaves NULLS FIRST out of its tree, so it is looked up in the text. */
const nullsFirst = (node: Json, characters: readonly string[]): boolean => {
  if (!present(node.start) || !present(node.end)) return false;
  const from = record(node.start).offset;
  const to = record(node.end).offset;
  if (typeof from !== "number" || typeof to !== "number") return false;
  return /\bnulls\s+first\s*$/i.test(characters.slice(Math.max(from, to - NULLS_FIRST_REACH), to).join(""));
};
