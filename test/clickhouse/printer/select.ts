import type { Alias, Ast, Cte, Expr, Join, Select, SetQuery, TableSource } from "../../../lib/hogql/ast.ts";
import type { LowerOptions } from "../../../lib/hogql/options.ts";
import { expressionLabel } from "../../../lib/hogql/text.ts";
import { expr, order, window } from "./expr.ts";
import { type Kind, name } from "./piece.ts";
import { type Column, type Relation, tableRelation } from "./relations.ts";
import { type Scope, Unprintable } from "./scope.ts";

/** A query as ClickHouse's SQL, and its columns. */
export interface Printed {
  readonly sql: string;
  readonly columns: readonly Column[];
}

/** Prints a query as part of another, whose scope it sees. */
export const query = (scope: Scope, ast: Ast): Printed => (ast.kind === "set" ? setQuery(scope, ast) : select(scope, ast, "inner"));

/** Prints a whole query. */
export const outermost = (scope: Scope, ast: Ast): string =>
  ast.kind === "set" ? setQuery(scope, ast).sql : select(scope, ast, "outermost").sql;

export const emptyScope = (options: LowerOptions): Scope => ({
  options,
  relations: [],
  aliases: new Map(),
  ctes: new Map(),
  lambda: new Set(),
  outer: null,
  raw: false,
  windows: {},
});

/** The queries after the first see what the first one names in WITH, which ClickHouse is told by repeating it. */
const setQuery = (scope: Scope, node: SetQuery): Printed => {
  const first = query(scope, node.first);
  const shared = node.first.kind === "select" ? node.first.ctes : [];
  const rest = node.rest.map(({ operator, query: part }) => {
    const extended = part.kind === "select" && part.ctes.length === 0 ? { ...part, ctes: shared } : part;
    return ` ${operator} (${query(scope, extended).sql})`;
  });
  const limit = node.limit === null ? "" : ` LIMIT ${expr(scope, node.limit).sql}`;
  const offset = node.offset === null ? "" : ` OFFSET ${expr(scope, node.offset).sql}`;
  const body = `(${first.sql})${rest.join("")}`;
  return { sql: limit === "" && offset === "" ? body : `SELECT * FROM (${body})${limit}${offset}`, columns: first.columns };
};

const select = (outer: Scope, node: Select, place: "inner" | "outermost"): Printed => {
  const { scope: named, sql: ctes } = withCtes(outer, node.ctes);
  const sources = [...(node.from === null ? [] : [node.from]), ...node.joins].map((source) =>
    sourceOf(named, withDistinctIds(node, source)),
  );
  const aliases = new Map<string, Kind>([...named.aliases]);
  const scope: Scope = {
    ...named,
    relations: sources.map(({ relation }) => relation),
    aliases,
    outer: outer.relations.length > 0 || outer.aliases.size > 0 ? outer : null,
    lambda: outer.lambda,
    raw: false,
    windows: node.windows,
  };
  for (const alias of aliasesIn(node)) aliases.set(alias.name, "other");
  for (const alias of aliasesIn(node)) aliases.set(alias.name, kindOf(scope, alias));
  const columns = node.columns.flatMap((column) => selected(scope, column, place));
  const parts = [
    ctes,
    `SELECT ${node.distinct ? "DISTINCT " : ""}${columns.map(({ sql }) => sql).join(", ")}`,
    ...(sources.length === 0 ? [] : [`FROM ${fromSql(scope, node, sources)}`]),
    arrayJoin(scope, node),
    clause("WHERE", bothOf(node.prewhere, node.where)),
    groupBy(scope, node),
    clause("HAVING", node.having),
    windows(scope, node),
    clause("QUALIFY", node.qualify),
    node.orderBy.length === 0 ? "" : `ORDER BY ${order(scope, node.orderBy)}`,
    limitBy(scope, node),
    clause("LIMIT", node.limit),
    clause("OFFSET", node.offset),
  ];
  return { sql: parts.filter((part) => part !== "").join(" "), columns: columns.map(({ column }) => column) };

  function clause(word: string, item: Expr | null): string {
    return item === null ? "" : `${word} ${expr(scope, item).sql}`;
  }
};

/** PREWHERE says only when to filter, and ClickHouse has it for stored tables alone. */
const bothOf = (prewhere: Expr | null, where: Expr | null): Expr | null =>
  prewhere !== null && where !== null ? { kind: "and", items: [prewhere, where] } : (prewhere ?? where);

