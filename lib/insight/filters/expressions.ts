import type { BreakdownFilter } from "../breakdowns/breakdown-filter.ts";
import type { Properties, PropertyFilter, PropertyGroup } from "./property-filter.ts";

/** The names of an insight's breakdowns in their order: its properties, or the texts of its expressions. */
export const breakdownNames = (filter: BreakdownFilter | null): readonly string[] => {
  if (filter === null) return [];
  if (filter.breakdowns !== null && filter.breakdowns.length > 0) return filter.breakdowns.map(({ property }) => String(property));
  if (filter.breakdown === null) return [];
  return Array.isArray(filter.breakdown) ? filter.breakdown.map(String) : [String(filter.breakdown)];
};

/** The texts of the filters of the type `hogql`. */
export const textsOfFilters = (properties: Properties | null): readonly string[] => {
  if (properties === null) return [];
  return Array.isArray(properties) ? properties.flatMap(ofFilter) : ofGroup(properties);
};

const ofGroup = ({ values }: PropertyGroup): readonly string[] =>
  values.flatMap((value) => ("values" in value ? ofGroup(value) : ofFilter(value)));

const ofFilter = ({ type, key }: PropertyFilter): readonly string[] => (type === "hogql" ? [key] : []);

/** The texts of the breakdowns of the type `hogql`. */
export const textsOfBreakdowns = (filter: BreakdownFilter | null): readonly string[] => {
  if (filter?.breakdowns && filter.breakdowns.length > 0) {
    return filter.breakdowns.flatMap(({ type, property }) => (type === "hogql" ? [String(property)] : []));
  }
  return filter?.breakdown_type === "hogql" ? breakdownNames(filter) : [];
};
