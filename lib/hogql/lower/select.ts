import { AT, type Cte, type Expr, type OrderItem, type Select, type SetQuery, type TableSource } from "../ast.ts";
import { applyFacts, compared } from "../compare.ts";
import { QueryError } from "../errors.ts";
import type { Expression, Fact } from "../expression.ts";
import type { Run } from "../run.ts";
import type { Member, Relation } from "../schema/relation.ts";
import { tableOf } from "../schema/tables.ts";
import { textOf } from "../text.ts";
import { defaultOf } from "../types.ts";
import { aliasesOf } from "./aliases.ts";
import { orderItemSql } from "./calls.ts";
import { atPosition, condition, expr } from "./expr.ts";
import { follow } from "./fields.ts";
import { type Ctes, cteNames, findCte, type Scope, type Subquery } from "./scope.ts";
import { lowerSet } from "./set.ts";
import { subqueryRelation } from "./subquery.ts";

/** A column of a query: its name, and what stands behind it inside of that query. */
export interface DraftColumn {
  readonly name: string;
  member(): Member;
}

/** A query, lowered except for its list of columns: those may still be asked for by the query around it. */
export interface Draft {
  readonly columns: readonly DraftColumn[];
  /** Every column is in the list, in order; none can be added. */
  readonly closed: boolean;
  /** Rows that fail a condition on this column may be left out at the scans below. */
  passes(expression: Expression): boolean;
  /** Puts an expression in the list; the name it has there. */
  output(expression: Expression): string;
  print(rows?: RowWindow): string;
}

/** The part of a query's rows that is wanted: text after LIMIT and OFFSET. */
export interface RowWindow {
  readonly limit: string;
  readonly offset: string | null;
}

export const lowerQuery = (run: Run, node: Select | SetQuery, ctes: Ctes | null, lazy: boolean): Draft =>
  node.kind === "select" ? lowerSelect(run, node, ctes, lazy) : lowerSet(run, node, ctes);

const withCtes = (own: readonly Cte[], before: Ctes | null): Ctes | null =>
  own.reduce<Ctes | null>((frame, cte) => ({ cte, before: frame }), before);

