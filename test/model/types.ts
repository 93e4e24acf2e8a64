import { type Copy, GROUP_EVENTS } from "./copies.ts";
import { Exact, type Json, objectOr } from "./json.ts";
import { readTime } from "./times.ts";

/** The types for which values of the copies' properties speak, by whose they are and name: `event plan` → `Numeric`. */
export const spokenTypesOf = (copies: readonly Copy[], slots: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> => {
  const types = new Map<string, Set<string>>();
  const see = (owner: string, properties: Json): void => {
    for (const [name, value] of Object.entries(properties)) {
      const type = typeOf(name, value);
      if (type !== null) types.set(`${owner} ${name}`, (types.get(`${owner} ${name}`) ?? new Set()).add(type));
    }
  };
  for (const { event, isPersonal, properties } of copies) {
    see("event", properties);
    const { $set, $set_once, $group_type, $group_set } = properties;
    if (isPersonal && event !== "$exception" && event !== "$$heatmap" && !GROUP_EVENTS.includes(event)) {
      see("person", objectOr($set));
      see("person", objectOr($set_once));
    }
    const slot = slots.indexOf(String($group_type));
    if (isPersonal && GROUP_EVENTS.includes(event) && slot >= 0) see(`group_${slot}`, objectOr($group_set));
  }
  return types;
};

const ALWAYS_TEXT = /^(utm_|\$initial_utm_|\$feature\/|\$feature_flag_response$|\$survey_response|\$group_\d$)/;
const ISO = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)?)?$/;

const typeOf = (name: string, value: unknown): string | null => {
  if ((value ?? null) === null || value === "") return null;
  if (ALWAYS_TEXT.test(name)) return "String";
  if (typeof value === "number" || value instanceof Exact) return "Numeric";
  if (typeof value === "boolean") return "Boolean";
  return typeof value === "string" && ISO.test(value) && readTime(value) !== null ? "DateTime" : "String";
};
