import { didYouMean } from "../../core/suggest.ts";
import { type Position, QueryError } from "../errors.ts";
import { FOREIGN_FUNCTIONS, findReplacement, UNSUPPORTED } from "./absent-functions.ts";
import { AGGREGATE_COMBINATORS, combinatorAggregate } from "./aggregates/aggregate-combinators.ts";
import { AGGREGATES, MOMENTS } from "./aggregates/aggregates.ts";
import { RUNNING } from "./aggregates/running.ts";
import { SEQUENCES } from "./aggregates/sequences.ts";
import { WINDOWS } from "./aggregates/windows.ts";
import { ARITHMETIC } from "./arithmetic.ts";
import { CONVERSION_FUNCTIONS } from "./casts/conversion-functions.ts";
import { REINTERPRET } from "./casts/reinterpret.ts";
import { ARRAY_ITEMS } from "./collections/array-items.ts";
import { ARRAY_LAMBDAS } from "./collections/array-lambdas.ts";
import { ARRAYS } from "./collections/arrays.ts";
import { MAPS, TUPLES } from "./collections/tuples-and-maps.ts";
import { CONDITIONAL } from "./conditional.ts";
import { DATE_ARITHMETIC } from "./dates/date-arithmetic.ts";
import { DATE_FLOOR } from "./dates/date-floor.ts";
import { DATE_PARTS } from "./dates/date-parts.ts";
import { JSON_FUNCTIONS } from "./json/json.ts";
import type { Aggregate, FunctionSpec } from "./spec.ts";
import { COUNTRY_NAMES } from "./texts/country-names.ts";
import { ENCODINGS } from "./texts/encodings.ts";
import { HASHES } from "./texts/hashes.ts";
import { SEARCH, SIMILARITY } from "./texts/search.ts";
import { SPLITS } from "./texts/splits.ts";
import { STRINGS } from "./texts/strings.ts";
import { INTERNET, URLS } from "./texts/urls-and-addresses.ts";

/** Every function of the language, by what it is about; the last are those that are refused. */
export const FAMILIES: ReadonlyMap<string, readonly FunctionSpec[]> = new Map<string, readonly FunctionSpec[]>([
  ["Conversion", [...CONVERSION_FUNCTIONS, ...REINTERPRET]],
  ["Conditions", CONDITIONAL],
  ["Arithmetic", ARITHMETIC],
  ["Parts of dates", DATE_PARTS],
  ["Starts of periods", DATE_FLOOR],
  ["Date arithmetic", DATE_ARITHMETIC],
  ["Strings", [...STRINGS, ...SPLITS, ...ENCODINGS, ...COUNTRY_NAMES]],
  ["Search", [...SEARCH, ...SIMILARITY]],
  ["URLs and addresses", [...URLS, ...INTERNET]],
  ["JSON", JSON_FUNCTIONS],
  ["Arrays", [...ARRAYS, ...ARRAY_ITEMS, ...ARRAY_LAMBDAS]],
  ["Tuples and maps", [...TUPLES, ...MAPS]],
  ["Hashes", HASHES],
  ["Aggregates", [...AGGREGATES, ...AGGREGATE_COMBINATORS, ...MOMENTS, ...RUNNING, ...SEQUENCES]],
  ["Windows", WINDOWS],
  ["Refused", UNSUPPORTED],
]);

const byName = new Map<string, FunctionSpec>();
const byFoldedName = new Map<string, FunctionSpec>();
for (const spec of [...FAMILIES.values()].flat()) {
  for (const name of [spec.name, ...(spec.aliases ?? [])]) {
    byName.set(name, spec);
    if (spec.anyCase) byFoldedName.set(name.toLowerCase(), spec);
  }
}

/** A function by the name a query uses, with what an aggregate's name adds at its end. */
export interface FunctionMatch {
  readonly spec: FunctionSpec;
  readonly condition: boolean;
  readonly empty: "null" | "default" | null;
}

/** Throws `QueryError` for names that are none, with the nearest one that is. */
export const findFunction = (name: string, at?: Position): FunctionMatch => {
  const spec = exact(name);
  if (spec !== undefined) return { spec, condition: false, empty: null };
  if (name.length > LONGEST_NAME) throw new QueryError("unknown_function", `Unknown function \`${name}\`.`, at);
  const found = combinator(name);
  if (found !== undefined) return found;
  if (STATE.test(name) && combinator(name.replace(STATE, "")) !== undefined) {
    throw new QueryError(
      "unsupported_function",
      `Unsupported function \`${name}\`: states of aggregates are not stored here. Aggregate the rows themselves.`,
      at,
    );
  }
  if (/(Array|ForEach|Map)$/.test(name) && findAggregate(name.replace(/(Array|ForEach|Map)$/, "")) !== undefined) {
    throw new QueryError(
      "unsupported_function",
      `Unsupported function \`${name}\`: join the array out with arrayJoin, then aggregate its elements.`,
      at,
    );
  }
  const instead = findReplacement(name) ?? ofGreatest(name);
  if (instead !== undefined) throw new QueryError("unsupported_function", `Unsupported function \`${name}\`: ${instead}`, at);
  const here = FOREIGN_FUNCTIONS.get(name.toLowerCase());
  const hint = here === undefined ? didYouMean(name, byName.keys()) : ` Write ${here}.`;
  throw new QueryError("unknown_function", `Unknown function \`${name}\`.${hint}`, at);
};

/** No function's name is as long with all its endings: what follows looks for endings at each letter of a name. */
const LONGEST_NAME = 256;

/** The end of a name of an aggregate's state, or of one that puts states together. */
const STATE = /(Simple)?(State|Merge)+(Or(Null|Default))?(If)?$/;

/** The end of the name of an aggregate over the rows in which another value is greatest or least. */
const OF_GREATEST = /Arg(Max|Min)(Or(Null|Default))?(If)?$/;

const ofGreatest = (name: string): string | undefined => {
  if (!OF_GREATEST.test(name) || combinator(name.replace(OF_GREATEST, "")) === undefined) return undefined;
  return "aggregate the rows in which the other value is greatest or least: sumIf(x, y = (SELECT max(y) FROM events)).";
};

const exact = (name: string): FunctionSpec | undefined => byName.get(name) ?? byFoldedName.get(name.toLowerCase());

const findAggregate = (name: string): Aggregate | undefined => {
  const spec = exact(name);
  return spec?.kind === "aggregate" ? spec : undefined;
};

/** `sumIf`, `countIf`, `avgOrNull`, `sumOrDefaultIf`, `countDistinctIf`, `sumArray`, `avgForEachIf`, … */
const combinator = (name: string): FunctionMatch | undefined => {
  const condition = /If(Or(Null|Default))?$/.test(name);
  const empty = /OrNull(If)?$/.test(name) ? "null" : /OrDefault(If)?$/.test(name) ? "default" : null;
  const base = name.replace(/(If)?(Or(Null|Default))?$|(Or(Null|Default))?If$/, "");
  const spec = findAggregate(base) ?? combinatorAggregate(base);
  return spec === undefined ? undefined : { spec, condition, empty };
};
