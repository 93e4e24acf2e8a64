import type { EnginePorts } from "../../engine/engine.ts";
import type { Ast } from "../../hogql/ast.ts";
import { QueryError } from "../../hogql/errors.ts";
import { usedNames } from "../../hogql/inspect.ts";
import { check } from "../../hogql/lower.ts";
import { parse } from "../../hogql/parse.ts";
import type { StoredSql } from "../definition.ts";
import { inSlot } from "../in-slot.ts";
import { transformed } from "../materialisation/transform.ts";
import { issueLists } from "../query/issue-lists.ts";
import { typed } from "../query/typed.ts";
import type { VersionTypes } from "../query/version-types.ts";
import { differenceOnSample } from "./sample.ts";

/** A query that cannot be materialised as it is written, and until when a form of it that can be is sought (milliseconds since 1970). */
export interface Original {
  readonly project: { readonly id: number; readonly timezone: string };
  readonly query: StoredSql;
  readonly ast: Ast;
  readonly bucket_overrides: Readonly<Record<string, string>> | null;
  readonly types: VersionTypes;
  readonly until: number;
}

/** Longest text that is looked at, in characters: as much as may be saved. */
const MAX_CHARACTERS = 100_000;

/**
 * Why a text may not take the place of a query; null where it may: it passes the live checks, and has the placeholders, the columns and
 * types of the original and, of a sample of the project's events, its rows, which are computed in one of the project's slots. Throws
 * `Busy`.
 */
export const findDifference = async (world: EnginePorts, original: Original, text: string): Promise<string | null> => {
  if (text.length > MAX_CHARACTERS) return `The query is longer than ${MAX_CHARACTERS} characters.`;
  try {
    return await fault(world, original, { ...original.query, query: text }, await parse(text, original.project.id));
  } catch (thrown) {
    if (thrown instanceof QueryError) return `The query does not run: ${thrown.message}`;
    throw thrown;
  }
};

const fault = async (
  world: EnginePorts,
  { project, query, ast, bucket_overrides, types, until }: Original,
  stored: StoredSql,
  tree: Ast,
) => {
  const [asked, sent] = [placeholdersIn(ast), placeholdersIn(tree)];
  if (asked.join() !== sent.join()) return `The placeholders must be exactly ${shown(asked)}, and are ${shown(sent)}.`;
  const { made: before } = await typed(world, project, { query, types }, ast, (options) => ({
    options,
    columns: columnsText(ast, options),
  }));
  const { made: after } = await typed(world, project, { query: stored, types }, tree, (options) => ({
    options,
    columns: columnsText(tree, options),
    found: transformed(stored, tree, bucket_overrides, options),
  }));
  if (before.columns !== after.columns) return `The columns must be ${before.columns}, and are ${after.columns}.`;
  if (after.found.kind === "refused") return `The query cannot be materialized: ${after.found.reason.text}`;
  const lists = await issueLists(world.table, project.id, usedNames([ast, tree]));
  const forms = {
    original: { ast, options: { ...before.options, ...lists } },
    rewritten: { ast: tree, options: { ...after.options, ...lists }, transform: after.found.transform },
    variables: query.variables ?? {},
    until,
  };
  return inSlot(world, { project, id: world.ids.uuid() }, async (admitted) => {
    await admitted;
    return differenceOnSample(world, forms);
  });
};

const columnsText = (...[ast, options]: Parameters<typeof check>): string =>
  check(ast, options)
    .columns.map(({ name, type }) => `${name} ${type}`)
    .join(", ");

/** Every placeholder of a query by its name, each once and in order. */
const placeholdersIn = (tree: unknown): readonly string[] => {
  const found = new Set<string>();
  JSON.stringify(tree, (_, node: unknown) => {
    const { kind, chain } = Object(node) as { readonly kind?: unknown; readonly chain?: readonly string[] };
    if (kind === "placeholder" && chain !== undefined) found.add(chain.join("."));
    return node;
  });
  return [...found].sort();
};

const shown = (names: readonly string[]): string => (names.length === 0 ? "none" : names.map((name) => `{${name}}`).join(", "));
