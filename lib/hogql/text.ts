import { unreachable } from "../core/unreachable.ts";
import type { Ast, Cte, Expr, FrameBound, Join, OrderItem, Select, SetQuery, TableSource, Window } from "./ast.ts";

/** Text that parses to the query again, a clause a line. */
export const queryText = (ast: Ast): string => (ast.kind === "select" ? selectText(ast) : setText(ast));

const setText = ({ first, rest, limit, offset }: SetQuery): string => {
  const inner = (query: Select | SetQuery): string =>
    query.kind === "set" || query.limit !== null ? `(${queryText(query)})` : queryText(query);
  const steps = rest.map(({ operator, query }) => `${operator}\n${inner(query)}`);
  return [inner(first), ...steps, ...paging(limit, offset)].join("\n");
};

const selectText = (node: Select): string =>
  [
    ...(node.ctes.length === 0 ? [] : [`WITH ${node.ctes.map(cteText).join(", ")}`]),
    `SELECT${node.distinct ? " DISTINCT" : ""}\n    ${node.columns.map(columnText).join(",\n    ")}`,
    ...(node.from === null ? [] : [`FROM\n    ${[sourceText(node.from), ...node.joins.map(joinText)].join("\n    ")}`]),
    ...arrayJoinText(node),
    ...clause("PREWHERE", node.prewhere),
    ...clause("WHERE", node.where),
    ...groupText(node),
    ...clause("HAVING", node.having),
    ...windowsText(node),
    ...clause("QUALIFY", node.qualify),
    ...(node.orderBy.length === 0 ? [] : [`ORDER BY\n    ${orderText(node.orderBy)}`]),
    ...limitByText(node),
    ...paging(node.limit, node.offset),
  ].join("\n");

const clause = (word: string, item: Expr | null): readonly string[] => (item === null ? [] : [`${word}\n    ${expressionText(item)}`]);

const paging = (limit: Expr | null, offset: Expr | null): readonly string[] => [
  ...(limit === null ? [] : [`LIMIT ${expressionText(limit)}`]),
  ...(offset === null ? [] : [`OFFSET ${expressionText(offset)}`]),
];

const cteText = ({ name, query, scalar, columns }: Cte): string => {
  if (scalar) return `${expressionText(query)} AS ${ident(name)}`;
  return `${ident(name)}${columns === null ? "" : ` (${columns.map(ident).join(", ")})`} AS ${expressionText(query)}`;
};

const columnText = (node: Expr): string =>
  node.kind === "alias" ? `${expressionText(node.item)} AS ${ident(node.name)}` : expressionText(node);

const sourceText = ({ table, alias, columnAliases, sample }: TableSource): string => {
  const base =
    table.kind === "name"
      ? `${table.chain.map(ident).join(".")}${table.args === null ? "" : `(${list(table.args)})`}`
      : `(${queryText(table)})`;
  const called = alias === null ? "" : ` AS ${ident(alias)}${columnAliases === null ? "" : ` (${columnAliases.map(ident).join(", ")})`}`;
  return `${base}${called}${sample === null ? "" : ` SAMPLE ${sample}`}`;
};

const joinText = (join: Join): string => {
  const on = join.on === null ? "" : ` ON ${expressionText(join.on)}`;
  return `${join.join} ${sourceText(join)}${on}${join.using === null ? "" : ` USING (${join.using.map(ident).join(", ")})`}`;
};

const arrayJoinText = ({ arrayJoin }: Select): readonly string[] =>
  arrayJoin === null ? [] : [`${arrayJoin.left ? "LEFT " : ""}ARRAY JOIN ${arrayJoin.items.map(columnText).join(", ")}`];

const groupText = ({ groupBy, subtotals }: Select): readonly string[] => {
  if (groupBy === null) return [];
  if (groupBy === "all") return ["GROUP BY ALL"];
  const keys = groupBy.map(expressionText).join(subtotals === undefined ? ",\n    " : ", ");
  return [`GROUP BY\n    ${subtotals === undefined ? keys : `${subtotals.toUpperCase()}(${keys})`}`];
};

const windowsText = ({ windows }: Select): readonly string[] => {
  const named = Object.entries(windows).map(([name, window]) => `${ident(name)} AS (${windowText(window)})`);
  return named.length === 0 ? [] : [`WINDOW ${named.join(", ")}`];
};

const limitByText = ({ limitBy }: Select): readonly string[] => {
  if (limitBy === null) return [];
  const offset = limitBy.offset === null ? "" : ` OFFSET ${expressionText(limitBy.offset)}`;
  return [`LIMIT ${expressionText(limitBy.n)}${offset} BY ${list(limitBy.by)}`];
};

