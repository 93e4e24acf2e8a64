import type { LoweringContext } from "../analysis/context.ts";
import { parameter, type Sql, sql } from "../sql/fragment.ts";
import { UUID } from "../types.ts";
import { type PropertySource, property } from "./property.ts";
import type { JoinBase, Member } from "./relation.ts";

/** The column of an exception's issue. */
export const ISSUE_ID = "issue_id";

/**
 * The issue of an exception, NULL for every other event. A stored event names the issue that it was linked to; where its fingerprint
 * was moved since, by merging or splitting issues, that counts.
 */
export const issueMember = (context: LoweringContext, source: PropertySource, join: JoinBase["join"]): Member => {
  const own = property(context, source, ["$exception_issue_id"]).tree;
  const moved = context.options.movedFingerprints ?? [];
  const issue = moved.length === 0 ? own : sql`coalesce(${movedIssue(context, source, join, moved)}, ${own})`;
  return { kind: "value", expression: { tree: sql`TRY_CAST(${issue} AS UUID)`, type: UUID, nullable: true, ungroupedColumn: ISSUE_ID } };
};

const movedIssue = (
  context: LoweringContext,
  source: PropertySource,
  join: JoinBase["join"],
  moved: readonly (readonly [string, string])[],
): Sql => {
  const alias = context.alias("i");
  const fingerprint = property(context, source, ["$exception_fingerprint"]).tree;
  const pairs = sql`unnest(from_json(${parameter(JSON.stringify(moved))}::VARCHAR, '[["VARCHAR"]]'))`;
  const rows = sql`(SELECT pair[1] AS fingerprint, pair[2] AS issue FROM (SELECT ${pairs} AS pair))`;
  join(() => sql` LEFT JOIN ${rows} AS ${alias} ON ${alias}.fingerprint = ${fingerprint}`);
  return sql`${alias}.issue`;
};