const lowerSelect = (run: Run, node: Select, outer: Ctes | null, lazy: boolean): Draft => {
  const ctes = withCtes(node.ctes, outer);
  const relations: Relation[] = [];
  const scope: Scope = {
    run,
    relations,
    ctes,
    aliases: aliasesOf(node),
    open: new Set(),
    lowered: new Map(),
    lambdas: [],
    windows: node.windows,
    columns: node.columns,
    arrayJoins: new Map(),
    samples: [],
    groupKeys: null,
    noAggregates: null,
    subquery: (query) => standing(run, query, ctes),
  };
  const joins = lowerFrom(scope, node);
  const arrays = arrayJoins(scope, node);
  const where = lowerWhere(scope, node);
  const groups = lowerGroups(scope, node);
  if (groups !== null) {
    scope.lowered.clear();
    scope.groupKeys = new Set(groups.map(({ sql }) => sql));
  }
  const columns = columnsOf(scope, node);
  const eager = columns.map((column) => (column.lazy ? undefined : column.expression()));
  const having = node.having === null ? null : condition(scope, node.having);
  const orderBy = node.orderBy.map((item) => ({ item, expression: orderExpression(scope, item, node) }));
  const qualify = node.qualify === null ? null : condition(scope, node.qualify);
  const parts = [...eager.filter((column) => column !== undefined), ...orderBy.map(({ expression }) => expression)];
  const grouped = groups !== null || having !== null || parts.some((part) => part.aggregate);
  const lowered = grouped ? columns.map((column) => column.expression()) : eager;
  if (grouped) for (const [index, column] of lowered.entries()) refuseLoose(column, node.columns[index]);
  if (grouped) for (const { item, expression } of orderBy) refuseLoose(expression, item.expr);
  const limitBy = lowerLimitBy(scope, node, orderBy);
  const outputs = new Map<string, string>();
  const list: string[] = [];
  const positions = new Map<string, number>();
  const add = (sql: string): string => {
    const name = `c${list.length + 1}`;
    list.push(`${sql} AS ${name}`);
    if (!positions.has(sql)) positions.set(sql, list.length);
    return name;
  };
  /** What is in the list already is named by its position: shorter, and planned once. */
  const listed = (sql: string): string => String(positions.get(sql) ?? sql);
  const output = (expression: Expression): string => {
    const known = outputs.get(expression.sql) ?? add(expression.sql);
    outputs.set(expression.sql, known);
    return known;
  };
  const closed = !lazy || grouped || node.distinct;
  if (closed) for (const column of columns) add(column.expression().sql);
  else for (const column of lowered) if (column?.window || column?.aggregate) output(column);
  const windowed = limitBy !== null || qualify !== null || node.limit !== null || node.offset !== null || parts.some((part) => part.window);
  const ownRows = rowWindow(scope, node);
  const print = (rows?: RowWindow): string => {
    const window = rows ?? ownRows;
    const sorted = orderBy.filter(({ expression }) => expression.known === undefined);
    const needsOrder = sorted.length > 0;
    return [
      `SELECT ${node.distinct ? "DISTINCT " : ""}${list.length === 0 ? "1" : list.join(", ")}`,
      ...(joins.length === 0 ? [] : [`FROM ${joins.map((text) => text()).join(" ")}`]),
      ...(joins.length === 0 && (arrays.length > 0 || scope.arrayJoins.size > 0) ? ["FROM (SELECT 1)"] : []),
      ...arrays,
      ...[...scope.arrayJoins.values()].map(({ join }) => join),
      ...(where === null ? [] : [`WHERE ${where.sql}`]),
      ...(groups === null ? [] : groups.length === 0 ? [] : [`GROUP BY ${groups.map(({ sql }) => listed(sql)).join(", ")}`]),
      ...(having === null ? [] : [`HAVING ${having.sql}`]),
      ...(limitBy === null && qualify === null
        ? []
        : [`QUALIFY ${[qualify?.sql, limitBy].filter((text) => text !== null && text !== undefined).join(" AND ")}`]),
      ...(needsOrder ? [`ORDER BY ${sorted.map(({ item, expression }) => orderItemSql(listed(expression.sql), item)).join(", ")}`] : []),
      ...(window === null ? [] : [`LIMIT ${window.limit}`, ...(window.offset === null ? [] : [`OFFSET ${window.offset}`])]),
    ].join(" ");
  };
  return {
    columns: columns.map((column) => ({ name: column.name, member: column.member })),
    closed,
    passes: ({ sql }) => !windowed && (!grouped || scope.groupKeys?.has(sql) === true),
    output,
    print,
  };
};

/** A subquery that stands as a value: closed, with its columns named c1, c2, …. */
const standing = (run: Run, query: Select | SetQuery, ctes: Ctes | null): Subquery => {
  const draft = lowerQuery(run, query, ctes, false);
  return { sql: draft.print(), columns: draft.columns.map((column) => ({ name: column.name, expression: whole(run, column.member()) })) };
};

/** A member as a value. */
export const whole = (run: Run, member: Member): Expression => follow(run, member, [], []);

const lowerFrom = (scope: Scope, node: Select): readonly (() => string)[] => {
  if (node.from === null) return [];
  const first = lowerSource(scope, node.from);
  scope.relations.push(first);
  const texts: (() => string)[] = [first.from];
  for (const join of node.joins) {
    const relation = lowerSource(scope, join);
    const left = [...scope.relations];
    scope.relations.push(relation);
    const on = join.on === null ? null : condition({ ...scope, noAggregates: "ON" }, join.on);
    const using = join.using === null ? [] : join.using.map((name) => usingSql(scope, left, relation, name));
    const conditions = [...(on === null ? [] : [on.sql]), ...using];
    if (on !== null && (join.join === "JOIN" || join.join === "INNER JOIN")) applyFacts(on.facts ?? []);
    const kind = join.join
      .replace("OUTER ", "")
      .replace("LEFT ASOF", "ASOF LEFT")
      .replace(/^LEFT (SEMI|ANTI)/, "$1");
    if (conditions.length === 0 && join.join !== "CROSS JOIN") {
      throw new QueryError("invalid_input", `A ${join.join} needs ON or USING.`, join[AT]);
    }
    texts.push(() => `${kind} ${grouping(relation)}${conditions.length === 0 ? "" : ` ON ${conditions.join(" AND ")}`}`);
  }
  return texts;
};

/** A relation that joins others by itself goes in brackets when it is joined in turn. */
const grouping = (relation: Relation): string => {
  const text = relation.from();
  return text.startsWith("(") || !text.includes(" JOIN ") ? text : `(${text})`;
};

