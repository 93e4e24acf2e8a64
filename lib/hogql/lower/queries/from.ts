import type { LoweringContext } from "../../analysis/context.ts";
import { defaultSql } from "../../analysis/duckdb-types.ts";
import { derive, type Expression } from "../../analysis/expression.ts";
import { AT, type Join, type JoinKind, type Select, type SetQuery, type TableSource } from "../../ast.ts";
import { QueryError } from "../../errors.ts";
import { compareValues } from "../../operators/compare.ts";
import { applyFacts } from "../../operators/facts.ts";
import type { Member, Relation } from "../../schema/relation.ts";
import { findTable } from "../../schema/tables.ts";
import { column, ident, NOTHING, NULL_SQL, numeral, type Sql, separated, sql } from "../../sql/fragment.ts";
import { overOwnRow } from "../../sql/own-row.ts";
import { condition, expr } from "../expressions/expr.ts";
import { memberValue } from "../expressions/fields.ts";
import { refuseWindows } from "../expressions/windows.ts";
import { type Ctes, cteNames, findCte, type Scope } from "../scope.ts";
import { type PartialQuery, type PartialQueryColumn, withShared } from "./partial-query.ts";
import { lowerQuery } from "./select.ts";

/** FROM and its joins; they are asked for once everything that names columns is lowered. */
export const lowerFrom = (scope: Scope, node: Select): readonly (() => Sql)[] => {
  if (node.from === null) return [];
  const first = lowerSource(scope, node.from);
  scope.relations.push(first);
  const sources: (() => Sql)[] = [first.from];
  for (const join of node.joins) {
    const relation = lowerSource(scope, join);
    const left = [...scope.relations];
    scope.relations.push(relation);
    const on = join.on === null ? null : condition({ ...scope, noAggregates: "ON" }, join.on);
    if (on !== null) refuseWindows([on], "ON", join.on?.[AT]);
    const using = usingCondition(scope, left, relation, join);
    scope.relations.splice(0, scope.relations.length, ...joined(join.join, left, relation));
    const conditions = [...(on === null ? [] : [on.tree]), ...using];
    if (on !== null && (join.join === "JOIN" || join.join === "INNER JOIN")) applyFacts(on.facts ?? []);
    if (conditions.length === 0 && join.join !== "CROSS JOIN") {
      throw new QueryError("invalid_input", `A ${join.join} needs ON or USING.`, join[AT]);
    }
    const met = conditions.length === 0 ? NOTHING : sql` ON ${separated(conditions, sql` AND `)}`;
    sources.push(() => sql`${JOINS[join.join]} ${grouping(relation)}${met}`);
  }
  return sources;
};

const JOINS: Readonly<Record<JoinKind, Sql>> = {
  JOIN: sql`JOIN`,
  "INNER JOIN": sql`INNER JOIN`,
  "LEFT JOIN": sql`LEFT JOIN`,
  "LEFT OUTER JOIN": sql`LEFT JOIN`,
  "RIGHT JOIN": sql`RIGHT JOIN`,
  "RIGHT OUTER JOIN": sql`RIGHT JOIN`,
  "FULL JOIN": sql`FULL JOIN`,
  "FULL OUTER JOIN": sql`FULL JOIN`,
  "CROSS JOIN": sql`CROSS JOIN`,
  "ASOF JOIN": sql`ASOF JOIN`,
  "ASOF INNER JOIN": sql`ASOF INNER JOIN`,
  "ASOF LEFT JOIN": sql`ASOF LEFT JOIN`,
  "LEFT ASOF JOIN": sql`ASOF LEFT JOIN`,
  "LEFT SEMI JOIN": sql`SEMI JOIN`,
  "LEFT ANTI JOIN": sql`ANTI JOIN`,
};

/** The relations as what comes after the join sees them: the side that an outer join may leave unmatched can be NULL. */
const joined = (kind: string, left: readonly Relation[], right: Relation): readonly Relation[] => {
  if (/SEMI|ANTI/.test(kind)) return [...left, filtering(right, kind)];
  const leftStays = !/RIGHT|FULL/.test(kind);
  const rightStays = !/LEFT|FULL/.test(kind);
  return [...(leftStays ? left : left.map(optional)), rightStays ? right : optional(right)];
};

