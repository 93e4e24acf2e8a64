import type { OrderItem } from "../../hogql/ast.ts";
import type { Piece } from "./piece.ts";
import { Unprintable } from "./unprintable.ts";

/** A call of an aggregate: its arguments, with the condition of an `…If` apart, and what stands behind it. */
interface AggregateCall {
  readonly params: readonly string[];
  readonly values: readonly Piece[];
  readonly condition: string | undefined;
  readonly distinct: boolean;
  /** ORDER BY within the call. */
  readonly order: readonly { readonly item: OrderItem; readonly key: Piece }[];
  /** ` FILTER (…)` and ` OVER (…)`, or nothing. */
  readonly behind: string;
}

type Form = (call: AggregateCall, suffix: string) => string;

const called = (name: string, { params, values, condition, distinct, behind }: AggregateCall): string => {
  const args = [...values.map(({ sql }) => sql), ...(condition === undefined ? [] : [condition])];
  const first = params.length === 0 ? "" : `(${params.join(", ")})`;
  return `${name}${condition === undefined ? "" : "If"}${first}(${distinct ? "DISTINCT " : ""}${args.join(", ")})${behind}`;
};

/** Another aggregate, without parameters where it has none. */
const as =
  (name: string, params: "as given" | "none" = "as given"): Form =>
  (call, suffix) =>
    called(`${name}${suffix}`, params === "none" ? { ...call, params: [] } : call);

/** NULL of no rows, where ClickHouse would have what is no number. */
const orNull =
  (name: string): Form =>
  (call, suffix) =>
    called(`${name}${suffix === "" ? "OrNull" : suffix}`, call);

/** Of no rows 0, also where ClickHouse says NULL because a value might be. */
const sum: Form = (call, suffix) => {
  if (suffix !== "") return called(`sum${suffix}`, call);
  const rows = called("count", { ...call, values: [], distinct: false });
  return `if(${rows} = 0, 0, ${called("sum", call)})`;
};

const isTime = ({ kind }: Piece): boolean => kind === "time" || kind === "date";

/** Exactly, and between two numbers in proportion; a time is one of those that are there. */
const quantile =
  (level?: string): Form =>
  (call, suffix) => {
    const [value] = call.values;
    const at = level ?? call.params[0] ?? "0.5";
    if (value !== undefined && isTime(value)) {
      const all = called("groupArray", { ...call, params: [] });
      return `arrayElementOrNull(arraySort(${all}), toUInt32(greatest(ceil(${at} * length(${all})), 1)))`;
    }
    return called(`quantileExactInclusive${suffix === "" ? "OrNull" : suffix}`, { ...call, params: [at], values: asDoubles(call.values) });
  };

const quantiles: Form = (call, suffix) => called(`quantilesExactInclusive${suffix}`, { ...call, values: asDoubles(call.values) });

const asDoubles = (values: readonly Piece[]): readonly Piece[] => values.map((value) => ({ ...value, sql: `toFloat64(${value.sql})` }));

/** The most frequent values; of two that are as frequent, the greater first. */
const topK: Form = (call) => {
  const [value] = call.values;
  const present = `isNotNull(${value?.sql})`;
  const counts = called("sumMap", {
    ...call,
    params: [],
    values: [
      { sql: `[assumeNotNull(${value?.sql})]`, kind: "other" },
      { sql: "[toUInt64(1)]", kind: "other" },
    ],
    condition: call.condition === undefined ? present : `and(${call.condition}, ${present})`,
  });
  const sorted = `arrayReverseSort(arrayZip(tupleElement(${counts}, 2), tupleElement(${counts}, 1)))`;
  return `arraySlice(arrayMap(one -> tupleElement(one, 2), ${sorted}), 1, ${call.params[0] ?? 10})`;
};

/** The values that are there, in an order if one is asked for. */
const list: Form = (call, suffix) => {
  const [value] = call.values;
  const { order } = call;
  if (order.length === 0 || value === undefined) return called(`groupArray${suffix}`, call);
  if (call.distinct || suffix !== "") throw new Unprintable("ORDER BY in this aggregate");
  const [first] = order;
  const { descending } = first?.item ?? {};
  if (order.some(({ item }) => item.descending !== descending || item.nulls === "first"))
    throw new Unprintable("ORDER BY of two ways in an aggregate");
  const present = `isNotNull(${value.sql})`;
  const rows = called("groupArray", {
    ...call,
    params: [],
    values: [{ sql: `tuple(${value.sql}, tuple(${order.map(({ key }) => key.sql).join(", ")}))`, kind: "other" }],
    condition: call.condition === undefined ? present : `and(${call.condition}, ${present})`,
  });
  const sorted = `${descending ? "arrayReverseSort" : "arraySort"}(one -> tupleElement(one, 2), ${rows})`;
  const values = `arrayMap(one -> assumeNotNull(tupleElement(one, 1)), ${sorted})`;
  const [size] = call.params;
  return size === undefined ? values : `arraySlice(${values}, 1, ${size})`;
};

const joined: Form = (call, suffix) => {
  const [value, separator] = call.values;
  return `arrayStringConcat(${list({ ...call, values: value === undefined ? [] : [value] }, suffix)}, ${separator?.sql ?? "''"})`;
};

const every: Form = (call) => `ifNull(${called("minOrNull", { ...call, values: call.values.map(asBool) })}, true)`;
const asBool = (value: Piece): Piece => ({ ...value, sql: `toBool(${value.sql})` });

const any = as("any");
const exactly = as("uniqExact", "none");

/** Aggregates whose form on ClickHouse is another: most because its own is an estimate once the rows are many. */
const FORMS: ReadonlyMap<string, Form> = new Map<string, Form>([
  ["sum", sum],
  ["sumDistinct", (call, suffix) => sum({ ...call, distinct: true }, suffix)],
  ...["countDistinct", "uniq", "uniqExact", "uniqHLL12", "uniqTheta", "uniqCombined"].map((name) => [name, exactly] as const),
  ...["anyHeavy", "any_value", "first_value_of"].map((name) => [name, any] as const),
  ["median", quantile("0.5")],
  ...["quantile", "quantileTDigest", "quantileTiming"].map((name) => [name, quantile()] as const),
  ["quantiles", quantiles],
  ["topK", topK],
  ...["groupArray", "array_agg"].map((name) => [name, list] as const),
  ...["string_agg", "groupConcat"].map((name) => [name, joined] as const),
  ["json_agg", (call, suffix) => `toJSONString(${list(call, suffix)})`],
  ["every", every],
  ...["avg", "stddevPop", "stddevSamp", "varPop", "varSamp", "covarPop", "covarSamp", "corr"].map((name) => [name, orNull(name)] as const),
]);

const NAME = /^(\w+?)(OrNull|OrDefault)?(If)?(OrNull|OrDefault)?$/;

/** The aggregate of that name, where its form on ClickHouse is another. */
export const aggregateForm = (name: string, call: Omit<AggregateCall, "condition">): string | undefined => {
  const [, base = "", before, condition, after] = NAME.exec(name) ?? [];
  const form = FORMS.get(base);
  if (form === undefined) return undefined;
  const values = condition === undefined ? call.values : call.values.slice(0, -1);
  return form({ ...call, values, condition: condition === undefined ? undefined : call.values.at(-1)?.sql }, before ?? after ?? "");
};