const withCtes = (outer: Scope, ctes: readonly Cte[]): { readonly scope: Scope; readonly sql: string } => {
  let scope: Scope = { ...outer, relations: [], aliases: new Map<string, Kind>() };
  const sql = ctes.map((cte) => {
    if (cte.scalar || (cte.query.kind !== "select" && cte.query.kind !== "set")) {
      const value = expr({ ...scope, relations: outer.relations }, cte.query);
      scope = { ...scope, aliases: new Map([...scope.aliases, [cte.name, value.kind]]) };
      return `${value.sql} AS ${name(cte.name)}`;
    }
    const { sql: inner, columns } = query(scope, cte.query);
    const renamed = columns.map((column, index) => ({ ...column, name: cte.columns?.[index] ?? column.name }));
    scope = { ...scope, ctes: new Map([...scope.ctes, [cte.name, renamed]]) };
    const list = cte.columns === null ? "" : ` (${cte.columns.map(name).join(", ")})`;
    return `${name(cte.name)}${list} AS (${inner})`;
  });
  return { scope, sql: sql.length === 0 ? "" : `WITH ${sql.join(", ")}` };
};

/** Naming `pdi` of a person joins its distinct_ids. */
const withDistinctIds = <T extends TableSource>(node: Select, source: T): T => {
  const { table } = source;
  if (table.kind !== "name" || table.chain.join(".") !== "persons" || !JSON.stringify(node).includes('"pdi"')) return source;
  return { ...source, alias: source.alias ?? "persons", table: { ...table, chain: ["persons_pdi"] } };
};

interface Source {
  readonly sql: string;
  readonly relation: Relation;
}

const sourceOf = (scope: Scope, source: TableSource | Join): Source => {
  if (source.sample !== null && source.sample !== 1) throw new Unprintable("SAMPLE of a part");
  const { table } = source;
  const known = table.kind === "name" ? named(scope, table, source.alias) : unnamed(scope, table, source.alias);
  if (source.columnAliases === null || table.kind === "name") return known;
  return renamed(scope, table, source.columnAliases, known.relation);
};

/** `(SELECT …) AS t (a, b)`. */
const renamed = (scope: Scope, table: Select | SetQuery, names: readonly string[], relation: Relation): Source => {
  const columns = relation.columns.map((column, index) => ({ ...column, name: names[index] ?? column.name }));
  const list = relation.columns.map((column, index) => `${name(column.name)} AS ${name(names[index] ?? column.name)}`);
  return {
    sql: `(SELECT ${list.join(", ")} FROM (${query(scope, table).sql})) AS ${name(relation.name)}`,
    relation: { ...relation, columns },
  };
};

const named = (scope: Scope, table: Extract<TableSource["table"], { kind: "name" }>, alias: string | null): Source => {
  const [own = ""] = table.chain;
  const as = alias ?? own;
  const cte = table.args === null ? scope.ctes.get(own) : undefined;
  if (cte !== undefined) return { sql: `${name(own)} AS ${name(as)}`, relation: { name: as, columns: cte } };
  const relation = tableRelation(table.chain.join("."), as);
  if (relation === undefined) throw new Unprintable(`there is no table ${own}`);
  const args = table.args === null ? "" : `(${table.args.map((arg) => expr(scope, arg).sql).join(", ")})`;
  return { sql: `${args === "" ? name(own) : own}${args} AS ${name(as)}`, relation };
};

const unnamed = (scope: Scope, table: Select | SetQuery, alias: string | null): Source => {
  const { sql, columns } = query(scope, table);
  return { sql: `(${sql})${alias === null ? "" : ` AS ${name(alias)}`}`, relation: { name: alias ?? "", columns } };
};

const fromSql = (scope: Scope, node: Select, sources: readonly Source[]): string =>
  sources
    .map(({ sql }, index) => {
      const join = node.joins[index - 1];
      if (join === undefined) return sql;
      const on = join.on === null ? "" : ` ON ${expr({ ...scope, raw: true }, join.on).sql}`;
      const using = join.using === null ? "" : ` USING (${join.using.map(name).join(", ")})`;
      return ` ${join.join} ${sql}${on}${using}`;
    })
    .join("");

const arrayJoin = (scope: Scope, { arrayJoin: joined }: Select): string => {
  if (joined === null) return "";
  const items = joined.items.map(
    ({ name: as, item }) => `${expr({ ...scope, aliases: without(scope.aliases, as) }, item).sql} AS ${name(as)}`,
  );
  return `${joined.left ? "LEFT " : ""}ARRAY JOIN ${items.join(", ")}`;
};

const without = (aliases: ReadonlyMap<string, Kind>, one: string): ReadonlyMap<string, Kind> =>
  new Map([...aliases].filter(([alias]) => alias !== one));

