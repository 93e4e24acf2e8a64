import { type Expression, made } from "../../analysis/expression.ts";
import { defaultOf } from "../../analysis/types.ts";
import { QueryError } from "../../errors.ts";
import { applyFacts, compared } from "../../operators/compare.ts";
import type { Member, Relation } from "../../schema/relation.ts";
import { tableOf } from "../../schema/tables.ts";
import { AT, type Join, type Select, type TableSource } from "../../syntax/ast.ts";
import { condition, expr } from "../expressions/expr.ts";
import { whole } from "../expressions/fields.ts";
import { refuseWindows } from "../expressions/windows.ts";
import { cteNames, findCte, type Scope } from "../scope.ts";
import { lowerQuery } from "./select.ts";
import { subqueryRelation } from "./subquery.ts";

/** FROM and its joins; their texts are asked for once everything that names columns is lowered. */
export const lowerFrom = (scope: Scope, node: Select): readonly (() => string)[] => {
  if (node.from === null) return [];
  const first = lowerSource(scope, node.from);
  scope.relations.push(first);
  const texts: (() => string)[] = [first.from];
  for (const join of node.joins) {
    const relation = lowerSource(scope, join);
    const left = [...scope.relations];
    scope.relations.push(relation);
    const on = join.on === null ? null : condition({ ...scope, noAggregates: "ON" }, join.on);
    if (on !== null) refuseWindows([on], "ON", join.on?.[AT]);
    const using = usingOf(scope, left, relation, join);
    scope.relations.splice(0, scope.relations.length, ...joined(join.join, left, relation));
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

/** The relations as what comes after the join sees them: the side that an outer join may leave unmatched can be NULL. */
const joined = (kind: string, left: readonly Relation[], right: Relation): readonly Relation[] => {
  const isOuter = !/SEMI|ANTI/.test(kind);
  const leftStays = !(isOuter && /RIGHT|FULL/.test(kind));
  const rightStays = !(isOuter && /LEFT|FULL/.test(kind));
  return [...(leftStays ? left : left.map(optional)), rightStays ? right : optional(right)];
};

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
const grouping = (relation: Relation): string => {
  const text = relation.from();
  return text.startsWith("(") || !text.includes(" JOIN ") ? text : `(${text})`;
};

/** The conditions of USING; its columns are one from here on. The last column of an ASOF join is met by the nearest before it. */
const usingOf = (scope: Scope, left: readonly Relation[], right: Relation, { join, using }: Join): readonly string[] =>
  (using ?? []).map((name, index, names) => {
    const sides = [left.map((relation) => relation.member(name)).find((member) => member !== undefined), right.member(name)];
    const [a, b] = sides.map((member) => (member === undefined ? undefined : whole(scope.run, member)));
    if (a === undefined || b === undefined)
      throw new QueryError("unknown_field", `The column \`${name}\` of USING is not on both sides of the join.`);
    const merged = /^(RIGHT|FULL)/.test(join) ? made(`coalesce(${a.sql}, ${b.sql})`, a.type, [a, b]) : a;
    scope.merged.set(name, scope.merged.get(name) ?? merged);
    const nearest = join.includes("ASOF") && index === names.length - 1;
    return compared(scope.run, nearest ? ">=" : "==", a, b, "filter").sql;
  });

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
    const [alias, columns] = [source.alias ?? name, source.columnAliases ?? cte.cte.columns];
    const { shared } = cte;
    // What one use asks of its rows does not hold for the others.
    if (shared !== undefined) return subqueryRelation(run, { ...shared.draft, passes: () => false }, alias, columns, () => shared.name);
    return subqueryRelation(run, lowerQuery(run, cte.cte.query, cte.before, run.options.checking !== true), alias, columns);
  }
  const args = table.args?.map((arg) => expr(scope, arg)) ?? null;
  return tableOf(run, table.chain, source.alias, args, { known: cteNames(ctes), position: source[AT] });
};

/** ARRAY JOIN: several arrays move together; LEFT keeps a row whose arrays are empty. */
export const arrayJoins = (scope: Scope, node: Select): readonly string[] => {
  if (node.arrayJoin === null) return [];
  const { left, items } = node.arrayJoin;
  const table = scope.run.fresh("a");
  const arrays = items.map((item) => ({ name: item.name, array: expr({ ...scope, noAggregates: "ARRAY JOIN" }, item.item) }));
  const texts = arrays.map(({ array }) => {
    const of = array.type.kind === "array" ? array.type.of : null;
    return left
      ? `CASE WHEN coalesce(len(${array.sql}), 0) = 0 THEN [${of === null ? "NULL" : defaultOf(of)}] ELSE ${array.sql} END`
      : array.sql;
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
