import type { Ast, Expr, Join, JoinKind, Select, SetOperator, SetQuery, TableSource } from "../../hogql/ast.ts";
import { compilePattern } from "../../hogql/regex.ts";
import { columnName } from "../../hogql/text.ts";
import { isPosition, isStar, selectAliases, someNode } from "../../hogql/walk.ts";
import type { WantedRows } from "../../hogql/wanted-rows.ts";
import { readableJson } from "../sql/readable-json.ts";
import { compare } from "./compare.ts";
import { atPosition, condition, expr, order, window } from "./expr.ts";
import { isAggregate, UNTUPLE } from "./functions.ts";
import { type Piece, piece } from "./piece.ts";
import {
  type Alias,
  type Column,
  type ColumnKind,
  type Ctes,
  type NamedQuery,
  newScope,
  type Printed,
  type Scope,
  withoutAlias,
} from "./scope.ts";
import type { Statement } from "./statement.ts";
import { findTable, numbersRelation } from "./tables/find-table.ts";
import { follow, type Relation, value } from "./tables/relation.ts";
import { Unprintable } from "./unprintable.ts";

/** How many rows of a query are wanted; of a query within another, what its own LIMIT and OFFSET say. */
type Rows = Pick<WantedRows, "limit" | "offset">;

/** Prints a query that may name what WITH has named. */
export const query = (statement: Statement, ctes: Ctes, ast: Ast, rows?: Rows): Printed =>
  ast.kind === "set" ? setQuery(statement, ctes, ast, rows) : select(statement, ctes, ast, rows);

/** All columns of a query, which stands as a value or as one of several queries. */
export const wholeQuery = (statement: Statement, ctes: Ctes, ast: Ast): Printed => {
  const printed = query(statement, ctes, ast);
  for (const column of printed.columns) column.use();
  return printed;
};

const OPERATORS: Readonly<Record<SetOperator, string>> = {
  "UNION ALL": "UNION ALL",
  "UNION DISTINCT": "UNION DISTINCT",
  INTERSECT: "INTERSECT ALL",
  "INTERSECT DISTINCT": "INTERSECT DISTINCT",
  "INTERSECT ALL": "INTERSECT ALL",
  EXCEPT: "EXCEPT ALL",
  "EXCEPT ALL": "EXCEPT ALL",
};

/** The queries after the first see what the first one names in WITH. */
const setQuery = (statement: Statement, ctes: Ctes, node: SetQuery, rows?: Rows): Printed => {
  const first = wholeQuery(statement, ctes, node.first);
  const shared = node.first.kind === "select" ? withCtes(statement, ctes, node.first) : ctes;
  const rest = node.rest.map(({ operator, query: part }) => ({ operator, printed: wholeQuery(statement, shared, part) }));
  const columns = first.columns.map((column) => ({ ...column, use: () => ({ kind: column.use().kind, owners: null }) }));
  const window = rows ?? ownRows(statement, node);
  return {
    columns,
    sql: () => {
      const body = `(${first.sql()})${rest.map(({ operator, printed }) => ` ${OPERATORS[operator]} (${printed.sql()})`).join("")}`;
      return window === undefined ? body : `SELECT * FROM (${body})${rowsSql(window)}`;
    },
  };
};

const rowsSql = ({ limit, offset }: { readonly limit?: bigint; readonly offset: bigint }): string =>
  `${limit === undefined ? "" : ` LIMIT ${limit}`}${offset === 0n ? "" : ` OFFSET ${offset}`}`;

const ownRows = ({ count }: Statement, { limit, offset }: Pick<Select, "limit" | "offset">) =>
  limit === null && offset === null
    ? undefined
    : { ...(limit === null ? {} : { limit: count(limit, "LIMIT") }), offset: offset === null ? 0n : count(offset, "OFFSET") };

