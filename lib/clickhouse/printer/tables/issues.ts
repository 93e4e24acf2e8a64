import { ISSUE_COLUMNS, NO_ISSUES } from "../../../hogql/vocabulary.ts";
import type { Statement } from "../statement.ts";
import { kindOfType } from "../type-kind.ts";
import { eventsRelation } from "./events.ts";
import { local, newOutputs } from "./outputs.ts";
import { type Relation, value } from "./relation.ts";

const LAST_SEEN = "last_seen";

/** The project's issues; when each was last seen is computed of its events where that is named. */
export const issuesRelation = (statement: Statement, name: string): Relation => {
  const outputs = newOutputs(statement);
  const issues = statement.options.issues ?? NO_ISSUES;
  const own = statement.alias();
  const stored = (column: string): string => {
    statement.read(issues, [column]);
    return `${own}.\`${column}\``;
  };
  let seen: string | undefined;
  const sqlOf = (column: string): string => {
    if (column === LAST_SEEN) {
      seen ??= statement.alias();
      return `${seen}.seen`;
    }
    const kind = ISSUE_COLUMNS.get(column)?.type.kind;
    const sql = stored(column);
    return kind === "uuid" ? `toUUIDOrNull(${sql})` : kind === "datetime" ? local(statement, sql) : sql;
  };
  return {
    name,
    star: [...ISSUE_COLUMNS.keys()],
    member: (called) => {
      const type = ISSUE_COLUMNS.get(called)?.type;
      return type === undefined ? undefined : value({ sql: outputs.put(called, sqlOf(called)), kind: kindOfType(type) });
    },
    from: () => {
      const join =
        seen === undefined ? "" : ` LEFT JOIN ${lastSeen(statement)} AS ${seen} ON ${seen}.issue = toUUIDOrNull(${stored("id")})`;
      return outputs.from(`FROM ${statement.read(issues, [])} AS ${own}${join}`);
    },
  };
};

/** The last times of the project's exceptions, by issue. */
const lastSeen = (statement: Statement): string => {
  const events = eventsRelation(statement, "events");
  const read = (column: string): string => {
    const found = events.member(column);
    return found?.kind === "value" ? found.piece.sql : "NULL";
  };
  const [issue, time, event] = [read("issue_id"), read("timestamp"), read("event")];
  return `(SELECT ${issue} AS issue, max(${time}) AS seen FROM ${events.from()} WHERE ${event} = '$exception' GROUP BY issue)`;
};