/** A side of a join that only decides which rows of the other stay: it has no columns behind the join. */
const filtering = (relation: Relation, kind: string): Relation => ({
  ...relation,
  member: (name) => {
    if (relation.member(name) === undefined) return undefined;
    throw new QueryError(
      "unsupported",
      `Only the left side of a ${kind} has columns: name those that you want, such as a.event, or write a.*.`,
    );
  },
});

const optional = (relation: Relation): Relation => ({
  ...relation,
  member: (name) => {
    const member = relation.member(name);
    return member === undefined ? undefined : optionalMember(member);
  },
});

const optionalMember = (member: Member): Member => {
  switch (member.kind) {
    case "value":
      return { kind: "value", expression: { ...member.expression, nullable: true } };
    case "properties":
      return { ...member, whole: () => ({ ...member.whole(), nullable: true }) };
    case "relation":
      return { kind: "relation", relation: optional(member.relation) };
  }
};

/** A relation that joins others by itself goes in brackets when it is joined in turn. */
const grouping = (relation: Relation): Sql => (relation.joins() ? sql`(${relation.from()})` : relation.from());

/** The conditions of USING; its columns are one from here on. The last column of an ASOF join is met by the nearest before it. */
const usingCondition = (scope: Scope, left: readonly Relation[], right: Relation, { join, using }: Join): readonly Sql[] =>
  (using ?? []).map((name, index, names) => {
    const sides = [left.map((relation) => relation.member(name)).find((member) => member !== undefined), right.member(name)];
    const [a, b] = sides.map((member) => (member === undefined ? undefined : memberValue(member)));
    if (a === undefined || b === undefined)
      throw new QueryError("unknown_field", `The column \`${name}\` of USING is not on both sides of the join.`);
    const merged = /^(RIGHT|FULL)/.test(join) ? derive(sql`coalesce(${a.tree}, ${b.tree})`, a.type, [a, b]) : a;
    scope.merged.set(name, scope.merged.get(name) ?? merged);
    const nearest = join.includes("ASOF") && index === names.length - 1;
    return compareValues(scope.context, nearest ? ">=" : "==", a, b, "filter").tree;
  });

const lowerSource = (scope: Scope, source: TableSource): Relation => {
  const relation = unsampled(scope, source);
  if (source.sample === null || source.sample === 1) return relation;
  const id = relation.member("distinct_id");
  if (id?.kind !== "value") throw new QueryError("unsupported", "SAMPLE works on `events` only.", source[AT]);
  scope.samples.push(sql`hash(${id.expression.tree}) % 1000000 < ${numeral(Math.round(source.sample * 1_000_000))}`);
  return relation;
};

const unsampled = (scope: Scope, source: TableSource): Relation => {
  const { context, ctes } = scope;
  const { table } = source;
  if (table.kind !== "name") return subqueryRelation(context, openQuery(context, table, ctes), source.alias, source.columnAliases);
  const name = table.chain.join(".");
  const cte = table.args === null ? findCte(ctes, name) : null;
  if (cte !== null && (cte.cte.query.kind === "select" || cte.cte.query.kind === "set")) {
    const [alias, columns] = [source.alias ?? name, source.columnAliases ?? cte.cte.columns];
    const { shared } = cte;
    // Conditions of one use of the rows do not hold for the others.
    if (shared !== undefined)
      return subqueryRelation(context, { ...shared.partial, passes: () => false }, alias, columns, () => shared.name);
    return subqueryRelation(context, openQuery(context, cte.cte.query, cte.before), alias, columns);
  }
  const rows = table.args === null ? context.options.tables?.get(name)?.rows : undefined;
  if (rows !== undefined) return subqueryRelation(context, openQuery(context, rows, null), source.alias ?? name, source.columnAliases);
  const args = table.args?.map((arg) => expr(scope, arg)) ?? null;
  return findTable(context, table.chain, source.alias, args, { known: cteNames(ctes), position: source[AT] });
};