const groupBy = (scope: Scope, node: Select): string => {
  if (node.groupBy === null) return "";
  if (node.groupBy === "all") return "GROUP BY ALL";
  const keys = node.groupBy.map((item) => expr(scope, item).sql).join(", ");
  if (node.subtotals !== undefined) return `GROUP BY ${node.subtotals.toUpperCase()}(${keys})`;
  return node.groupBy.length === 0 ? "" : `GROUP BY ${keys}`;
};

const windows = (scope: Scope, node: Select): string => {
  const named = Object.entries(node.windows).map(([as, one]) => `${name(as)} AS (${window(scope, one)})`);
  return named.length === 0 ? "" : `WINDOW ${named.join(", ")}`;
};

const limitBy = (scope: Scope, { limitBy: limit }: Select): string => {
  if (limit === null) return "";
  const offset = limit.offset === null ? "" : ` OFFSET ${expr(scope, limit.offset).sql}`;
  return `LIMIT ${expr(scope, limit.n).sql}${offset} BY ${limit.by.map((item) => expr(scope, item).sql).join(", ")}`;
};

/** Aliases wherever they stand: ClickHouse, as the language, sees all of them everywhere in the SELECT. */
const aliasesIn = (node: Select): readonly Alias[] => {
  const found: Alias[] = [...(node.arrayJoin?.items ?? [])];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item);
      return;
    }
    if (!isNode(value) || value.kind === "select" || value.kind === "set" || value.kind === "lambda") return;
    if (isAlias(value)) found.push(value);
    for (const inner of Object.values(value)) visit(inner);
  };
  visit([node.columns, node.prewhere, node.where, node.groupBy, node.having]);
  return found;
};

const isNode = (value: unknown): value is { readonly kind?: unknown } => typeof value === "object" && value !== null;

/** Only expressions of a tree have this kind, and they all have its fields. */
const isAlias = (value: { readonly kind?: unknown }): value is Alias => value.kind === "alias";

const kindOf = (scope: Scope, alias: Alias): Kind => {
  try {
    return expr({ ...scope, aliases: without(scope.aliases, alias.name) }, alias.item).kind;
  } catch {
    return "other";
  }
};

interface Selected {
  readonly sql: string;
  readonly column: Column;
}

/** A column of the list; `*` is written out, and inside a query every column has a name. */
const selected = (scope: Scope, node: Expr, place: "inner" | "outermost"): readonly Selected[] => {
  if (node.kind === "columns") {
    const regex = node.regex === null ? null : new RegExp(node.regex);
    return starOf(scope, scope.relations).filter(
      ({ column }) => !node.exclude.includes(column.name) && (regex === null || regex.test(column.name)),
    );
  }
  if (node.kind === "field" && node.chain.at(-1) === "*") {
    const [table] = node.chain;
    return starOf(scope, node.chain.length === 1 ? scope.relations : scope.relations.filter((relation) => relation.name === table));
  }
  const item = node.kind === "alias" ? node.item : node;
  const as = nameOf(node);
  const piece = expr(node.kind === "alias" ? { ...scope, aliases: aliasOnly(scope, node.name) } : scope, item);
  const owner = piece.json?.path.length === 0 ? piece.json.owner : null;
  const column: Column = { name: as, kind: piece.kind, ...(owner === null ? {} : { json: owner }) };
  const wanted = node.kind === "alias" || (place === "inner" && !scope.aliases.has(as));
  return [{ sql: wanted ? `${piece.sql} AS ${name(as)}` : piece.sql, column }];
};

/** Inside its own definition a name means the column. */
const aliasOnly = (scope: Scope, alias: string): ReadonlyMap<string, Kind> => without(scope.aliases, alias);

const starOf = (scope: Scope, relations: readonly Relation[]): readonly Selected[] =>
  relations.flatMap((relation) =>
    (relation.star ?? relation.columns.map((column) => column.name)).map((one): Selected => {
      const column = relation.columns.find((known) => known.name === one);
      if (column === undefined) throw new Unprintable(`there is no ${one}`);
      const table = scope.relations.length > 1 && relation.name !== "" ? `${name(relation.name)}.` : "";
      return { sql: `${table}${name(one)}`, column };
    }),
  );

const nameOf = (node: Expr): string => {
  if (node.kind === "alias") return node.name;
  if (node.kind === "field") return String(node.chain.at(-1));
  if (node.kind === "element" && node.index.kind === "constant" && typeof node.index.value === "string") return node.index.value;
  return expressionLabel(node);
};