const usingSql = (scope: Scope, left: readonly Relation[], right: Relation, name: string): string => {
  const sides = [left.map((relation) => relation.member(name)).find((member) => member !== undefined), right.member(name)];
  const [a, b] = sides.map((member) => (member === undefined ? undefined : whole(scope.run, member)));
  if (a === undefined || b === undefined)
    throw new QueryError("unknown_field", `The column \`${name}\` of USING is not on both sides of the join.`);
  return compared(scope.run, "==", a, b, "filter").sql;
};

const lowerSource = (scope: Scope, source: TableSource): Relation => {
  const relation = unsampled(scope, source);
  if (source.sample === null || source.sample === 1) return relation;
  const id = relation.member("distinct_id");
  if (id?.kind !== "value") throw new QueryError("unsupported", "SAMPLE works on `events` only.", source[AT]);
  scope.samples.push(`hash(${id.expression.sql}) % 1000000 < ${Math.round(source.sample * 1_000_000)}`);
  return relation;
};

const unsampled = (scope: Scope, source: TableSource): Relation => {
  const { run, ctes } = scope;
  const { table } = source;
  if (table.kind !== "name")
    return subqueryRelation(run, lowerQuery(run, table, ctes, run.options.checking !== true), source.alias, source.columnAliases);
  const name = table.chain.join(".");
  const cte = table.args === null ? findCte(ctes, name) : null;
  if (cte !== null && (cte.cte.query.kind === "select" || cte.cte.query.kind === "set")) {
    const draft = lowerQuery(run, cte.cte.query, cte.before, run.options.checking !== true);
    return subqueryRelation(run, draft, source.alias ?? name, source.columnAliases ?? cte.cte.columns);
  }
  const args = table.args?.map((arg) => expr(scope, arg)) ?? null;
  return tableOf(run, table.chain, source.alias, args, { known: cteNames(ctes), position: source[AT] });
};

/** ARRAY JOIN: several arrays move together; LEFT keeps a row whose arrays are empty. */
const arrayJoins = (scope: Scope, node: Select): readonly string[] => {
  if (node.arrayJoin === null) return [];
  const { left, items } = node.arrayJoin;
  const table = scope.run.fresh("a");
  const arrays = items.map((item) => ({ name: item.name, array: expr({ ...scope, noAggregates: "ARRAY JOIN" }, item.item) }));
  const texts = arrays.map(({ array }) => {
    const of = array.type.kind === "array" ? array.type.of : null;
    return left ? `CASE WHEN len(${array.sql}) = 0 THEN [${of === null ? "NULL" : defaultOf(of)}] ELSE ${array.sql} END` : array.sql;
  });
  const columns = new Map<string, Expression>(
    arrays.map(({ name, array }, index) => {
      const type = array.type.kind === "array" ? array.type.of : ({ kind: "unknown" } as const);
      return [name, { sql: `${table}.v${index + 1}`, type, nullable: array.type.kind !== "array" || array.type.nullable, loose: name }];
    }),
  );
  const relation: Relation = {
    name: null,
    described: "ARRAY JOIN",
    star: [...columns.keys()],
    names: () => columns.keys(),
    member: (name) => {
      const expression = columns.get(name);
      return expression === undefined ? undefined : { kind: "value", expression };
    },
    from: () => "",
  };
  scope.relations.unshift(relation);
  return [`CROSS JOIN LATERAL (SELECT ${texts.map((text, index) => `unnest(${text}) AS v${index + 1}`).join(", ")}) AS ${table}`];
};

const lowerWhere = (scope: Scope, node: Select): Expression | null => {
  const inner = { ...scope, noAggregates: "WHERE" };
  const conditions = [node.prewhere, node.where].filter((part) => part !== null).map((part) => condition(inner, part));
  const samples = scope.samples.map((sql): Expression => ({ sql, type: { kind: "boolean" }, nullable: false }));
  const all = [...conditions, ...samples];
  if (all.length === 0) return null;
  const facts = all.flatMap((part): readonly Fact[] => part.facts ?? []);
  applyFacts(facts);
  const left = leftToScan(scope, node, all.flatMap(conjunctsOf));
  return left.length === 0 ? null : { sql: left.map(({ sql }) => sql).join(" AND "), type: { kind: "boolean" }, nullable: true };
};

const conjunctsOf = (value: Expression): readonly Expression[] => value.conjuncts?.flatMap(conjunctsOf) ?? [value];

