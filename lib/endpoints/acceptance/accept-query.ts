import type * as z from "zod";
import { shortened } from "../../core/shortened.ts";
import { nearest } from "../../core/suggest.ts";
import { isHyphenatedUuid } from "../../core/uuid.ts";
import { QueryError, savedCode, withCaret } from "../../hogql/errors.ts";
import { usedNames } from "../../hogql/inspect.ts";
import { type CheckOptions, check } from "../../hogql/lower.ts";
import { parse } from "../../hogql/parse.ts";
import { invalid } from "../../http/errors.ts";
import { sqlFilters } from "../../insight/sql-filters.ts";
import { readGroupTypes } from "../../lake/group-types.ts";
import { readPropertyTypes } from "../../lake/learn-types.ts";
import { type TypeLookup, withPropertyTypes } from "../../lake/query-types.ts";
import type { Ports } from "../../ports/ports.ts";
import { type AcceptedQuery, type EndpointQuery, type HogQLQuery, type QueryVariable, type StoredSql, storedSql } from "../definition.ts";
import { variablesIn } from "../materialisation/checks/variable-uses.ts";
import { namedTables } from "../query/named-tables.ts";
import { packAst } from "../query/stored-ast.ts";
import { typesIn } from "../query/version-types.ts";
import { type AcceptContext, acceptInsight } from "./accept-insight.ts";

/** The bytes that a version's query may take in its item: its JSON, its tree and its columns. An item has 400 KB, and the settings need some. */
const MAX_STORED_BYTES = 300_000;
/** Longest text of a query, in characters. */
const MAX_QUERY_CHARACTERS = 100_000;

/** Parses and checks a query once, when it is saved. Everything wrong with it is a 400 on `query`. */
export const acceptQuery = async (sent: EndpointQuery, context: AcceptContext): Promise<AcceptedQuery> => {
  // Before anything is read in it: what is beside its text costs work, too.
  if (Buffer.byteLength(JSON.stringify(sent)) > MAX_STORED_BYTES) throw tooLarge();
  const accepted = await (sent.kind === "HogQLQuery" ? acceptSql(sent, context) : acceptInsight(sent, context));
  const bytes = Buffer.byteLength(JSON.stringify([accepted.query, accepted.columns, accepted.property_types])) + accepted.ast.length;
  if (bytes > MAX_STORED_BYTES) throw tooLarge();
  return accepted;
};

const tooLarge = () => invalid("query", "The query is too large to be stored. Shorten it, or what it carries beside its text.");

const acceptSql = async (sent: z.output<typeof HogQLQuery>, context: AcceptContext): Promise<AcceptedQuery> => {
  if (sent.query.trim() === "") throw invalid("query", "Invalid HogQL query: the text is empty.");
  if (sent.query.length > MAX_QUERY_CHARACTERS) {
    throw invalid("query", `Invalid HogQL query: the text is longer than ${MAX_QUERY_CHARACTERS} characters.`);
  }
  try {
    const ast = await parse(sent.query, context.project);
    const filters = sqlFilters(sent.filters, context);
    const { made: checked, property_types } = await context.typed([ast, filters.condition, filters.from, filters.to], (types) =>
      check(ast, { ...types, values: sent.values ?? null, filters }),
    );
    return {
      query: storedSql(sent, usedVariables(sent.variables ?? {}, [...new Set([...checked.variables, ...variablesIn(ast)])])),
      ast: packAst(ast),
      columns: checked.columns.map(({ name, type }) => ({ name, type })),
      property_types,
    };
  } catch (error) {
    if (error instanceof QueryError) throw invalid("query", `Invalid HogQL query: ${withCaret(error, sent.query)}`, savedCode(error));
    throw error;
  }
};

export const acceptContext = async (
  { table, clock, log }: Pick<Ports, "table" | "clock" | "log">,
  { id, timezone }: { readonly id: number; readonly timezone: string },
): Promise<AcceptContext> => {
  const now = clock.now();
  const groupTypes = await readGroupTypes(table, id);
  return {
    project: id,
    now,
    timezone,
    typed: async (trees, make) => {
      const used = usedNames(trees);
      const tables = await namedTables(table, id, used);
      const wanted = used.properties(groupTypes);
      const typed = (propertyType: NonNullable<CheckOptions["propertyType"]>) => make({ timezone, groupTypes, propertyType, tables });
      const { made, lookups } = await withPropertyTypes(table, id, now, wanted, typed);
      await warnOfNeverSeen({ table, log }, id, lookups);
      return { made, property_types: { ...typesIn(lookups) } };
    },
  };
};

/** The definitions that the text uses, whatever the others look like; null when it uses none. */
const usedVariables = (defined: Readonly<Record<string, QueryVariable>>, used: readonly string[]): StoredSql["variables"] => {
  if (used.includes(""))
    throw invalid("query", "Invalid HogQL query: the placeholder {variables} names no variable. Write {variables.code_name}.");
  const definedNames = Object.values(defined).map((variable) => variable.code_name);
  const undefinedNames = used.filter((name) => !definedNames.includes(name));
  if (undefinedNames.length > 0) {
    const named = undefinedNames.map((name) => `"${name}"${meant(nearest(name, definedNames), (near) => `"${near}"`)}`);
    throw invalid("query", `The query uses undefined variable(s) ${named.join(", ")}. Define each under "variables", keyed by a UUID.`);
  }
  if (used.length === 0) return null;
  const kept = Object.entries(defined).filter(([, variable]) => used.includes(variable.code_name));
  const crooked = kept.find(([id]) => !isHyphenatedUuid(id));
  if (crooked !== undefined) throw invalid("query", `The key of a variable must be a UUID, and "${crooked[0]}" is none.`);
  return Object.fromEntries(kept);
};

/** Properties that one line names, and characters of each. */
const MOST_NAMED = 10;
const MOST_CHARACTERS = 100;

/**
 * Says in the log which properties of a saved query no event has had so far, with the nearest name that one had: most are misspelt,
 * and read as NULL. Nothing is wrong with the query, whose events may be still to come.
 */
const warnOfNeverSeen = async (
  { table, log }: Pick<Ports, "table" | "log">,
  project: number,
  lookups: readonly TypeLookup[],
): Promise<void> => {
  const untyped = lookups.filter(([, , type]) => type === null);
  if (untyped.length === 0) return;
  const known = await readPropertyTypes(table, project);
  // Where names are forgotten, one without a type may have been seen.
  if (known.isCrowded) return;
  const named = untyped.slice(0, MOST_NAMED).map(([owner, name]) => {
    return `${logged(name)} of ${owner}${meant(nearest(name, known.of[owner].keys()), logged)}`;
  });
  const others = untyped.length > MOST_NAMED ? ` and ${untyped.length - MOST_NAMED} others` : "";
  log.line("warn", "property-never-seen", { project, properties: named.join(", ") + others });
};

/** The nearest name that there is, if one is near. */
const meant = (name: string | undefined, shown: (name: string) => string): string =>
  name === undefined ? "" : ` (did you mean ${shown(name)}?)`;

const logged = (name: string): string => shortened(name, MOST_CHARACTERS);
