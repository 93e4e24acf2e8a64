import { textsOfFilters } from "../filters/expressions.ts";
import type { RetentionQuery } from "../query.ts";

/** The expressions that a retention's two entities hold as text. */
export const retentionTexts = ({ retentionFilter: { targetEntity, returningEntity } }: RetentionQuery): readonly string[] =>
  [targetEntity, returningEntity].flatMap((entity) => textsOfFilters(entity?.properties ?? null));
