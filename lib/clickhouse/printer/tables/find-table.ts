import type { StoredTable } from "../../../hogql/options.ts";
import { type Type, typeName } from "../../../hogql/types.ts";
import { emptyTableColumns, ISSUES } from "../../../hogql/vocabulary.ts";
import { quoteText } from "../../sql/quote.ts";
import { readableJson } from "../../sql/readable-json.ts";
import { type Piece, piece } from "../piece.ts";
import type { Statement } from "../statement.ts";
import { kindOfType } from "../type-kind.ts";
import { eventsRelation } from "./events.ts";
import { issuesRelation } from "./issues.ts";
import { local, newOutputs } from "./outputs.ts";
import { type Relation, value } from "./relation.ts";
import { sessionsRelation } from "./sessions.ts";
import { DISTINCT_IDS, groupsRelation, PERSONS, stateRelation } from "./state.ts";

type Table = (statement: Statement, name: string) => Relation;

const TABLES: ReadonlyMap<string, Table> = new Map<string, Table>([
  ["events", eventsRelation],
  ["persons", (statement, name) => stateRelation(statement, PERSONS, name, { member: "pdi", shape: DISTINCT_IDS })],
  ["person_distinct_ids", (statement, name) => stateRelation(statement, DISTINCT_IDS, name, { member: "person", shape: PERSONS })],
  ["groups", groupsRelation],
  ["sessions", sessionsRelation],
  [ISSUES, issuesRelation],
]);

/** The table of that name, as the query calls it; undefined where there is none. */
export const findTable = (statement: Statement, table: string, name: string): Relation | undefined => {
  const found = TABLES.get(table);
  if (found !== undefined) return found(statement, name);
  const empty = emptyTableColumns(table);
  if (empty !== undefined) return emptyRelation(statement, name, empty);
  const stored = statement.options.tables?.get(table);
  return stored === undefined ? undefined : storedRelation(statement, name, stored);
};

/** `numbers(…)` with its arguments in SQL. */
export const numbersRelation = (statement: Statement, name: string, args: readonly string[]): Relation => {
  const alias = statement.alias();
  return {
    name,
    star: ["number"],
    member: (called) => (called === "number" ? value(piece(`${alias}.number`, "number")) : undefined),
    from: () => `numbers(${args.join(", ")}) AS ${alias}`,
  };
};

/** A table of a product that is not part of the platform: it has no rows. */
const emptyRelation = (statement: Statement, name: string, columns: ReadonlyMap<string, Type>): Relation => {
  const outputs = newOutputs(statement);
  return {
    name,
    star: [...columns.keys()],
    member: (called) => {
      const type = columns.get(called);
      if (type === undefined) return undefined;
      return value(piece(outputs.put(called, `defaultValueOfTypeName(${quoteText(typeName(type))})`), kindOfType(type)));
    },
    from: () => outputs.from("WHERE 0"),
  };
};

/** A table that was written from a query. Of two columns of one name the first is meant. */
const storedRelation = (statement: Statement, name: string, stored: StoredTable): Relation => {
  const outputs = newOutputs(statement);
  const rows = statement.alias();
  const names = stored.columns.map((each) => each.name);
  const read = (column: string): string => {
    statement.read(stored, [column]);
    return `${rows}.${column}`;
  };
  const keys = (): readonly string[] => stored.columns.flatMap(({ parts }, at) => (parts === undefined ? [read(`c${at + 1}`)] : []));
  return {
    name,
    star: names,
    member: (called) => {
      const at = names.indexOf(called);
      const found = stored.columns[at];
      if (found === undefined) return undefined;
      const column = `c${at + 1}`;
      const { parts, type } = found;
      const sql = stored.isWhole && parts !== undefined ? `${parts}(${read(column)})` : read(column);
      return value(storedPiece(type, () => outputs.put(column, type.kind === "datetime" ? local(statement, sql) : sql)));
    },
    from: () => {
      const by = stored.isWhole ? keys() : [];
      const grouped = by.length === 0 ? "" : ` GROUP BY ${by.join(", ")}`;
      return outputs.from(`FROM ${statement.read(stored, [])} AS ${rows}${grouped}`);
    },
  };
};

const storedPiece = (type: Type, output: () => string): Piece =>
  type.kind === "json"
    ? { sql: "", kind: "text", json: { owners: [], path: [], column: output, document: () => readableJson(output()) } }
    : piece(output(), kindOfType(type));
