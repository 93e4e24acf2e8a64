import { jsonDigest } from "../../core/canonical-json.ts";
import { exactJson } from "../../core/exact-json.ts";
import type { Cell } from "../../engine/engine.ts";
import type { ResultColumn } from "../../hogql/lowered-query.ts";
import type { InsightRow } from "../../insight/rows.ts";
import { resultKey } from "../../lake/paths.ts";
import type { Objects } from "../../ports/objects.ts";
import type { ResolvedQuery } from "./resolved-query.ts";

/** Bumped when the form of a stored result changes; another form is no result. */
const RESULT_FORMAT = 1;

/** Rows of a run with what they were made of. */
export interface StoredResult {
  readonly v: number;
  /** Milliseconds since 1970 at which the rows were computed, or found to be still what computing would give. */
  readonly computedAt: number;
  /** A digest of everything the rows depend on: the state of the lake, and the queries as the engine gets them, with their values. */
  readonly inputs: string;
  readonly columns: readonly ResultColumn[];
  /** Rows of cells, or those of an insight. */
  readonly rows: readonly (readonly Cell[] | InsightRow)[];
  readonly hasMore: boolean;
}

/** Whose result it is: a version of an endpoint, in the project's time zone, since rows of its project were last removed. */
export interface ResultOwner {
  readonly project: { readonly id: number; readonly timezone: string };
  readonly version: string;
  readonly forgottenAt: string | undefined;
}

/** The object key under which the result of this query, with these values in it, is kept. */
export const resultName = ({ project, version, forgottenAt }: ResultOwner, resolved: ResolvedQuery): string =>
  resultKey(project.id, jsonDigest([version, project.timezone, queryName(resolved), ...(forgottenAt === undefined ? [] : [forgottenAt])]));

const queryName = (resolved: ResolvedQuery): unknown =>
  resolved.kind === "sql"
    ? [resolved.variables, resolved.page?.limit ?? null, resolved.page?.offset ?? null]
    : [resolved.query, resolved.values.breakdowns];

/** The stored result with its length in bytes, or undefined where there is none that this code can read. */
export const readResult = async (
  objects: Objects,
  key: string,
): Promise<{ readonly result: StoredResult; readonly bytes: number } | undefined> => {
  const content = await objects.get(key);
  if (content === undefined) return undefined;
  const result = exactJson(Buffer.from(content).toString());
  return isResult(result) ? { result, bytes: content.byteLength } : undefined;
};

export const writeResult = (objects: Objects, key: string, result: Omit<StoredResult, "v">): Promise<void> =>
  objects.put(key, Buffer.from(JSON.stringify({ v: RESULT_FORMAT, ...result } satisfies StoredResult)));

/** We wrote the object, so its version says everything about its form. */
const isResult = (stored: unknown): stored is StoredResult =>
  typeof stored === "object" && stored !== null && "v" in stored && stored.v === RESULT_FORMAT;
