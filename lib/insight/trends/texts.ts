import { textsOfFilters } from "../filters/expressions.ts";
import type { SeriesNode, TrendsQuery } from "../query.ts";

/** The expressions that a trend's series hold as text. */
export const trendsTexts = ({ series }: TrendsQuery): readonly string[] => series.flatMap(ofSeries);

const ofSeries = (node: SeriesNode): readonly string[] => {
  if (node.kind === "DataWarehouseNode") return [];
  const math = node.math === "hogql" && node.math_hogql !== null ? [node.math_hogql] : [];
  return [...math, ...textsOfFilters(node.properties), ...textsOfFilters(node.fixedProperties)];
};