const select = (statement: Statement, outer: Ctes, node: Select, rows?: Rows): Printed => {
  const ctes = withCtes(statement, outer, node);
  const { scope, sources } = fromSources(statement, ctes, node);
  const selectedColumns = selected(scope, node, rows !== undefined);
  refuseShifting(node, isClosed(node, rows !== undefined));
  const arrays = arrayJoin(scope, node);
  const below = { ...scope, noAggregates: true };
  const where = [node.prewhere, node.where].filter((part) => part !== null).map((part) => condition(below, part));
  const after = [
    groupBy(scope, node),
    clause("HAVING", node.having),
    windows(scope, node),
    clause("QUALIFY", node.qualify),
    node.orderBy.length === 0 ? "" : `ORDER BY ${order(scope, node.orderBy)}`,
    limitBy(scope, node),
  ];
  const window = rows ?? ownRows(statement, node);
  const parts = (): readonly string[] => [
    `SELECT ${node.distinct ? "DISTINCT " : ""}${list(selectedColumns)}`,
    ...(sources.length === 0 ? [] : [`FROM ${sources.map((source) => source()).join("")}`]),
    arrays,
    where.length === 0 ? "" : `WHERE ${where.join(" AND ")}`,
    ...after,
  ];
  return {
    columns: selectedColumns.map(({ column }) => column),
    sql: () =>
      `${parts()
        .filter((part) => part !== "")
        .join(" ")}${window === undefined ? "" : rowsSql(window)}`,
  };

  function clause(word: string, item: Expr | null): string {
    return item === null ? "" : `${word} ${condition(scope, item)}`;
  }
};

const list = (columns: readonly Selected[]): string => {
  const used = columns.flatMap((column) => (column.isUsed() ? [column.sql()] : []));
  return used.length === 0 ? "1 AS one" : used.join(", ");
};

const withCtes = (statement: Statement, outer: Ctes, { ctes }: Select): Ctes => {
  let all = outer;
  for (const cte of ctes) {
    const { query: inner } = cte;
    const before = all;
    let known: ReturnType<NamedQuery["table"]> | undefined;
    const table = (): ReturnType<NamedQuery["table"]> => {
      if (inner.kind !== "select" && inner.kind !== "set") throw new Unprintable(`${cte.name} is no query`);
      if (known !== undefined) return known;
      const printed = query(statement, before, inner);
      const name = statement.define(() => printed.sql(), cte.once === true);
      known = { name, printed };
      return known;
    };
    all = new Map([...before, [cte.name, { cte, before, table }]]);
  }
  return all;
};

/** A relation, and what stands for it after FROM. */
const sourceRelation = (scope: Scope, source: TableSource): Relation => {
  if (source.sample !== null && source.sample !== 1) throw new Unprintable("SAMPLE of a part");
  const { table, alias, columnAliases } = source;
  const { statement, ctes } = scope;
  if (table.kind !== "name") return queryRelation(statement, query(statement, ctes, table), alias, columnAliases);
  const [own = ""] = table.chain;
  const cte = table.args === null && table.chain.length === 1 ? ctes.get(own) : undefined;
  if (cte !== undefined && !cte.cte.scalar) {
    const { name, printed } = cte.table();
    return queryRelation(statement, printed, alias ?? own, columnAliases ?? cte.cte.columns, () => name);
  }
  const called = table.chain.join(".");
  if (called === "numbers" && table.args !== null)
    return numbersRelation(
      statement,
      alias ?? called,
      table.args.map((arg) => expr(scope, arg).sql),
    );
  const rows = table.args === null ? statement.options.tables?.get(called)?.rows : undefined;
  if (rows !== undefined) return queryRelation(statement, query(statement, new Map(), rows), alias ?? called, columnAliases);
  const found = table.args === null ? findTable(statement, called, alias ?? called) : undefined;
  if (found === undefined) throw new Unprintable(`there is no table ${called}`);
  return found;
};