const orderText = (items: readonly OrderItem[]): string =>
  items
    .map(({ expr, descending, nulls }) => `${expressionText(expr)} ${descending ? "DESC" : "ASC"} NULLS ${nulls.toUpperCase()}`)
    .join(", ");

const windowText = ({ partitionBy, orderBy, frame }: Window): string =>
  [
    ...(partitionBy.length === 0 ? [] : [`PARTITION BY ${list(partitionBy)}`]),
    ...(orderBy.length === 0 ? [] : [`ORDER BY ${orderText(orderBy)}`]),
    ...(frame === undefined ? [] : [frameText(frame)]),
  ].join(" ");

const frameText = ({ unit, start, end }: NonNullable<Window["frame"]>): string =>
  `${unit.toUpperCase()} ${end === null ? boundText(start) : `BETWEEN ${boundText(start)} AND ${boundText(end)}`}`;

const boundText = ({ kind, rows, unit }: FrameBound): string => {
  if (kind === "current") return "CURRENT ROW";
  const distance = rows === null ? "UNBOUNDED" : unit === undefined ? String(rows) : `INTERVAL ${rows} ${unit.toUpperCase()}`;
  return `${distance} ${kind.toUpperCase()}`;
};

/** An expression as a text that parses to it again, with brackets wherever another reading could be thought of. */
const expressionText = (node: Expr): string => {
  switch (node.kind) {
    case "constant":
      return typeof node.value === "string" ? quotedText(node.value) : node.value === null ? "NULL" : String(node.value);
    case "numeric-literal":
      return node.text;
    case "field":
      return node.chain.map((part) => (typeof part === "string" ? ident(part) : part)).join(".");
    case "call": {
      const order = node.orderBy === undefined ? "" : ` ORDER BY ${orderText(node.orderBy)}`;
      const filter = node.filter === undefined ? "" : ` FILTER (WHERE ${expressionText(node.filter)})`;
      return `${node.name}${paramsText(node.params)}(${node.distinct ? "DISTINCT " : ""}${list(node.args)}${order})${filter}`;
    }
    case "window":
      return `${node.name}${paramsText(node.params)}(${list(node.args)}) OVER ${typeof node.over === "string" ? ident(node.over) : `(${windowText(node.over)})`}`;
    case "lambda":
      return `(${node.args.map(ident).join(", ")}) -> ${expressionText(node.body)}`;
    case "array":
      return `[${list(node.items)}]`;
    case "tuple":
      return node.items.length < 2 ? `tuple(${list(node.items)})` : `(${list(node.items)})`;
    case "and":
    case "or":
      return `(${node.items.map(expressionText).join(` ${node.kind.toUpperCase()} `)})`;
    case "not":
      return `(NOT ${expressionText(node.item)})`;
    case "dict":
      return `{${node.items.map(([key, value]) => `${expressionText(key)}: ${expressionText(value)}`).join(", ")}}`;
    case "element":
      return `${operand(node.of)}[${expressionText(node.index)}]`;
    case "tuple-element":
      return `${operand(node.of)}.${node.index}`;
    case "compare":
      return `(${expressionText(node.left)} ${node.op === "==" ? "=" : node.op.toUpperCase()} ${expressionText(node.right)})`;
    case "arithmetic":
      return `(${expressionText(node.left)} ${node.op} ${expressionText(node.right)})`;
    case "between":
      return `(${expressionText(node.item)} ${node.negated ? "NOT " : ""}BETWEEN ${expressionText(node.low)} AND ${expressionText(node.high)})`;
    case "distinct-from":
      return `(${expressionText(node.left)} IS ${node.negated ? "NOT " : ""}DISTINCT FROM ${expressionText(node.right)})`;
    case "cast":
      return `${node.soft ? "TRY_CAST" : "CAST"}(${expressionText(node.item)} AS ${node.to}${node.args.length === 0 ? "" : `(${list(node.args)})`})`;
    case "alias":
      return `(${columnText(node)})`;
    case "placeholder":
      return `{${node.chain.join(".")}}`;
    case "columns":
      return node.regex === null ? `* EXCLUDE (${node.exclude.map(ident).join(", ")})` : `COLUMNS(${quotedText(node.regex)})`;
    case "positional":
      return `$${node.index}`;
    case "select":
    case "set":
      return `(${queryText(node)})`;
    default:
      return unreachable(node);
  }
};

const operand = (node: Expr): string =>
  ["field", "call", "element", "array", "tuple"].includes(node.kind) ? expressionText(node) : `(${expressionText(node)})`;

