import type { LoweringContext } from "../analysis/context.ts";
import { defaultSql } from "../analysis/duckdb-types.ts";
import { derive, type Expression, flags, sqlTrees } from "../analysis/expression.ts";
import type { Call, Expr } from "../ast.ts";
import { QueryError } from "../errors.ts";
import { inList } from "../operators/collections.ts";
import { compareValues, inCommonNumber, notEqual, requireCommonType } from "../operators/compare.ts";
import type { OrderOp } from "../operators/facts.ts";
import { nanAsNull } from "../operators/nan.ts";
import { like, matches } from "../operators/patterns.ts";
import { NULL_SQL, type Sql, separated, sql } from "../sql/fragment.ts";
import { asTimestamp } from "../time/time-sql.ts";
import { BOOLEAN, commonType, FLOAT, isNumeric, isText, type Type, UINT8 } from "../types.ts";
import { toText } from "./casts/to-string.ts";
import { type CallScope, type FunctionSpec, type Scalar, type Special, scalar } from "./spec.ts";

/** The branches of a choice in one type: texts as they are, dates beside timestamps as midnights. */
const branches = (
  context: LoweringContext,
  values: readonly Expression[],
  what: string,
): { readonly type: Type; readonly values: readonly Expression[] } => {
  const type = requireCommonType(values, what);
  if (type.kind === "datetime") return { type, values: values.map((value) => asTimestamp(context, value)) };
  if (type.kind === "float")
    return {
      type,
      values: values.map((value) =>
        value.type.kind === "float" || value.known === null ? value : derive(sql`CAST(${value.tree} AS DOUBLE)`, FLOAT, [value]),
      ),
    };
  return { type, values: values.map((value) => inCommonNumber(value, type)) };
};

interface Branch {
  readonly when: Expression;
  readonly value: Expression;
}

const choice = (context: LoweringContext, given: readonly Branch[], otherwise: Expression, what: string): Expression => {
  const { type, values } = branches(context, [...given.map(({ value }) => value), otherwise], what);
  const last = values.at(-1) ?? otherwise;
  const whens = separated(
    given.map(({ when }, index) => sql`WHEN ${when.tree} THEN ${values[index]?.tree ?? NULL_SQL}`),
    sql` `,
  );
  return {
    tree: sql`(CASE ${whens} ELSE ${last.tree} END)`,
    type,
    nullable: values.some((value) => value.nullable),
    ...flags([...given.map(({ when }) => when), ...values]),
  };
};

const lowerMultiIf = ({ name, args }: Call, scope: CallScope): Expression => {
  if (args.length % 2 === 0)
    throw new QueryError(
      "number_of_arguments_doesnt_match",
      `\`${name}\` takes pairs of condition and value, and a last value for all else.`,
    );
  const pairs: Branch[] = [];
  for (let index = 0; index + 1 < args.length; index += 2)
    pairs.push({ when: scope.condition(at(args, index)), value: scope.expr(at(args, index + 1)) });
  return choice(scope.context, pairs, scope.expr(at(args, args.length - 1)), name);
};

const at = (args: readonly Expr[], index: number): Expr => {
  const arg = args[index];
  if (arg === undefined) throw new QueryError("number_of_arguments_doesnt_match", "An argument is missing.");
  return arg;
};

const special = (name: string, arity: readonly [number, number], lower: Special["lower"], ...aliases: readonly string[]): Special => ({
  kind: "special",
  name,
  aliases,
  arity,
  anyCase: true,
  lower,
});

const MANY = Number.POSITIVE_INFINITY;

/** The functions that operators stand for. */
const comparison = (name: string, op: "==" | "!=" | OrderOp): Special =>
  special(name, [2, 2], ({ args }, scope) => {
    const [left, right] = [scope.expr(at(args, 0)), scope.expr(at(args, 1))];
    return op === "!=" ? notEqual(scope.context, left, right) : compareValues(scope.context, op, left, right, scope.mode);
  });

const pattern = (name: string, negated: boolean, folded: boolean): Special =>
  special(name, [2, 2], ({ args }, scope) =>
    like(scope.context, scope.expr(at(args, 0)), scope.expr(at(args, 1)), { negated, folded }, scope.mode),
  );

const logic = (name: "and" | "or"): Special =>
  special(name, [2, MANY], ({ args }, scope) => scope.expr({ kind: name, items: args }, scope.mode));

/** The greatest or least of several values that are neither NULL nor NaN. */
const extreme = (name: "greatest" | "least"): Special =>
  special(name, [1, MANY], ({ args }, scope) => {
    const { type, values } = branches(
      scope.context,
      args.map((arg) => scope.expr(arg)),
      name,
    );
    const list = separated(values.map((value) => nanAsNull(value).tree));
    const tree = name === "greatest" ? sql`greatest(${list})` : sql`least(${list})`;
    return { tree, type, nullable: values.every((value) => value.nullable), ...flags(values) };
  });

/** `transform(x, from, to, otherwise)`: the value of `to` at the place that `x` has in `from`. */
const transform: Scalar = {
  kind: "scalar",
  name: "transform",
  takes: ["any", "array", "array", "any"],
  optional: 1,
  lower: (args) => {
    const [x, from, to, given] = args;
    const otherwise = given ?? x;
    if (x === undefined || from === undefined || to?.type.kind !== "array" || otherwise === undefined)
      throw new QueryError("illegal_type_of_argument", "`transform` needs a value, two arrays and a value for all else.");
    const found = sql`list_extract(${to.tree}, list_position(${from.tree}, ${x.tree}))`;
    const type = commonType(to.type.of, otherwise.type);
    if (type === null) throw new QueryError("no_common_type", "The values that `transform` gives have no type in common.");
    return derive(sql`coalesce(${found}, ${otherwise.tree})`, type, args, otherwise.nullable);
  },
};