/** A query in FROM; of two columns of one name the first is meant. */
const queryRelation = (
  { alias }: Statement,
  printed: Printed,
  name: string | null,
  columnNames: readonly string[] | null,
  text: () => string = () => `(${printed.sql()})`,
): Relation => {
  const table = alias();
  const byName = new Map<string, Column>();
  for (const [index, column] of printed.columns.entries()) {
    const called = columnNames?.[index] ?? column.name;
    if (!byName.has(called)) byName.set(called, column);
  }
  return {
    name,
    star: [...byName.keys()],
    member: (called) => {
      const column = byName.get(called);
      if (column === undefined) return undefined;
      const { kind, owners, document: beside } = column.use();
      const sql = `${table}.${column.as}`;
      const document = (): string => (beside === undefined ? readableJson(sql) : `${table}.${beside()}`);
      return value(owners === null ? piece(sql, kind) : { sql, kind, json: { owners, path: [], column: () => sql, document } });
    },
    from: () => `${text()} AS ${table}`,
  };
};

const JOIN_WORDS: Readonly<Record<JoinKind, string>> = {
  JOIN: "INNER JOIN",
  "INNER JOIN": "INNER JOIN",
  "LEFT JOIN": "LEFT JOIN",
  "LEFT OUTER JOIN": "LEFT JOIN",
  "RIGHT JOIN": "RIGHT JOIN",
  "RIGHT OUTER JOIN": "RIGHT JOIN",
  "FULL JOIN": "FULL JOIN",
  "FULL OUTER JOIN": "FULL JOIN",
  "CROSS JOIN": "CROSS JOIN",
  "ASOF JOIN": "ASOF JOIN",
  "ASOF INNER JOIN": "ASOF JOIN",
  "ASOF LEFT JOIN": "ASOF LEFT JOIN",
  "LEFT ASOF JOIN": "ASOF LEFT JOIN",
  "LEFT SEMI JOIN": "LEFT SEMI JOIN",
  "LEFT ANTI JOIN": "LEFT ANTI JOIN",
};

/** The scope of a SELECT, and its FROM and joins, whose texts are asked for once everything that names columns is printed. */
const fromSources = (
  statement: Statement,
  ctes: Ctes,
  node: Select,
): { readonly scope: Scope; readonly sources: readonly (() => string)[] } => {
  let scope: Scope = { ...newScope(statement, ctes), windows: node.windows, columns: node.columns };
  scope = { ...scope, aliases: aliasesOf(node, () => scope) };
  if (node.from === null) return { scope, sources: [] };
  const first = sourceRelation(scope, node.from);
  scope = { ...scope, relations: [first] };
  const sources = [first.from];
  for (const join of node.joins) {
    const left = scope;
    const relation = sourceRelation(left, join);
    scope = { ...left, relations: [...left.relations, relation] };
    const using = usingConditions(left, relation, join);
    scope = { ...scope, merged: new Map([...using.merged, ...scope.merged]) };
    const conditions = [...(join.on === null ? [] : [condition({ ...scope, noAggregates: true }, join.on)]), ...using.conditions];
    const on = conditions.length === 0 ? "" : ` ON ${conditions.join(" AND ")}`;
    sources.push(() => ` ${JOIN_WORDS[join.join]} ${relation.from()}${on}`);
  }
  return { scope, sources };
};

/** The last column of an ASOF join is met by the nearest before it. */
const usingConditions = (left: Scope, right: Relation, { join, using }: Join) => {
  const names = using ?? [];
  const pairs = names.map((name, index) => {
    const a = left.merged.get(name) ?? expr(left, { kind: "field", chain: [name] });
    const b = expr({ ...left, relations: [right] }, { kind: "field", chain: [name] });
    const nearest = join.includes("ASOF") && index === names.length - 1;
    const merged = /^(RIGHT|FULL)/.test(join) ? piece(`coalesce(${a.sql}, ${b.sql})`, a.kind) : a;
    return { name, merged, condition: compare(left.statement, nearest ? ">=" : "==", a, b, "condition") };
  });
  return { conditions: pairs.map((pair) => pair.condition), merged: pairs.map((pair) => [pair.name, pair.merged] as const) };
};

