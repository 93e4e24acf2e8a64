import type { EventColumn } from "../../event/columns.ts";
import type { LoweringContext } from "../analysis/context.ts";
import type { Expression } from "../analysis/expression.ts";
import { type EventBounds, newBounds } from "../analysis/scans.ts";
import { column, type Identifier, ident, type Sql, separated, sql } from "../sql/fragment.ts";
import { SqlMap } from "../sql/same.ts";
import type { JoinBase, Relation } from "./relation.ts";
import { SESSION_COLUMNS, type SessionColumn } from "./session-columns.ts";

const ALIASES = new Set(["id", "duration"]);
const STAR = [...SESSION_COLUMNS.keys()].filter((name) => !ALIASES.has(name));

/** The events that sessions are made of, within the subquery. */
const EVENTS = ident("t");

/** Sessions: an aggregate over the events that carry a session's id, of which only what is named is computed. */
const sessions = (context: LoweringContext, name: string | null, follows: EventBounds | null, optional: boolean) => {
  const bounds = newBounds();
  const draft = context.events(follows ?? bounds);
  const table = context.alias("s");
  const read = (name: EventColumn): Sql => column(EVENTS, name, draft.name);
  const outputs = new SqlMap<{ readonly tree: Sql; readonly as: Identifier }>();
  const output = (tree: Sql): Sql => {
    const known = outputs.get(tree) ?? { tree, as: context.alias("s_") };
    outputs.add(tree, known);
    return column(table, known.as.text);
  };
  const columnValue = (member: string, { type, nullable, tree, isStart }: SessionColumn): Expression => {
    const origin = isStart && follows === null ? { origin: { bounds, column: "timestamp", below: 0n } as const } : {};
    return { tree: output(tree(read)), type, nullable: nullable || optional, ungroupedColumn: member, ...origin };
  };
  const relation: Relation = {
    name,
    described: "sessions",
    star: STAR,
    names: () => SESSION_COLUMNS.keys(),
    member: (member) => {
      const column = SESSION_COLUMNS.get(member);
      return column === undefined ? undefined : { kind: "value", expression: columnValue(member, column) };
    },
    joins: () => false,
    from: () => {
      const id = read("session_id");
      const listed = outputs.values().map(({ tree, as }) => sql`${tree} AS ${as}`);
      const columns = listed.length === 0 ? id : separated(listed);
      return sql`(SELECT ${columns} FROM ${draft.name} AS ${EVENTS} WHERE ${id} IS NOT NULL AND ${id} <> '' GROUP BY ${id}) AS ${table}`;
    },
  };
  return { relation, id: () => output(read("session_id")) };
};

export const sessionsTable = (context: LoweringContext, name: string | null): Relation =>
  sessions(context, name ?? "sessions", null, false).relation;

/** The session of an event: over the events of the same range, widened by the longest session. */
export const sessionsRelation = (context: LoweringContext, base: JoinBase): Relation => {
  const { relation, id } = sessions(context, null, base.draft.bounds, true);
  const isSame = sql`${id()} = ${base.column("session_id")}`;
  base.join(() => sql` LEFT JOIN ${relation.from()} ON ${isSame}`);
  return relation;
};