/**
 * The conditions without those that only bound the time of the one table of events: the scan keeps to them by itself, and need
 * not read the time at all in files that lie within.
 */
const leftToScan = ({ relations }: Scope, node: Select, conditions: readonly Expression[]): readonly Expression[] => {
  const [table, ...others] = relations;
  if (table?.scanned === undefined || others.length > 0 || node.joins.length > 0) return conditions;
  const { draft, table: name } = table.scanned;
  const left = conditions.filter(({ exact, facts }) => !(exact && facts?.every(({ bounds }) => bounds === draft.bounds)));
  if (left.length < conditions.length) draft.bounded = name;
  return left;
};

const lowerGroups = (scope: Scope, node: Select): readonly Expression[] | null => {
  if (node.groupBy === null) return null;
  const inner = { ...scope, noAggregates: "GROUP BY" };
  if (node.groupBy === "all") {
    return node.columns.flatMap((column) => {
      const lowered = expr(scope, column);
      return lowered.aggregate || lowered.window ? [] : [lowered];
    });
  }
  return node.groupBy.map((item) => (isPosition(item) ? atPosition(inner, Number(item.value), item) : expr(inner, item)));
};

const isPosition = (node: Expr): node is Extract<Expr, { kind: "constant" }> =>
  node.kind === "constant" && typeof node.value === "number" && Number.isInteger(node.value);

const orderExpression = (scope: Scope, { expr: node }: OrderItem, select: Select): Expression => {
  if (isPosition(node)) return atPosition(scope, Number(node.value), node);
  if (
    node.kind === "field" &&
    node.chain.length === 1 &&
    String(node.chain[0]).toUpperCase() === "ALL" &&
    !scope.aliases.has(String(node.chain[0]))
  ) {
    throw new QueryError("unsupported", "ORDER BY ALL is not supported: name the columns.", select[AT]);
  }
  return expr(scope, node);
};

const refuseLoose = (expression: Expression | undefined, node: Expr | undefined): void => {
  if (expression?.loose === undefined) return;
  throw new QueryError(
    "not_an_aggregate",
    `The column \`${expression.loose}\` is neither inside an aggregate nor in GROUP BY.`,
    node === undefined ? undefined : node[AT],
  );
};

interface SelectColumn extends DraftColumn {
  /** Only computed when something asks for it. */
  readonly lazy: boolean;
  expression(): Expression;
}

/** The list of columns with every `*` written out. */
const columnsOf = (scope: Scope, node: Select): readonly SelectColumn[] => node.columns.flatMap((column) => columnOf(scope, column));

const columnOf = (scope: Scope, node: Expr): readonly SelectColumn[] => {
  if (node.kind === "field" && node.chain.at(-1) === "*") return starOf(scope, node.chain.length > 1 ? String(node.chain[0]) : null, node);
  if (node.kind === "columns") {
    const regex = node.regex === null ? null : compiled(node.regex);
    return starOf(scope, null, node).filter(({ name }) => !node.exclude.includes(name) && (regex === null || regex.test(name)));
  }
  const name = nameOfColumn(node);
  const inner = node.kind === "alias" ? node.item : node;
  const lower = once(() => expr(node.kind === "alias" ? opened(scope, node.name) : scope, inner));
  if (inner.kind !== "field") return [{ name, lazy: false, expression: lower, member: () => ({ kind: "value", expression: lower() }) }];
  const found = once(() => propertiesMember(scope, inner.chain));
  return [
    {
      name,
      lazy: found() !== undefined || scope.groupKeys === null,
      expression: lower,
      member: () => found() ?? { kind: "value", expression: lower() },
    },
  ];
};

const compiled = (pattern: string): RegExp => {
  if (!/^[\w$^.*+?|()[\]-]{0,100}$/.test(pattern) || /[*+?)]{2}|\)[*+?]/.test(pattern)) {
    throw new QueryError("unsupported", "COLUMNS takes a simple pattern, such as COLUMNS('^utm_').");
  }
  return new RegExp(pattern);
};

/** Inside its own definition, an alias means the column of that name. */
const opened = (scope: Scope, name: string): Scope => ({ ...scope, open: new Set([...scope.open, name]) });

const nameOfColumn = (node: Expr): string => {
  if (node.kind === "alias") return node.name;
  if (node.kind === "field") return String(node.chain.at(-1));
  if (node.kind === "element" && node.index.kind === "constant" && typeof node.index.value === "string") return node.index.value;
  return textOf(node);
};