/** The names that a SELECT gives, each printed once, when it is first needed. */
const aliasesOf = (node: Select, scope: () => Scope): ReadonlyMap<string, Alias> => {
  const alias = (name: string, item: Expr): Alias => {
    let known: Piece | undefined;
    let isOpen = false;
    const printed = (): Piece => {
      if (known !== undefined) return known;
      // Of two that are defined in terms of each other, neither says what the other is.
      if (isOpen) return piece("");
      isOpen = true;
      known = expr(withoutAlias(scope(), name), item);
      return known;
    };
    return { item, piece: printed, aggregates: someNode(item, isAggregate) };
  };
  const given = [...selectAliases(node)].map(([name, item]) => [name, alias(name, item)] as const);
  const arrays = (node.arrayJoin?.items ?? []).map(({ name, item }): [string, Alias] => [
    name,
    { item, piece: () => piece(""), aggregates: false },
  ]);
  return new Map([...given, ...arrays]);
};

const arrayJoin = (scope: Scope, { arrayJoin: joined }: Select): string => {
  if (joined === null) return "";
  const items = joined.items.map(({ name, item }) => `${expr(withoutAlias(scope, name), item).sql} AS ${scope.statement.name(name)}`);
  return `${joined.left ? "LEFT " : ""}ARRAY JOIN ${items.join(", ")}`;
};

const groupBy = (scope: Scope, node: Select): string => {
  if (node.groupBy === null) return "";
  if (node.groupBy === "all") return "GROUP BY ALL";
  const keys = node.groupBy.map((item) => key({ ...scope, noAggregates: true }, item)).join(", ");
  if (node.subtotals !== undefined) return `GROUP BY ${node.subtotals === "cube" ? "CUBE" : "ROLLUP"}(${keys})`;
  return node.groupBy.length === 0 ? "" : `GROUP BY ${keys}`;
};

const key = (scope: Scope, item: Expr): string => (isPosition(item) ? atPosition(scope, Number(item.value)) : expr(scope, item)).sql;

const windows = (scope: Scope, node: Select): string => {
  const named = Object.entries(node.windows).map(([as, one]) => `${scope.statement.name(as)} AS (${window(scope, one)})`);
  return named.length === 0 ? "" : `WINDOW ${named.join(", ")}`;
};

const limitBy = (scope: Scope, { limitBy: limit }: Select): string => {
  if (limit === null) return "";
  const { count } = scope.statement;
  const offset = limit.offset === null ? "" : ` OFFSET ${count(limit.offset, "OFFSET")}`;
  return `LIMIT ${count(limit.n, "LIMIT")}${offset} BY ${limit.by.map((item) => key(scope, item)).join(", ")}`;
};

interface Selected {
  readonly column: Column;
  readonly isUsed: () => boolean;
  readonly sql: () => string;
}

/** All columns of the list are computed, and not only those that are named around the query. */
const isClosed = (node: Select, isOutermost: boolean): boolean => isOutermost || node.distinct || node.groupBy !== null;

/** Where a `*` is printed in part, ORDER BY would count other columns than the query has. */
const refuseShifting = ({ columns, orderBy }: Select, isWhole: boolean): void => {
  if (!isWhole && columns.some(isStar) && orderBy.some(({ expr: item }) => isPosition(item)))
    throw new Unprintable("a position beside a * that is printed in part");
};

/** The columns of the list, with `*` written out: of those, only the ones that are named around the query are computed. */
const selected = (scope: Scope, node: Select, isOutermost: boolean): readonly Selected[] => {
  const taken = new Set<string>();
  const closed = isClosed(node, isOutermost);
  return node.columns.flatMap((column) => {
    if (!isOutermost && isUntuple(column)) throw new Unprintable("untuple in a query within another");
    const stars = starFields(scope, column);
    if (stars === undefined) return [listed(scope, column, taken, closed)];
    return stars.map((star) => {
      const one = starColumn(scope, star, taken, closed);
      if (closed) one.column.use();
      return one;
    });
  });
};