/**
 * A query whose columns are computed where the query around it names them. A check looks at all of them, since a mistake may stand in any,
 * and leaves the query open all the same: a property that is read through it has the type that it has in a run.
 */
const openQuery = (context: LoweringContext, query: Select | SetQuery, ctes: Ctes | null): PartialQuery => {
  const partial = lowerQuery(context, query, ctes, true);
  if (context.options.checking) for (const { member } of partial.columns) memberValue(member());
  return partial;
};

/** ARRAY JOIN: several arrays move together; LEFT keeps a row whose arrays are empty. */
export const arrayJoins = (scope: Scope, node: Select): readonly Sql[] => {
  if (node.arrayJoin === null) return [];
  const { left, items } = node.arrayJoin;
  const table = scope.context.alias("a");
  const arrays = items.map((item) => ({ name: item.name, array: expr({ ...scope, noAggregates: "ARRAY JOIN" }, item.item) }));
  const lists = arrays.map(({ array }) => {
    const absent = array.type.kind === "array" ? (defaultSql(array.type.of) ?? NULL_SQL) : NULL_SQL;
    return left ? sql`CASE WHEN coalesce(len(${array.tree}), 0) = 0 THEN [${absent}] ELSE ${array.tree} END` : array.tree;
  });
  const columns = new Map<string, Expression>(
    arrays.map(({ name, array }, index) => {
      const type = array.type.kind === "array" ? array.type.of : ({ kind: "unknown" } as const);
      const nullable = array.type.kind !== "array" || array.type.nullable;
      return [name, { tree: column(table, `v${index + 1}`), type, nullable, ungroupedColumn: name }];
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
    joins: () => false,
    from: () => NOTHING,
  };
  scope.relations.unshift(relation);
  const elements = lists.map((list, index) => sql`unnest(${list}) AS ${ident(`v${index + 1}`)}`);
  const { trees, from } = overOwnRow(scope.context.alias("r"), elements);
  return [sql`CROSS JOIN LATERAL (SELECT ${separated(trees)}${from}) AS ${table}`];
};

/** A query in FROM. Of an open one, only the columns that are named here get computed; `query` stands for it when it is elsewhere. */
const subqueryRelation = (
  context: LoweringContext,
  partial: PartialQuery,
  name: string | null,
  columnNames: readonly string[] | null,
  query: () => Sql = () => sql`(${withShared(partial.print())})`,
): Relation => {
  const table = context.alias("q");
  const byName = new Map<string, { readonly column: PartialQueryColumn; readonly index: number }>();
  for (const [index, column] of partial.columns.entries()) {
    const called = columnNames?.[index] ?? column.name;
    if (!byName.has(called)) byName.set(called, { column, index });
  }
  const outer = (expression: Expression, index: number | null, called: string): Expression => {
    const output = partial.closed && index !== null ? `c${index + 1}` : partial.output(expression);
    const origin = expression.origin !== undefined && partial.passes(expression) ? { origin: expression.origin } : {};
    return { tree: column(table, output), type: expression.type, nullable: expression.nullable, ungroupedColumn: called, ...origin };
  };
  const seek = (called: string): Member | undefined => {
    const found = byName.get(called);
    if (found === undefined) return undefined;
    const inner = found.column.member();
    if (inner.kind === "properties" && !partial.closed) {
      return {
        kind: "properties",
        whole: () => outer(inner.whole(), found.index, called),
        property: (path) => outer(inner.property(path), null, String(path[0])),
      };
    }
    return { kind: "value", expression: outer(memberValue(inner), found.index, called) };
  };
  /** Kept: each is looked for through all the queries within, and a column is named again by every query around. */
  const members = new Map<string, Member | undefined>();
  const member = (called: string): Member | undefined => {
    if (!members.has(called)) members.set(called, seek(called));
    return members.get(called);
  };
  return {
    name,
    described: name ?? "subquery",
    star: [...byName.keys()],
    names: () => byName.keys(),
    member,
    joins: () => false,
    from: () => sql`${query()} AS ${table}`,
  };
};
