import type { LoweringContext } from "../analysis/context.ts";
import type { PartialListScan } from "../analysis/scans.ts";
import { type RowList, rowList } from "../row-list.ts";
import { column, type Identifier, NOTHING, parameter, type Sql, sql } from "../sql/fragment.ts";
import { DATETIME64, STRING, type Type, UUID } from "../types.ts";
import { eventsTable } from "./events.ts";
import type { Relation } from "./relation.ts";

interface IssueColumn {
  readonly type: Type;
  readonly nullable: boolean;
}

const TEXT: IssueColumn = { type: STRING, nullable: false };
const OPTIONAL: IssueColumn = { type: STRING, nullable: true };
const TIME: IssueColumn = { type: DATETIME64, nullable: false };

/** The name of the table, and its columns by their names in the language and in the list of its rows. */
export const ISSUES = "error_tracking_issues";
export const ISSUE_COLUMNS: ReadonlyMap<string, IssueColumn> = new Map([
  ["id", { type: UUID, nullable: false }],
  ["name", OPTIONAL],
  ["description", OPTIONAL],
  ["status", TEXT],
  ["severity", OPTIONAL],
  ["assignee", OPTIONAL],
  ["first_seen", TIME],
  ["last_seen", { type: DATETIME64, nullable: true }],
  ["merged_into", { type: UUID, nullable: true }],
  ["created_at", TIME],
]);

/** The one column that is not in the list: it is read from the events. */
export const LAST_SEEN = "last_seen";

/** The event whose times count as those of its issue. */
export const EXCEPTION = "$exception";

/** No issues, with all columns: for a query that is only checked. */
export const NO_ISSUES: RowList = rowList(
  [...ISSUE_COLUMNS].flatMap(([name, { type }]) => {
    if (name === LAST_SEEN) return [];
    return type.kind === "datetime"
      ? { name, kind: "time" as const, values: new BigInt64Array() }
      : { name, kind: "text" as const, values: [] };
  }),
);

/** The project's issues; when each was last seen is computed of its events where that is named. */
export const issuesTable = (context: LoweringContext, name: string | null): Relation => {
  const draft = context.list(context.options.issues ?? NO_ISSUES);
  const table = context.alias("j");
  let seen: Seen | undefined;
  const lastSeen = (): Sql => {
    seen ??= lastSeenJoin(context, draft, table);
    return seen.tree;
  };
  return {
    name: name ?? ISSUES,
    described: ISSUES,
    star: [...ISSUE_COLUMNS.keys()],
    names: () => ISSUE_COLUMNS.keys(),
    member: (member) => {
      const found = ISSUE_COLUMNS.get(member);
      if (found === undefined) return undefined;
      const tree = member === LAST_SEEN ? lastSeen() : stored(draft, table, member, found.type);
      return { kind: "value", expression: { tree, ...found, ungroupedColumn: member } };
    },
    joins: () => seen !== undefined,
    from: () => sql`${draft.name} AS ${table}${seen?.join() ?? NOTHING}`,
  };
};

const stored = (draft: PartialListScan, table: Identifier, name: string, type: Type): Sql => {
  const read = column(table, name, draft.name);
  return type.kind === "uuid" ? sql`CAST(${read} AS UUID)` : read;
};

interface Seen {
  readonly tree: Sql;
  readonly join: () => Sql;
}

const lastSeenJoin = (context: LoweringContext, draft: PartialListScan, table: Identifier): Seen => {
  const events = eventsTable(context, null);
  const bounds = events.scanned?.bounds;
  if (bounds !== undefined) bounds.events = [EXCEPTION];
  const last = context.alias("l");
  const read = (name: string): Sql => {
    const found = events.member(name);
    return found?.kind === "value" ? found.expression.tree : sql`NULL`;
  };
  const [issue, time, event] = [read("issue_id"), read("timestamp"), read("event")];
  const id = stored(draft, table, "id", UUID);
  return {
    tree: column(last, "seen"),
    join: () =>
      sql` LEFT JOIN (SELECT ${issue} AS issue, max(${time}) AS seen FROM ${events.from()} WHERE ${event} = ${parameter(EXCEPTION)}::VARCHAR GROUP BY 1) AS ${last} ON ${last}.issue = ${id}`,
  };
};
