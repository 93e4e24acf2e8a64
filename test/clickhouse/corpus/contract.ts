import type { QueryCase } from "./case.ts";
import { AGGREGATES, WINDOWS } from "./contract/aggregates.ts";
import { ARRAYS, TUPLES_AND_MAPS } from "./contract/arrays.ts";
import { CONDITIONAL, CONVERSION } from "./contract/conversion.ts";
import { DATE_ARITHMETIC, DATE_FLOORS, DATE_PARTS } from "./contract/dates.ts";
import { ARITHMETIC, COMPARISON, ROUNDING } from "./contract/logic.ts";
import { STATEMENTS, TABLES } from "./contract/statements.ts";
import { JSON_FUNCTIONS, SEARCH, STRINGS } from "./contract/strings.ts";
import { HASHES, URLS } from "./contract/urls.ts";
import { queries } from "./queries.ts";

/** Each form of statement and each function of the contract's tables. */
export const CONTRACT: readonly QueryCase[] = [
  ...queries("contract", "statement", STATEMENTS),
  ...queries("contract", "table", TABLES),
  ...queries("contract", "aggregate", AGGREGATES),
  ...queries("contract", "window", WINDOWS),
  ...queries("contract", "conversion", CONVERSION),
  ...queries("contract", "conditional", CONDITIONAL),
  ...queries("contract", "comparison", COMPARISON),
  ...queries("contract", "arithmetic", ARITHMETIC),
  ...queries("contract", "rounding", ROUNDING),
  ...queries("contract", "date-part", DATE_PARTS),
  ...queries("contract", "date-floor", DATE_FLOORS),
  ...queries("contract", "date-arithmetic", DATE_ARITHMETIC),
  ...queries("contract", "string", STRINGS),
  ...queries("contract", "search", SEARCH),
  ...queries("contract", "json", JSON_FUNCTIONS),
  ...queries("contract", "array", ARRAYS),
  ...queries("contract", "tuple-map", TUPLES_AND_MAPS),
  ...queries("contract", "url", URLS),
  ...queries("contract", "hash", HASHES),
];
