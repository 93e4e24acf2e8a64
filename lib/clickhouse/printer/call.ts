import type { Call, CompareOp } from "../../hogql/ast.ts";
import { UNITS } from "../../hogql/types.ts";
import { aggregateForm } from "./aggregates.ts";
import { compare } from "./compare.ts";
import { CONVERSIONS } from "./conversions.ts";
import { expr } from "./expr.ts";
import { fitArgument } from "./fit.ts";
import { listed } from "./functions.ts";
import { type Kind, type Piece, piece } from "./piece.ts";
import type { Scope } from "./scope.ts";
import type { Statement } from "./statement.ts";
import { Unprintable } from "./unprintable.ts";

/** Functions that are another way of writing an operator. */
const OPERATORS: ReadonlyMap<string, CompareOp> = new Map<string, CompareOp>([
  ["equals", "=="],
  ["notEquals", "!="],
  ["less", "<"],
  ["lessOrEquals", "<="],
  ["greater", ">"],
  ["greaterOrEquals", ">="],
  ["like", "like"],
  ["notLike", "not like"],
  ["ilike", "ilike"],
  ["notILike", "not ilike"],
  ["in", "in"],
  ["notIn", "not in"],
  ["match", "=~"],
]);

/** Functions whose name on ClickHouse is another. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ["array_agg", "groupArray"],
  ["avgArray", "avgArrayOrNull"],
  ["medianArray", "medianArrayOrNull"],
  ["date_diff", "dateDiff"],
  ["date_trunc", "dateTrunc"],
  ["substrUTF8", "substringUTF8"],
  // They count bytes here.
  ["levenshteinDistanceUTF8", "levenshteinDistance"],
  ["editDistanceUTF8", "editDistance"],
  // Of 0 they are NULL here.
  ["modulo", "moduloOrNull"],
  ["positiveModulo", "positiveModuloOrNull"],
  ["_caseWithExpression", "caseWithExpression"],
]);

/** Functions that only the other engine has, or that are others here. */
const ABSENT: ReadonlySet<string> = new Set(["countryCodeToName", "languageCodeToName", "initcapUTF8"]);

/** A text without the parts of characters at either end of it, which no text holds here. */
const whole = (text: string): string => `replaceAll(toValidUTF8(${text}), '\uFFFD', '')`;

/** Functions that are written with others. */
const TEMPLATES: ReadonlyMap<string, (args: readonly string[]) => string> = new Map<string, (args: readonly string[]) => string>([
  // Floats of 32 bits have 64 here.
  ["reinterpretAsFloat32", ([value]) => `toFloat64(reinterpretAsFloat32(${value}))`],
  ["isUUID", ([value]) => `isNotNull(toUUIDOrNull(${value}))`],
  ...["substring", "substr", "mid", "byteSlice", "left", "right"].map(
    (name) => [name, (args: readonly string[]) => whole(`${name}(${args.join(", ")})`)] as const,
  ),
]);

/** Of a unit, a number and a time: ClickHouse reads the unit as a word of its grammar. */
const WITH_UNIT: ReadonlyMap<string, string> = new Map([
  ...["dateAdd", "date_add", "timeStampAdd", "timestamp_add", "timestampAdd"].map((name) => [name, "dateAdd"] as const),
  ...["dateSub", "date_sub", "timeStampSub", "timestamp_sub", "timestampSub"].map((name) => [name, "dateSub"] as const),
]);

const unitWord = (known: Piece["known"]): string => {
  const word = String(known).toLowerCase().replace(/s$/, "");
  const unit = UNITS.find((each) => each === word);
  if (unit === undefined) throw new Unprintable("a shift by another unit");
  return unit;
};

/** Functions over rows in the order of their time, which ClickHouse has for whole numbers: they get microseconds, and spans too. */
const SEQUENCES = /^(windowFunnel|sequenceMatch|sequenceCount)(If)?$/;
const MICROS = 1_000_000;

const inMicros = ({ sql }: Piece): string => `toUInt64(toUnixTimestamp64Micro(toDateTime64(${sql}, 6)))`;

const sequence = ({ text }: Statement, called: string, params: readonly Piece[], args: readonly Piece[]): string => {
  const [first, ...rest] = params;
  const window =
    typeof first?.known === "string"
      ? text(
          first.known.replaceAll(/\(\?t([<>=]+)(\d+)\)/g, (_, sign: string, seconds: string) => `(?t${sign}${Number(seconds) * MICROS})`),
        )
      : `${first?.sql} * ${MICROS}`;
  const [time, ...conditions] = args;
  return `${called}(${[window, ...rest.map(({ sql }) => sql)].join(", ")})(${[time === undefined ? "" : inMicros(time), ...conditions.map(({ sql }) => sql)].join(", ")})`;
};

