import type { EnginePorts } from "../../engine/engine.ts";
import { QueryError } from "../../hogql/errors.ts";
import { usedNames } from "../../hogql/inspect.ts";
import { lower } from "../../hogql/lower.ts";
import { NAMED_BY_TABLE, openEarned } from "../../lake/earned-properties.ts";
import { storedQuery } from "../definition.ts";
import type { MaterialisedTable } from "../materialisations.ts";
import { issueLists } from "../query/issue-lists.ts";
import { unpackAst } from "../query/stored-ast.ts";
import { typed } from "../query/typed.ts";
import { keepFirstTypes } from "../query/version-types.ts";
import type { EndpointVersion } from "../saved-endpoints.ts";
import { makeInsight } from "./make-insight.ts";
import { makeTable } from "./make-table.ts";
import type { MadeTable } from "./runs.ts";
import { transformed } from "./transform.ts";

/** Of which version a table is made, under which key, and from which table before; in at most so many milliseconds. */
export interface VersionMaking {
  readonly project: { readonly id: number; readonly timezone: string };
  readonly version: EndpointVersion;
  readonly key: string;
  readonly before: MaterialisedTable | null;
  readonly timeMs: number;
  /** Ends the work once nobody wants the table any more. */
  readonly signal?: AbortSignal | undefined;
}

/** Makes the table of a version as of now. Throws `QueryError` where its query cannot have one. */
export const makeVersion = async (
  world: EnginePorts,
  { project, version, key, before, timeMs, signal }: VersionMaking,
): Promise<MadeTable> => {
  const query = storedQuery(version);
  if (query.kind !== "HogQLQuery") return makeInsight(world, { project, query, version, key, timeMs, signal });
  const ast = unpackAst(version.ast);
  const { made, learnt } = await typed(world, project, { query, types: version.property_types }, ast, (known) => {
    const found = transformed(query, ast, version.bucket_overrides, known);
    // A type that no event has told so far is expected of a property, as in a run, only where lowering fails for want of it.
    if (found.kind === "transform") lower(found.transform.table, { ...known, variables: {}, page: null });
    return { options: known, found };
  });
  if (learnt !== null) await keepFirstTypes(world.table, version, learnt);
  const { options, found } = made;
  if (found.kind === "refused") throw new QueryError("unsupported", found.reason.text);
  const lists = await issueLists(world.table, project.id, usedNames([found.transform.table]));
  const earned = await openEarned(world.table, project.id, options.now);
  const lowering = { ...options, ...lists, hasEarned: earned.hasEarned() };
  const table = await makeTable(world, found.transform, { key, options: lowering, before, engine: version.engine, timeMs, signal });
  await earned.note(NAMED_BY_TABLE);
  return table;
};
