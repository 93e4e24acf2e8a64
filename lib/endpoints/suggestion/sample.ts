import type { Cell, EnginePorts, Rows } from "../../engine/engine.ts";
import type { Ast } from "../../hogql/ast.ts";
import { alias, constant, select } from "../../hogql/build.ts";
import { QueryError } from "../../hogql/errors.ts";
import { lower } from "../../hogql/lower.ts";
import type { LowerOptions } from "../../hogql/options.ts";
import { sameTree } from "../../hogql/walk.ts";
import type { FileFacts, Manifest, PinnedState } from "../../lake/catalogue.ts";
import { pin } from "../../lake/pin.ts";
import type { StoredSql } from "../definition.ts";
import type { Transform } from "../materialisation/transform.ts";

type Options = Omit<LowerOptions, "variables" | "page">;
type Values = Readonly<Record<string, unknown>>;

interface Form {
  readonly ast: Ast;
  readonly options: Options;
}

/** A query and another form of it, what defines their variables, and until when they may run (milliseconds since 1970). */
export interface Forms {
  readonly original: Form;
  readonly rewritten: Form & { readonly transform: Transform };
  readonly variables: NonNullable<StoredSql["variables"]>;
  readonly until: number;
}

/** Rows of one run that are compared, its longest time, and the runs with other values than the defaults. */
const MAX_ROWS = 10_000;
const RUN_MS = 5_000;
const TUPLES = 4;
const MAX_REPLY_BYTES = 16_777_216;

/** Where both forms of a query differ over a sample of the project's events, for some values of the variables; null where they do not. */
export const differenceOnSample = async (world: EnginePorts, forms: Forms): Promise<string | null> => {
  const { original, rewritten } = forms;
  const missing = lost(original.ast, rewritten.ast);
  if (missing !== null) return missing;
  const pinned = sampleState(await pin(world, original.options.project, null, { events: true, state: true }));
  const run = (form: Form, values: Values) =>
    sampleRows(world, { ...form, ast: { ...form.ast, limit: null, offset: null } }, values, pinned, forms.until);
  for (const values of await valuesFor(world, forms, pinned)) {
    const before = await run(original, values).catch(notRun);
    if (before === undefined || before.length > MAX_ROWS) continue;
    const after = await run(rewritten, values);
    if (!sameTree(before, after)) return differing(before.length, after.length);
  }
  return null;
};

const differing = (before: number, after: number): string =>
  before === after
    ? "For some values of the variables the rows are others than those of the original."
    : `For some values of the variables there are ${after} rows, and the original has ${before}.`;

/** What the original says about order and number of its rows, and the other does not. */
const lost = (before: Ast, after: Ast): string | null => {
  const isOrdered = (ast: Ast): boolean => ast.kind === "select" && ast.orderBy.length > 0;
  if (isOrdered(before) && !isOrdered(after)) return "The original has an ORDER BY, which is missing.";
  const page = ({ limit, offset }: Ast): unknown => [limit, offset];
  return sameTree(page(before), page(after)) ? null : "LIMIT and OFFSET must be those of the original.";
};

const ALL = { page: null, maxRows: MAX_ROWS + 1, defaultRows: MAX_ROWS + 1 } as const;

/** The defaults, and what the events of the sample have in the columns that the variables are compared with. */
const valuesFor = async (world: EnginePorts, { rewritten, variables, until }: Forms, pinned: PinnedState): Promise<readonly Values[]> => {
  const defaults = Object.fromEntries(
    Object.values(variables).map(({ code_name, value, isNull }) => [code_name, isNull === true ? null : (value ?? null)]),
  );
  const { plan } = rewritten.transform;
  if (plan === null) return [defaults];
  const byVariable = new Map(plan.extracted.variableColumns.map((one) => [one.variable, one]));
  const columns = [...byVariable].map(([name, { source }]) => alias(name, source));
  const { ctes, from, joins, arrayJoin, prewhere, where } = plan.extracted.select;
  const ast = select(columns, { ctes, distinct: true, from, joins, arrayJoin, prewhere, where, limit: constant(TUPLES) });
  const tuples = (await sampleRows(world, { ast, options: rewritten.options }, {}, pinned, until).catch(notRun)) ?? [];
  const found = tuples.map((tuple) => Object.fromEntries([...byVariable.keys()].map((name, index) => [name, tuple[index]])));
  return [defaults, ...found.map((values) => ({ ...defaults, ...values }))];
};

/** Rows in one order: those that are equal in what they are ordered by have none of their own. */
const sampleRows = async (
  { engine, clock }: EnginePorts,
  { ast, options }: Form,
  variables: Values,
  pinned: PinnedState,
  until: number,
): Promise<Rows["rows"]> => {
  const { lowered } = lower(ast, { ...options, ...ALL, variables });
  const timeMs = Math.min(RUN_MS, until - clock.now());
  if (timeMs <= 0) throw new QueryError("query_timeout", "There was no time left to compare the rows.");
  const { rows } = await engine.run(lowered, pinned, { timeMs, maxRows: MAX_ROWS + 1, maxReplyBytes: MAX_REPLY_BYTES });
  return rows.map((row) => row.map(rounded)).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
};

/** Sums of floats depend on their order in the last digits. */
const rounded = (cell: Cell): Cell => (typeof cell === "number" ? Number(cell.toPrecision(12)) : cell);

/** What the original cannot be run with tells nothing about the other form. */
const notRun = (thrown: unknown): undefined => {
  if (!(thrown instanceof QueryError)) throw thrown;
};

/** Bytes of files in a sample: what a query reads of them takes tenths of a second. */
const SAMPLE_BYTES = 33_554_432;

/** Some of a project's events, the newest months first, with all of its persons and groups. */
const sampleState = (pinned: PinnedState): PinnedState => {
  let left = SAMPLE_BYTES;
  const fits = ({ bytes }: FileFacts): boolean => {
    left -= bytes;
    return left >= 0 || left + bytes === SAMPLE_BYTES;
  };
  const cut = (manifest: Manifest): Manifest => ({ ...manifest, files: manifest.files.filter(fits), loose: manifest.loose.filter(fits) });
  const waiting = pinned.waiting.map((commit) => ({ ...commit, segments: commit.segments.filter(fits) }));
  const newest = [...pinned.manifests].toSorted(([a], [b]) => (a < b ? 1 : -1));
  return { ...pinned, waiting, manifests: new Map(newest.map(([partition, manifest]) => [partition, cut(manifest)])) };
};
