import { type BreakdownFilter, breakdownNames } from "../query.ts";
import type { Properties, PropertyFilter, PropertyGroup } from "./property-filter.ts";

/** The texts of the filters of the type `hogql`. */
export const filterExpressions = (properties: Properties | null): readonly string[] => {
  if (properties === null) return [];
  return Array.isArray(properties) ? properties.flatMap(ofFilter) : ofGroup(properties);
};

const ofGroup = ({ values }: PropertyGroup): readonly string[] =>
  values.flatMap((value) => ("values" in value ? ofGroup(value) : ofFilter(value)));

const ofFilter = ({ type, key }: PropertyFilter): readonly string[] => (type === "hogql" ? [key] : []);

/** The texts of the breakdowns of the type `hogql`. */
export const breakdownExpressions = (filter: BreakdownFilter | null): readonly string[] => {
  if (filter?.breakdowns && filter.breakdowns.length > 0) {
    return filter.breakdowns.flatMap(({ type, property }) => (type === "hogql" ? [String(property)] : []));
  }
  return filter?.breakdown_type === "hogql" ? breakdownNames(filter) : [];
};
