import { QueryError } from "../errors.ts";
import { type Expression, made } from "../expression.ts";
import type { Run } from "../run.ts";
import { parsedStamp, parsedStampSql } from "../time-sql.ts";
import { DATETIME, DATETIME64, isText, nameOf, STRING, type Type } from "../types.ts";
import { zoneOf } from "../zone.ts";
import { convert, type Target } from "./convert.ts";
import { type FunctionSpec, type Scalar, scalar } from "./spec.ts";

const to = (name: string, target: Target, ...aliases: readonly string[]): Scalar => ({
  kind: "scalar",
  name,
  aliases,
  takes: ["any"],
  lower: ([value], run) => convert(run, given(value), target, { soft: true }),
});

const given = (value: Expression | undefined): Expression => {
  if (value === undefined) throw new QueryError("number_of_arguments_doesnt_match", "An argument is missing.");
  return value;
};

/** `toDateTime(x, 'zone')`: a text is read in that zone, and the value shown in it. */
const stampIn = (name: string, plain: Type): Scalar => ({
  kind: "scalar",
  name,
  takes: ["any", name === "toDateTime64" ? "any" : "constant text", "constant text"],
  optional: 2,
  lower: (args, run) => {
    const [value, second, third] = args;
    const type = second?.type.kind === "integer" ? stampType(Number(second.known)) : plain;
    const zoneName = [third, second].find((arg) => typeof arg?.known === "string")?.known;
    const converted = { ...convert(run, given(value), "datetime64", { soft: true }), type };
    if (typeof zoneName !== "string") return converted;
    const zone = zoneOf(zoneName);
    const inZone: Type = type.kind === "datetime" ? { ...type, zone: zone.name } : type;
    if (value === undefined || !isText(value.type)) return { ...converted, type: inZone };
    if (value.known !== undefined) return { ...parsedStamp(run, value, zone), type: inZone };
    return made(parsedStampSql(run, value.sql, zone), inZone, [value], true);
  },
});

const stampType = (digits: number): Type => ({ kind: "datetime", digits: digits === 0 ? 0 : digits <= 3 ? 3 : 6 });

/** ClickHouse's letters of a date format, where `strptime` has others. */
const strptimeFormat = (format: string): string =>
  format.replaceAll("%i", "%M").replaceAll("%h", "%I").replaceAll("%s", "%S").replaceAll("%e", "%d");

const parseWith = (run: Run, value: Expression, format: Expression): Expression => {
  const pattern = strptimeFormat(String(format.known));
  const naive = `epoch_us(try_strptime(${value.sql}, ${run.bind(pattern)}::VARCHAR))`;
  const local =
    run.zone.name === "UTC" ? `make_timestamptz(${naive})` : `timezone(${run.bind(run.zone.name)}::VARCHAR, make_timestamp(${naive}))`;
  return made(local, DATETIME, [value], true);
};

export const CONVERSION: readonly FunctionSpec[] = [
  to("toString", "text"),
  to("toInt", "integer", "toInt8", "toInt16", "toInt32", "toInt64", "_toInt64"),
  to("toUInt", "unsigned", "toUInt8", "toUInt16", "toUInt32", "toUInt64", "_toUInt64"),
  to("toIntOrZero", "integer"),
  to("toFloat", "float", "toFloat32", "toFloat64", "toFloatOrNull"),
  to("toBool", "boolean", "toBoolean"),
  to("toDate", "date", "toDate32", "toDateOrNull"),
  to("toUUID", "uuid", "toUUIDOrNull"),
  stampIn("toDateTime", DATETIME),
  stampIn("toDateTime64", DATETIME64),
  {
    kind: "scalar",
    name: "toDecimal",
    takes: ["any", "constant number"],
    lower: ([value, scale], run) => convert(run, given(value), "decimal", { soft: true, scale: Number(scale?.known ?? 0) }),
  },
  {
    kind: "scalar",
    name: "parseDateTimeBestEffort",
    aliases: ["parseDateTime64BestEffort", "parseDateTimeBestEffortOrNull", "parseDateTime64BestEffortOrNull"],
    takes: ["any"],
    lower: ([value], run) => convert(run, given(value), "datetime64", { soft: true }),
  },
  {
    kind: "scalar",
    name: "parseDateTime",
    takes: ["text", "constant text"],
    lower: ([value, format], run) => parseWith(run, given(value), given(format)),
  },
  scalar({
    name: "toJSONString",
    takes: ["any"],
    type: STRING,
    nulls: "never",
    sql: ([value]) => `CAST(to_json(${value}) AS VARCHAR)`,
  }),
  {
    kind: "scalar",
    name: "toTypeName",
    takes: ["any"],
    lower: ([value], run) => run.known(nameOf(given(value).type, given(value).nullable), STRING),
  },
  {
    kind: "scalar",
    name: "accurateCastOrNull",
    aliases: ["cast", "CAST"],
    takes: ["any", "constant text"],
    lower: ([value, type], run) => convert(run, given(value), targetNamed(String(type?.known)), { soft: true }),
  },
];

const targetNamed = (name: string): Target => {
  const bare = name.replace(/^Nullable\((.*)\)$/, "$1");
  if (/^U?Int\d+$/.test(bare)) return bare.startsWith("U") ? "unsigned" : "integer";
  const known: ReadonlyMap<string, Target> = new Map([
    ["Float32", "float"],
    ["Float64", "float"],
    ["String", "text"],
    ["Bool", "boolean"],
    ["Date", "date"],
    ["DateTime", "datetime"],
    ["UUID", "uuid"],
  ]);
  const target = known.get(bare);
  if (target === undefined)
    throw new QueryError("unsupported", "Cannot cast to this type: use Int64, Float64, String, Bool, Date, DateTime or UUID.");
  return target;
};