export const CONDITIONAL: readonly FunctionSpec[] = [
  special("if", [3, 3], ({ name, args }, scope) =>
    choice(scope.context, [{ when: scope.condition(at(args, 0)), value: scope.expr(at(args, 1)) }], scope.expr(at(args, 2)), name),
  ),
  special("multiIf", [3, MANY], lowerMultiIf),
  special("_caseWithExpression", [4, MANY], ({ args }, scope) => {
    const subject = scope.expr(at(args, 0));
    const pairs: Branch[] = [];
    for (let index = 1; index + 1 < args.length; index += 2) {
      pairs.push({ when: scope.equal(subject, scope.expr(at(args, index))), value: scope.expr(at(args, index + 1)) });
    }
    return choice(scope.context, pairs, scope.expr(at(args, args.length - 1)), "CASE");
  }),
  special("coalesce", [1, MANY], ({ args }, scope) => coalesced(scope, args, "coalesce")),
  special("ifNull", [2, 2], ({ args }, scope) => coalesced(scope, args, "ifNull")),
  special("nullIf", [2, 2], ({ args }, scope) => {
    const [left, right] = [scope.expr(at(args, 0)), scope.expr(at(args, 1))];
    const equal = scope.equal(left, right);
    return { ...derive(sql`(CASE WHEN ${equal.tree} THEN NULL ELSE ${left.tree} END)`, left.type, [left, right], true) };
  }),
  special("isNull", [1, 1], ({ args }, scope) => nullTest(scope.expr(at(args, 0)), sql`IS NULL`)),
  special("isNotNull", [1, 1], ({ args }, scope) => nullTest(scope.expr(at(args, 0)), sql`IS NOT NULL`)),
  special("assumeNotNull", [1, 1], ({ args }, scope) => {
    const value = scope.expr(at(args, 0));
    const fallback = defaultSql(value.type);
    return value.nullable && fallback !== null
      ? derive(sql`coalesce(${value.tree}, ${fallback})`, value.type, [value], false)
      : { ...value, nullable: false };
  }),
  special("toNullable", [1, 1], ({ args }, scope) => ({ ...scope.expr(at(args, 0)), nullable: true })),
  extreme("greatest"),
  extreme("least"),
  comparison("equals", "=="),
  comparison("notEquals", "!="),
  comparison("less", "<"),
  comparison("greater", ">"),
  comparison("lessOrEquals", "<="),
  comparison("greaterOrEquals", ">="),
  logic("and"),
  logic("or"),
  special("not", [1, 1], ({ args }, scope) => scope.expr({ kind: "not", item: at(args, 0) })),
  special("xor", [2, MANY], ({ args }, scope) => {
    const values = args.map((arg) => scope.expr({ kind: "and", items: [arg] }));
    return derive(
      sqlTrees(values).reduce((left, right) => sql`(${left} <> ${right})`),
      BOOLEAN,
      values,
    );
  }),
  special("between", [3, 3], ({ args }, scope) =>
    scope.expr({ kind: "between", item: at(args, 0), low: at(args, 1), high: at(args, 2), negated: false }, scope.mode),
  ),
  transform,
  special("in", [2, 2], ({ args }, scope) => inList(scope.context, scope.expr(at(args, 0)), scope.expr(at(args, 1)), false, scope.mode)),
  special("notIn", [2, 2], ({ args }, scope) => inList(scope.context, scope.expr(at(args, 0)), scope.expr(at(args, 1)), true, scope.mode)),
  pattern("like", false, false),
  pattern("ilike", false, true),
  pattern("notLike", true, false),
  pattern("notILike", true, true),
  special("match", [2, 2], ({ args }, scope) =>
    matches(scope.context, scope.expr(at(args, 0)), scope.expr(at(args, 1)), { negated: false, folded: false }, scope.mode),
  ),
  special("exists", [1, 1], ({ args }, scope) => ({
    tree: sql`EXISTS (${scope.subquery(at(args, 0)).tree})`,
    type: BOOLEAN,
    nullable: false,
  })),
  scalar({
    name: "isZeroOrNull",
    anyCase: true,
    takes: ["number"],
    type: UINT8,
    nulls: "never",
    sql: (x) => sql`CAST(coalesce(${x}, 0) = 0 AS BIGINT)`,
  }),
];

const nullTest = (value: Expression, test: Sql): Expression => derive(sql`(${value.tree} ${test})`, BOOLEAN, [value], false);

const coalesced = (scope: CallScope, args: readonly Expr[], what: string): Expression => {
  const given = args.map((arg) => scope.expr(arg)).filter((value) => value.known !== null);
  const [only] = given;
  if (only === undefined) return scope.context.known(null, { kind: "null" });
  if (given.length === 1) return only;
  const mixed = given.some((value) => isText(value.type)) && given.some((value) => isNumeric(value.type) && value.known !== undefined);
  const { type, values } = branches(scope.context, mixed ? given.map((value) => toText(scope.context, value)) : given, what);
  return derive(
    sql`coalesce(${separated(sqlTrees(values))})`,
    type,
    values,
    values.every((value) => value.nullable),
  );
};