const isUntuple = (node: Expr): boolean => (node.kind === "alias" ? isUntuple(node.item) : node.kind === "call" && node.name === UNTUPLE);

/** One column of a `*`: how its value is read, once it is wanted. */
interface StarField {
  readonly name: string;
  readonly read: () => Piece;
}

const starFields = (scope: Scope, node: Expr): readonly StarField[] | undefined => {
  if (node.kind === "field" && node.chain.at(-1) === "*") return allFields(scope, node.chain.length > 1 ? String(node.chain[0]) : null);
  if (node.kind !== "columns") return undefined;
  const regex = node.regex === null ? null : compilePattern(node.regex);
  // Its steps were counted when the query was lowered for the other engine.
  const budget = { steps: Number.POSITIVE_INFINITY };
  return allFields(scope, null).filter(({ name }) => !node.exclude.includes(name) && (regex === null || regex.isIn(name, budget)));
};

/** A column of USING stands in the list once. */
const allFields = ({ statement, relations, merged }: Scope, table: string | null): readonly StarField[] => {
  const seen = new Set<string>();
  return relations
    .filter(({ name }) => table === null || name === table)
    .flatMap(({ star, member }) =>
      star.flatMap((name): readonly StarField[] => {
        const one = table === null ? merged.get(name) : undefined;
        if (one !== undefined && seen.has(name)) return [];
        seen.add(name);
        return [{ name, read: () => one ?? follow(statement, member, [name]) ?? piece("NULL", "null") }];
      }),
    );
};

const starColumn = (scope: Scope, { name, read }: StarField, taken: Set<string>, isClosed: boolean): Selected => {
  const as = outputName(scope, name, taken);
  let known: Piece | undefined;
  const used = (): Piece => {
    known ??= read();
    return known;
  };
  return { ...columnOf(scope, name, as, used, isClosed), isUsed: () => known !== undefined };
};

/** A column with its value and, once that is asked for, with the document that this is the text of beside it. */
const columnOf = ({ statement }: Scope, name: string, as: string, read: () => Piece, isClosed: boolean): Omit<Selected, "isUsed"> => {
  let beside: { readonly as: string; readonly sql: string } | undefined;
  const use = (): ColumnKind => {
    const { kind, json } = read();
    if (json?.path.length !== 0) return { kind, owners: null };
    const document = (): string => {
      beside ??= { as: statement.alias(), sql: json.document() };
      return beside.as;
    };
    return { kind, owners: json.owners, ...(isClosed ? {} : { document }) };
  };
  return {
    column: { name, as, use },
    sql: () => `${read().sql} AS ${as}${beside === undefined ? "" : `, ${beside.sql} AS ${beside.as}`}`,
  };
};

const listed = (scope: Scope, node: Expr, taken: Set<string>, isClosed: boolean): Selected => {
  const called = columnName(node);
  const alias = node.kind === "alias" ? scope.aliases.get(node.name) : undefined;
  const isAlias = node.kind === "alias" && alias?.item === node.item;
  const own = node.kind === "alias" ? expr(withoutAlias(scope, node.name), node.item) : expr(scope, node);
  const printed = isAlias ? alias.piece() : own;
  const as = isAlias && !taken.has(called) ? scope.statement.name(called) : outputName(scope, called, taken);
  taken.add(called);
  return { ...columnOf(scope, called, as, () => printed, isClosed), isUsed: () => true };
};

/** The name of a column that is no alias: one of its own where another has it, or something else that the SELECT names. */
const outputName = ({ statement, aliases }: Scope, name: string, taken: Set<string>): string => {
  if (aliases.has(name) || taken.has(name)) return statement.alias();
  taken.add(name);
  return statement.name(name);
};
