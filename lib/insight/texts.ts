import type { BreakdownFilter } from "./breakdowns/breakdown-filter.ts";
import type { Properties, PropertyFilter, PropertyGroup } from "./filters/property-filter.ts";
import type { InsightQuery, SeriesNode } from "./query.ts";

/** Every expression that an insight holds as text, each once: maths, filters and breakdowns of the type `hogql`. */
export const expressionTexts = (query: InsightQuery): readonly string[] => [
  ...new Set([...ofProperties(query.properties), ...ofBreakdowns(query.breakdownFilter), ...ofKind(query)]),
];

/** The names of an insight's breakdowns in their order: its properties, or the texts of its expressions. */
export const breakdownNames = (filter: BreakdownFilter | null): readonly string[] => {
  if (filter === null) return [];
  if (filter.breakdowns !== null && filter.breakdowns.length > 0) return filter.breakdowns.map(({ property }) => String(property));
  if (filter.breakdown === null) return [];
  return Array.isArray(filter.breakdown) ? filter.breakdown.map(String) : [String(filter.breakdown)];
};

const ofKind = (query: InsightQuery): readonly string[] => {
  if (query.kind === "TrendsQuery") return query.series.flatMap(ofSeries);
  const { targetEntity, returningEntity } = query.retentionFilter;
  return [targetEntity, returningEntity].flatMap((entity) => ofProperties(entity?.properties ?? null));
};

const ofSeries = (node: SeriesNode): readonly string[] => {
  if (node.kind === "DataWarehouseNode") return [];
  const math = node.math === "hogql" && node.math_hogql !== null ? [node.math_hogql] : [];
  return [...math, ...ofProperties(node.properties), ...ofProperties(node.fixedProperties)];
};

const ofProperties = (properties: Properties | null): readonly string[] => {
  if (properties === null) return [];
  return Array.isArray(properties) ? properties.flatMap(ofFilter) : ofGroup(properties);
};

const ofGroup = ({ values }: PropertyGroup): readonly string[] =>
  values.flatMap((value) => ("values" in value ? ofGroup(value) : ofFilter(value)));

const ofFilter = ({ type, key }: PropertyFilter): readonly string[] => (type === "hogql" ? [key] : []);

const ofBreakdowns = (filter: BreakdownFilter | null): readonly string[] => {
  if (filter?.breakdowns && filter.breakdowns.length > 0) {
    return filter.breakdowns.flatMap(({ type, property }) => (type === "hogql" ? [String(property)] : []));
  }
  return filter?.breakdown_type === "hogql" ? breakdownNames(filter) : [];
};
