import { exactJson, isExactNumber } from "../../../lib/core/exact-json.ts";
import { type Fields, isFields } from "../../../lib/event/fields.ts";
import { UserError } from "../../local/user-error.ts";
import { NoEvent } from "./forms/form.ts";

/** How the columns of a table become an event: for each part of the event the column, or a text that all events have. */
export interface Mapping {
  readonly parts: readonly MappedPart[];
  /** Columns that nothing names become properties of their names. */
  readonly takesRest: boolean;
}

type From = { readonly column: string } | { readonly text: string };
type Target =
  | "event"
  | "distinct_id"
  | "timestamp"
  | "uuid"
  | "properties"
  | { readonly in: "properties" | "$set" | "$set_once"; readonly name: string };
interface MappedPart {
  readonly target: Target;
  readonly from: From;
}

const EXAMPLE = "--map event=action,distinct_id=user,timestamp=at,properties.*=*";
const WHOLE = ["event", "distinct_id", "timestamp", "uuid", "properties"] as const;
const REST = "properties.*=*";

/** Reads `--map`: `part=column` with commas between; `part==text` says the same of all events. Throws a `UserError`. */
export const readMapping = (flag: string): Mapping => {
  const rules = flag.split(",").map((rule) => rule.trim());
  const parts = rules.filter((rule) => rule !== REST).map(readRule);
  return { parts, takesRest: rules.includes(REST) };
};

const readRule = (rule: string): MappedPart => {
  const middle = rule.indexOf("=");
  if (middle < 1 || middle === rule.length - 1) throw new UserError(`--map has "${rule}", which is no part=column: ${EXAMPLE}`);
  const value = rule.slice(middle + 1);
  return { target: readTarget(rule.slice(0, middle)), from: value.startsWith("=") ? { text: value.slice(1) } : { column: value } };
};

const readTarget = (name: string): Target => {
  const whole = WHOLE.find((known) => known === name);
  if (whole !== undefined) return whole;
  const [, folder, property] = /^(properties|\$set|\$set_once)\.(.+)$/.exec(name) ?? [];
  if ((folder === "properties" || folder === "$set" || folder === "$set_once") && property !== undefined && property !== "*")
    return { in: folder, name: property };
  throw new UserError(`--map names "${name}": parts of an event are ${WHOLE.join(", ")}, properties.NAME, $set.NAME and $set_once.NAME.`);
};

/** Without `--map` columns of the parts' own names are these parts, and all others properties. */
const OWN: Mapping = Object.freeze({ parts: WHOLE.map((target): MappedPart => ({ target, from: { column: target } })), takesRest: true });

/** Makes events of a table's rows. Throws a `UserError` where the mapping names columns that are not there, or leaves out what every event needs. */
export const rowReader = (columns: readonly string[], mapping: Mapping | undefined): ((row: Fields) => Fields) => {
  const { parts, takesRest } = mapping ?? ownColumns(columns);
  for (const { from } of parts)
    if ("column" in from && !columns.includes(from.column))
      throw new UserError(`--map names the column "${from.column}", and there are ${columns.join(", ")}.`);
  for (const needed of ["event", "distinct_id", "timestamp"])
    if (!parts.some(({ target }) => target === needed))
      throw new UserError(`Which column is the ${needed}? Columns are ${columns.join(", ")}. Say it as in ${EXAMPLE}`);
  const named = new Set(parts.flatMap(({ from }) => ("column" in from ? [from.column] : [])));
  const rest = takesRest ? columns.filter((column) => !named.has(column)) : [];
  return (row) => readRow(row, parts, rest);
};

/** Makes events of objects of any names, by a mapping that says which of them is what. */
export const objectReader = ({ parts, takesRest }: Mapping): ((record: Fields) => Fields) => {
  const named = new Set(parts.flatMap(({ from }) => ("column" in from ? [from.column] : [])));
  return (record) => readRow(record, parts, takesRest ? Object.keys(record).filter((name) => !named.has(name)) : []);
};

const ownColumns = (columns: readonly string[]): Mapping => ({
  ...OWN,
  parts: OWN.parts.filter(({ from }) => "column" in from && columns.includes(from.column)),
});

const readRow = (row: Fields, parts: readonly MappedPart[], rest: readonly string[]): Fields => {
  const event: Record<string, unknown> = {};
  const folders = {
    properties: {} as Record<string, unknown>,
    $set: {} as Record<string, unknown>,
    $set_once: {} as Record<string, unknown>,
  };
  for (const { target, from } of parts) {
    const value = "text" in from ? from.text : row[from.column];
    if (value === undefined || value === null || value === "") continue;
    if (target === "properties") Object.assign(folders.properties, propertiesIn(value));
    else if (typeof target === "string") event[target] = target === "distinct_id" || typeof value === "string" ? value : plainText(value);
    else folders[target.in][target.name] = cellValue(value);
  }
  for (const column of rest) {
    const value = row[column];
    if (value !== undefined && value !== null && value !== "" && !Object.hasOwn(folders.properties, column))
      folders.properties[column] = cellValue(value);
  }
  for (const folder of ["$set", "$set_once"] as const)
    if (Object.keys(folders[folder]).length > 0) folders.properties[folder] = folders[folder];
  return { ...event, properties: folders.properties };
};

const plainText = (value: unknown): string => (isExactNumber(value) ? value.rawJSON : String(value));

const propertiesIn = (value: unknown): Fields => {
  const parsed = typeof value === "string" ? parse(value) : value;
  if (!isFields(parsed)) throw new NoEvent("the column of the properties must be a JSON object");
  return parsed;
};

const parse = (text: string): unknown => {
  try {
    return exactJson(text);
  } catch {
    throw new NoEvent("the column of the properties is no JSON");
  }
};

/**
 * A cell of text that a number or a boolean is written as becomes that, to its last digit; `007` and `1e3` stay texts, because a number would
 * not be written so.
 */
const cellValue = (value: unknown): unknown => {
  if (typeof value !== "string") return value;
  if (value === "true" || value === "false") return value === "true";
  if (!NUMBER.test(value)) return value;
  const number = exactJson(value);
  return isExactNumber(number) || String(number) === value ? number : value;
};

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