/** `properties` of a table, passed on as such, so that the query around it can still read single properties. */
const propertiesMember = (scope: Scope, chain: readonly (string | number)[]): Member | undefined => {
  const name = String(chain.at(-1));
  if (name !== "properties" || chain.length > 2) return undefined;
  const relations = chain.length === 2 ? scope.relations.filter((relation) => relation.name === chain[0]) : scope.relations;
  const member = relations.map((relation) => relation.member(name)).find((found) => found !== undefined);
  return member?.kind === "properties" ? member : undefined;
};

const starOf = (scope: Scope, table: string | null, node: Expr): readonly SelectColumn[] => {
  const relations = table === null ? scope.relations : scope.relations.filter((relation) => relation.name === table);
  if (relations.length === 0)
    throw new QueryError("unknown_table", table === null ? "`*` needs a table: add FROM." : `Unknown table \`${table}\`.`, node[AT]);
  return relations.flatMap((relation) =>
    relation.star.map((name): SelectColumn => {
      const member = (): Member => {
        const found = relation.member(name);
        if (found === undefined) throw new QueryError("unknown_field", `Unknown field \`${name}\`.`, node[AT]);
        return found;
      };
      return { name, lazy: true, member, expression: () => regrouped(scope, whole(scope.run, member())) };
    }),
  );
};

const regrouped = (scope: Scope, value: Expression): Expression => {
  if (!scope.groupKeys?.has(value.sql)) return value;
  const { loose: _, ...rest } = value;
  return rest;
};

const once = <T>(make: () => T): (() => T) => {
  let kept: { readonly value: T } | undefined;
  return () => {
    kept ??= { value: make() };
    return kept.value;
  };
};

const lowerLimitBy = (
  scope: Scope,
  node: Select,
  orderBy: readonly { readonly item: OrderItem; readonly expression: Expression }[],
): string | null => {
  if (node.limitBy === null) return null;
  const keys = node.limitBy.by.map((key) => (isPosition(key) ? atPosition(scope, Number(key.value), key) : expr(scope, key)).sql);
  const order =
    orderBy.length === 0 ? "" : ` ORDER BY ${orderBy.map(({ item, expression }) => orderItemSql(expression.sql, item)).join(", ")}`;
  const place = `row_number() OVER (PARTITION BY ${keys.join(", ")}${order})`;
  const from = node.limitBy.offset === null ? 0n : constantCount(scope, node.limitBy.offset, "OFFSET");
  const to = from + constantCount(scope, node.limitBy.n, "LIMIT");
  const { run } = scope;
  return `${place} <= ${run.bind(to)}::BIGINT${from === 0n ? "" : ` AND ${place} > ${run.bind(from)}::BIGINT`}`;
};

/** A LIMIT or OFFSET: a constant that is no less than 0. While checking, a variable counts as 0. */
export const constantCount = (scope: Pick<Scope, "run">, node: Expr, what: string): bigint => {
  const value = expr(bareScope(scope.run), node);
  const count = typeof value.known === "string" && /^\d+$/.test(value.known) ? BigInt(value.known) : value.known;
  if (value.known === undefined && scope.run.options.checking) return 0n;
  if (typeof count !== "bigint" || count < 0n)
    throw new QueryError("invalid_input", `${what} must be a constant that is no less than 0.`, node[AT]);
  return count;
};

/** A scope without any table, for constants. */
const bareScope = (run: Run): Scope => ({
  run,
  relations: [],
  ctes: null,
  aliases: new Map(),
  open: new Set(),
  lowered: new Map(),
  lambdas: [],
  windows: {},
  columns: [],
  arrayJoins: new Map(),
  samples: [],
  groupKeys: null,
  noAggregates: "LIMIT",
  subquery: () => {
    throw new QueryError("invalid_input", "A LIMIT cannot hold a subquery.");
  },
});

const rowWindow = (scope: Scope, node: Select): RowWindow | null => {
  const { run } = scope;
  if (node.limit === null && node.offset === null) return null;
  const offset = node.offset === null ? null : `${run.bind(constantCount(scope, node.offset, "OFFSET"))}::BIGINT`;
  return { limit: node.limit === null ? "ALL" : `${run.bind(constantCount(scope, node.limit, "LIMIT"))}::BIGINT`, offset };
};