const paramsText = (params: readonly Expr[] | undefined): string => (params === undefined ? "" : `(${list(params)})`);

const list = (items: readonly Expr[]): string => items.map((item) => expressionText(item)).join(", ");

const quotedText = (text: string): string => `'${text.replaceAll(/['\\]/g, "\\$&").replaceAll("\n", "\\n")}'`;

const ident = (name: string): string => (/^[A-Za-z_$][\w$]*$|^\*$/.test(name) ? name : `\`${name.replaceAll(/[`\\]/g, "\\$&")}\``);

/** An expression as its author might have written it, which names a column without an alias; need not parse. */
export const expressionLabel = (node: Expr): string => {
  switch (node.kind) {
    case "constant":
      return typeof node.value === "string" ? `'${node.value.replaceAll(/['\\]/g, "\\$&")}'` : String(node.value);
    case "numeric-literal":
      return node.text;
    case "field":
      return node.chain.map((part) => (typeof part === "string" ? labelName(part) : part)).join(".");
    case "call": {
      const params = node.params === undefined ? "" : `(${labels(node.params)})`;
      return `${node.name}${params}(${node.distinct ? "DISTINCT " : ""}${labels(node.args)})`;
    }
    case "window":
      return `${node.name}(${labels(node.args)}) OVER ${typeof node.over === "string" ? node.over : "(…)"}`;
    case "lambda":
      return `${node.args.length === 1 ? node.args[0] : `(${node.args.join(", ")})`} -> ${expressionLabel(node.body)}`;
    case "array":
      return `[${labels(node.items)}]`;
    case "tuple":
      return `tuple(${labels(node.items)})`;
    case "and":
    case "or":
      return `${node.kind}(${labels(node.items)})`;
    case "not":
      return `not(${expressionLabel(node.item)})`;
    case "dict":
      return `{${node.items.map(([key, value]) => `${expressionLabel(key)}: ${expressionLabel(value)}`).join(", ")}}`;
    case "element":
      return `${expressionLabel(node.of)}[${expressionLabel(node.index)}]`;
    case "tuple-element":
      return `${expressionLabel(node.of)}.${node.index}`;
    case "compare":
      return `${COMPARISON_NAMES[node.op]}(${expressionLabel(node.left)}, ${expressionLabel(node.right)})`;
    case "arithmetic":
      return `${ARITHMETIC_NAMES[node.op]}(${expressionLabel(node.left)}, ${expressionLabel(node.right)})`;
    case "between":
      return `${expressionLabel(node.item)} ${node.negated ? "NOT " : ""}BETWEEN ${expressionLabel(node.low)} AND ${expressionLabel(node.high)}`;
    case "distinct-from":
      return `${expressionLabel(node.left)} IS ${node.negated ? "NOT " : ""}DISTINCT FROM ${expressionLabel(node.right)}`;
    case "cast":
      return `cast(${expressionLabel(node.item)}, '${node.to}')`;
    case "alias":
      return node.name;
    case "placeholder":
      return `{${node.chain.join(".")}}`;
    case "columns":
      return "*";
    case "positional":
      return `#${node.index}`;
    case "select":
    case "set":
      return "subquery";
    default:
      return unreachable(node);
  }
};

/** The name of a column of a SELECT: its alias, the end of a field's chain, or the expression itself. */
export const columnName = (node: Expr): string => {
  if (node.kind === "alias") return node.name;
  if (node.kind === "field") return String(node.chain.at(-1));
  if (node.kind === "element" && node.index.kind === "constant" && typeof node.index.value === "string") return node.index.value;
  return expressionLabel(node);
};

const labels = (items: readonly Expr[]): string => items.map(expressionLabel).join(", ");

const labelName = (name: string): string => (/^[A-Za-z_$][\w$]*$|^\*$/.test(name) ? name : `\`${name.replaceAll("`", "\\`")}\``);

const COMPARISON_NAMES = {
  "==": "equals",
  "!=": "notEquals",
  "<": "less",
  "<=": "lessOrEquals",
  ">": "greater",
  ">=": "greaterOrEquals",
  like: "like",
  "not like": "notLike",
  ilike: "ilike",
  "not ilike": "notILike",
  in: "in",
  "not in": "notIn",
  "=~": "match",
  "!~": "not match",
  "=~*": "match",
  "!~*": "not match",
} as const;

const ARITHMETIC_NAMES = { "+": "plus", "-": "minus", "*": "multiply", "/": "divide", "%": "modulo" } as const;
