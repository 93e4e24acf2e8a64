import type { Expr, Join, Select } from "../../hogql/ast.ts";
import { alias, arithmetic, call, compare, constant, field, from, select } from "../../hogql/build.ts";

/** Numbers that fall into bins of equal width between the least and the greatest of them. */
export interface Bins {
  readonly item: Expr;
  readonly count: number;
  /** Place of the breakdown among those of its insight. */
  readonly index: number;
}

const low = ({ index }: Bins): string => `__low${index + 1}`;
const high = ({ index }: Bins): string => `__high${index + 1}`;

/** Each row with the bounds of all bins: what the conditions leave is read once more for them. */
export const boundsJoin = (all: readonly Bins[], where: Expr): Join => {
  const columns = all.flatMap((bins) => [alias(low(bins), call("min", bins.item)), alias(high(bins), call("max", bins.item))]);
  const bounds: Select = select(columns, { from: from("events"), where });
  return { ...from(bounds, "__bounds"), join: "CROSS JOIN", on: null, using: null };
};

/** The number of a row's bin, NULL without a number, and the bounds. */
export const binKeys = (bins: Bins): readonly Expr[] => {
  const [from, to] = [field(low(bins)), field(high(bins))];
  const share = arithmetic("/", arithmetic("-", bins.item, from), arithmetic("-", to, from));
  const place = call("floor", arithmetic("*", share, constant(bins.count)));
  const number = call("least", call("toInt", place), constant(bins.count - 1));
  const inRange = call("if", compare("==", from, to), constant(0), number);
  return [call("if", call("isNull", bins.item), constant(null), inRange), from, to];
};

/** `[low,high]` of a bin; the last one ends with the greatest value, which it includes. */
export const binText =
  ({ count }: Bins) =>
  ([number = constant(null), from = constant(null), to = constant(null)]: readonly Expr[]): Expr => {
    const width = arithmetic("/", arithmetic("-", to, from), constant(count));
    const edge = (at: Expr): Expr => arithmetic("+", from, arithmetic("*", width, at));
    const isLast = { kind: "or", items: [compare("==", from, to), compare("==", number, constant(count - 1))] } as const;
    const end = call("if", isLast, to, edge(arithmetic("+", number, constant(1))));
    const text = call("concat", constant("["), call("toString", edge(number)), constant(","), call("toString", end), constant("]"));
    return call("if", call("isNull", number), constant(null), text);
  };
