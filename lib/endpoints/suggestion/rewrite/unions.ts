import type { Ast, Cte, Expr, Select, SetQuery } from "../../../hogql/ast.ts";
import { every, field, from, select } from "../../../hogql/build.ts";
import { sameTree } from "../../../hogql/walk.ts";
import { splitConjuncts, variablesIn } from "../../materialisation/checks/variable-uses.ts";
import { turned } from "./branches.ts";

/**
 * Queries of one UNION ALL, or of one WITH, that all ask the same of their variables read one query over the events that asks it once.
 * The query itself where there are no such.
 */
export const shared = (ast: Ast): Ast => {
  const legs = ast.kind === "set" ? unionLegs(ast) : ast.ctes.flatMap(({ query, scalar }) => (scalar ? [] : unionLegs(query)));
  const asking = legs.filter((leg) => variablesIn(leg).length > 0);
  const [first, ...others] = asking;
  if (first === undefined || others.length === 0) return ast;
  const asked = whereConjuncts(first);
  if (
    asking.some((leg) => !readsEvents(leg) || !sameTree(whereConjuncts(leg), asked)) ||
    (ast.kind === "set" && asking.length < legs.length)
  )
    return ast;
  const [base, together] = freeNames(ast, ["matching_events", "all_rows"]);
  const made: Cte = {
    name: base,
    query: select([field("*")], { from: from("events"), where: every(asked) }),
    scalar: false,
    columns: null,
  };
  const read = (node: Expr): Expr => (node.kind === "set" ? eachLeg(node, (leg) => reading(leg, base)) : reading(node, base));
  if (ast.kind === "select") return { ...ast, ctes: [made, ...ast.ctes.map((cte) => ({ ...cte, query: read(cte.query) }))] };
  const { limit, offset } = ast;
  const rows: Cte = { name: together, query: read({ ...ast, limit: null, offset: null }), scalar: false, columns: null };
  return select([field("*")], { ctes: [made, rows], from: from(together), limit, offset });
};

const unionLegs = (node: Expr): readonly Select[] => {
  if (node.kind === "select") return [node];
  return node.kind === "set" ? [node.first, ...node.rest.map(({ query }) => query)].flatMap(unionLegs) : [];
};

/** The conditions of a query on variables, in one order. */
const whereConjuncts = ({ where }: Select): readonly Expr[] =>
  (where === null ? [] : splitConjuncts(where))
    .filter((item) => variablesIn(item).length > 0)
    .map(turned)
    .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

/** Whether it reads the events alone, and has its variables in WHERE alone. */
const readsEvents = ({ where: _, ...rest }: Select): boolean => {
  const { from: source, joins, ctes } = rest;
  if (source?.table.kind !== "name" || source.table.chain.join(".") !== "events" || source.table.args !== null) return false;
  return joins.length === 0 && ctes.length === 0 && source.sample === null && variablesIn(rest).length === 0;
};

const reading = (node: Expr, base: string): Expr => {
  if (node.kind !== "select" || variablesIn(node).length === 0 || node.from === null) return node;
  const left = (node.where === null ? [] : splitConjuncts(node.where)).filter((item) => variablesIn(item).length === 0);
  const source = { ...node.from, table: from(base).table, alias: node.from.alias ?? "events" };
  return { ...node, from: source, where: left.length === 0 ? null : every(left) };
};

/** Guarantee of the cast: `change` gives a query for a query. */
const eachLeg = (node: SetQuery, change: (leg: Select) => Expr): SetQuery => {
  const changed = (leg: Select | SetQuery) => (leg.kind === "set" ? eachLeg(leg, change) : change(leg)) as Select | SetQuery;
  return { ...node, first: changed(node.first), rest: node.rest.map((each) => ({ ...each, query: changed(each.query) })) };
};

const freeNames = (ast: Ast, [first, second]: readonly [string, string]): readonly [string, string] => {
  const text = JSON.stringify(ast);
  const free = (name: string): string => (text.includes(name) ? free(`${name}_`) : name);
  return [free(first), free(second)];
};