/** A call as ClickHouse has it: most functions are its own and keep their names. `over` is ` OVER (…)`, or nothing. */
export const call = (scope: Scope, node: Call, over = ""): Piece => {
  const { name, takes } = listed(node.name);
  const conversion = CONVERSIONS.get(name);
  const args = node.args.map((arg, index) =>
    arg.kind === "field" && arg.chain[0] === "*"
      ? piece("*")
      : fitArgument(scope.statement, expr(scope, arg), name, takes[Math.min(index, takes.length - 1)]),
  );
  if (conversion !== undefined) return conversion(args, scope.statement);
  if (ABSENT.has(name)) throw new Unprintable(name);
  const operator = OPERATORS.get(name);
  const [left, right, most] = args;
  if (name === "between" && left !== undefined && right !== undefined && most !== undefined)
    return piece(`and(${compare(scope.statement, ">=", left, right, "value")}, ${compare(scope.statement, "<=", left, most, "value")})`);
  if (operator !== undefined && left !== undefined && right !== undefined) {
    const list = (operator === "in" || operator === "not in") && right.known !== undefined ? piece(`(${right.sql})`) : right;
    return piece(compare(scope.statement, operator, left, list, "value"));
  }
  const template = TEMPLATES.get(name);
  if (template !== undefined) return piece(template(args.map(({ sql }) => sql)), kindOfCall(name, args));
  const given = node.params?.map((param) => expr(scope, param));
  const behind = `${node.filter === undefined ? "" : ` FILTER (WHERE ${expr(scope, node.filter).sql})`}${over}`;
  if (SEQUENCES.test(name) && given !== undefined && args[0]?.kind === "time")
    return piece(`${sequence(scope.statement, name, given, args)}${behind}`);
  const params = given === undefined ? "" : `(${given.map(({ sql }) => sql).join(", ")})`;
  const isDistinct = node.distinct === true;
  const order = (node.orderBy ?? []).map((item) => ({ item, key: expr(scope, item.expr) }));
  const form = aggregateForm(name, { params: given?.map(({ sql }) => sql) ?? [], values: args, distinct: isDistinct, order, behind });
  if (form !== undefined) return piece(form, kindOfCall(name, args));
  const shift = args.length === 3 ? WITH_UNIT.get(name) : undefined;
  if (shift !== undefined && right !== undefined && most !== undefined)
    return piece(`${shift}(${unitWord(left?.known)}, ${right.sql}, ${most.sql})`, isTime(most) ? most.kind : "time");
  const sqls = args.map(({ sql }, index) => (index === 0 && givesList(name, args) ? `ifNull(${sql}, '')` : sql));
  return {
    sql: `${nameHere(name, args)}${params}(${isDistinct ? "DISTINCT " : ""}${sqls.join(", ")})${behind}`,
    kind: kindOfCall(name, args),
  };
};

/** Of an array `reverse` is its own; the bytes of a text in reverse are no text. */
const nameHere = (name: string, [first]: readonly Piece[]): string =>
  name === "reverse" && first?.kind === "text" ? "reverseUTF8" : (NAMES.get(name) ?? name);

/** Arrays are never NULL on ClickHouse, so that what they are read from may not be, either. */
const givesList = (name: string, args: readonly Piece[]): boolean =>
  LISTS_OF_JSON.test(name) || (name === "JSONExtract" && /^\s*(array|map|tuple)/i.test(String(args.at(-1)?.known)));
const LISTS_OF_JSON = /^JSONExtract(ArrayRaw|Keys|KeysAndValues|KeysAndValuesRaw)$/;

const TIMES =
  /^(toStartOf(Day|Hour|Minute|Second|FiveMinutes|TenMinutes|FifteenMinutes|Interval)|toTimeZone|UUIDv7ToDateTime|fromUnix\w*)$/;
const DATES = /^(toStartOf(Year|ISOYear|Quarter|Month|Week)|toMonday|toLastDayOfMonth|makeDate)$/;
const SHIFTS = /^(add|subtract)(Seconds|Minutes|Hours|Days|Weeks|Months|Quarters|Years)$/;
const TEXTS =
  /^(concat|substring\w*|substr|lower\w*|upper\w*|trim\w*|replace\w*|formatDateTime|JSONExtractString|JSONExtractRaw|JSON_VALUE|extract|arrayStringConcat|leftPad|rightPad|left|right|mid|reverse|repeat|base64Decode|decodeURLComponent|extractURLParameter|monthName|dateName|toTypeName|domain\w*|path\w*|hex)$/;
/** Their value is one of their arguments'. */
const PASSING =
  /^(min|max|any|anyLast|argMin|argMax|coalesce|ifNull|nullIf|assumeNotNull|toNullable|greatest|least|lag\w*|lead\w*|first_value|last_value|nth_value)(If)?$/;
const CHOOSING = /^(if|multiIf)$/;
const NUMBERS =
  /^(count|sum|avg|uniq|median|quantile|stddev|var|round|floor|ceil|abs|length|toUnixTimestamp|toYear|toMonth|toHour|toDayOf|toMinute|toSecond|toQuarter|dateDiff|date_diff|age|toYYYY|row_number|rank|dense_rank|position|JSONExtract(Int|UInt|Float)|JSONLength)/;

const kindOfCall = (called: string, args: readonly Piece[]): Kind => {
  if (/^toInterval/.test(called)) return "interval";
  if (TIMES.test(called)) return "time";
  if (DATES.test(called)) return "date";
  if (SHIFTS.test(called)) return args[0]?.kind === "text" ? "time" : (args[0]?.kind ?? "other");
  if (/^(dateAdd|dateSub|date_add|date_sub|timeStampAdd|timeStampSub)$/.test(called)) return args.find(isTime)?.kind ?? "other";
  if (/^date_?trunc$/i.test(called)) return /year|quarter|month|week/i.test(String(args[0]?.known)) ? "date" : "time";
  if (TEXTS.test(called)) return "text";
  if (PASSING.test(called)) return args[0]?.kind ?? "other";
  if (CHOOSING.test(called)) return args.slice(1).find(({ kind }) => kind !== "null")?.kind ?? "other";
  return NUMBERS.test(called) ? "number" : "other";
};

const isTime = ({ kind }: Piece): boolean => kind === "time" || kind === "date";
