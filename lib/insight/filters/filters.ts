import { unreachable } from "../../core/unreachable.ts";
import type { Expr } from "../../hogql/ast.ts";
import { call, constant, every, field, some } from "../../hogql/build.ts";
import { QueryError } from "../../hogql/errors.ts";
import type { Clock } from "../dates.ts";
import type { InsightContext } from "../plan.ts";
import { elementCondition } from "./element-filters.ts";
import { condition, type Subject } from "./operators.ts";
import type { Properties, PropertyFilter, PropertyGroup } from "./property-filter.ts";

/** The context of filters: `expression` gives the tree of a hogql filter's text. */
export type FilterContext = Clock & Pick<InsightContext, "expression">;

/**
 * A condition on events: all filters of a list, or a group's AND or OR; true when there is none. Throws `QueryError` for what does
 * not exist here. `filterTestAccounts` of a query has no part in it: no project here has filters of test accounts.
 */
export const propertiesCondition = (properties: Properties | null, context: FilterContext): Expr =>
  properties === null
    ? constant(true)
    : "type" in properties
      ? groupCondition(properties, context)
      : every(properties.map((filter) => filterCondition(filter, context)));

const groupCondition = ({ type, values }: PropertyGroup, context: FilterContext): Expr => {
  const items = values.map((value) => ("values" in value ? groupCondition(value, context) : filterCondition(value, context)));
  return type === "AND" || items.length === 0 ? every(items) : some(items);
};

/** One filter as a condition on events. */
export const filterCondition = (filter: PropertyFilter, context: FilterContext): Expr => {
  const { key, type, value } = filter;
  if (type === "hogql") return context.expression(key);
  const operator = filter.operator ?? "exact";
  if (type === "element") return elementCondition(key, operator, value, context);
  return condition(propertySubject({ key, type, group_type_index: filter.group_type_index }), operator, value, context);
};

/** Whose property is meant; the types are those of filters. */
export type PropertyName = Pick<PropertyFilter, "key" | "type" | "group_type_index">;

/** The expression that a filter or breakdown is about, in a query over events. Throws `QueryError` for types that do not exist here. */
export const propertySubject = ({ key, type, group_type_index: slot }: PropertyName): Subject => {
  switch (type) {
    case null:
    case "event":
      return { item: field("properties", key) };
    case "person":
      return { item: field("person", "properties", key) };
    case "person_metadata":
      return { item: knownField(["person"], key, PERSON_FIELDS), isTime: PERSON_TIMES.has(key) };
    case "session":
      return { item: field("session", key) };
    case "group":
      return groupSubject(key, slot);
    case "event_metadata":
      return metadataSubject(key);
    case "cohort":
      throw unsupported("Cohorts", "filter on properties of persons");
    case "feature":
    case "flag":
      throw unsupported("Feature flags", "filter on the event's property, such as `$feature/my-flag`");
    case "recording":
      throw unsupported("Recordings", "filter on events, or on the session with the type `session`");
    case "log_entry":
      throw unsupported("Log entries", "filter on properties of events");
    case "data_warehouse":
    case "data_warehouse_person_property":
      throw unsupported("Warehouse tables", "filter on properties of events and persons");
    case "element":
    case "hogql":
      throw new QueryError("invalid_input", `A property of the type \`${type}\` cannot be used here.`);
    default:
      return unreachable(type);
  }
};

const unsupported = (what: string, instead: string): QueryError =>
  new QueryError("unsupported", `${what} do not exist here, so properties cannot be filtered by them: ${instead}.`);

/** The key under which a group's own key is asked for among its properties. */
const GROUP_KEY = "$group_key";

const groupSubject = (key: string, slot: number | null): Subject => {
  if (slot === null) throw new QueryError("invalid_input", `The group property \`${key}\` needs a \`group_type_index\` from 0 to 4.`);
  return { item: key === GROUP_KEY ? absentIfEmpty(field(`$group_${slot}`)) : field(`group_${slot}`, "properties", key) };
};

const EVENT_TIMES: ReadonlySet<string> = new Set(["timestamp", "created_at"]);
const EVENT_FIELDS: ReadonlySet<string> = new Set([
  "event",
  "distinct_id",
  "uuid",
  "person_id",
  "person_mode",
  "elements_chain",
  ...EVENT_TIMES,
]);
/** Columns that hold an empty text where an event has none. */
const EMPTY_FIELDS: ReadonlySet<string> = new Set([
  "$session_id",
  "$window_id",
  "$group_0",
  "$group_1",
  "$group_2",
  "$group_3",
  "$group_4",
]);
const PERSON_TIMES: ReadonlySet<string> = new Set(["created_at"]);
const PERSON_FIELDS: ReadonlySet<string> = new Set(["id", "is_identified", ...PERSON_TIMES]);

const metadataSubject = (key: string): Subject => {
  if (EMPTY_FIELDS.has(key)) return { item: absentIfEmpty(field(key)) };
  return { item: knownField([], key, EVENT_FIELDS), isTime: EVENT_TIMES.has(key) };
};

const absentIfEmpty = (item: Expr): Expr => call("nullIf", item, constant(""));

const knownField = (of: readonly string[], key: string, known: ReadonlySet<string>): Expr => {
  if (known.has(key)) return field(...of, key);
  throw new QueryError("unknown_field", `There is no field \`${key}\`: known are ${[...known].map((name) => `\`${name}\``).join(", ")}.`);
};
