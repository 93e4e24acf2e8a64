import type { Expr, Select } from "../../hogql/ast.ts";
import { sameTree } from "../../hogql/walk.ts";
import type { TablePlan } from "./checks/table-plan.ts";

/**
 * How a table is made of pieces that each hold the rows of one day of the project: groups of several pieces are put together when the
 * table is read, or no two pieces share a group.
 */
export type Pieces = "regroup" | "union";

/** Null where a row of the table may depend on events of any two times at once. */
export const piecesOf = (plan: TablePlan): Pieces | null => {
  const { flat, extracted } = plan;
  if (!readsEventsAlone(extracted.select)) return null;
  if (!flat.isGrouped) return "union";
  if (plan.reaggregates) return "regroup";
  return flat.keys?.some(tellsDay) ? "union" : null;
};

const readsEventsAlone = (select: Select): boolean => {
  const { from, joins, ctes } = select;
  const table = from?.table;
  if (table?.kind !== "name" || table.args !== null || table.chain.join(".") !== "events") return false;
  return joins.length === 0 && ctes.length === 0 && !holdsQuery([select.columns, select.prewhere, select.where, select.groupBy]);
};

const holdsQuery = (node: unknown): boolean => {
  if (typeof node !== "object" || node === null) return false;
  if (Array.isArray(node)) return node.some(holdsQuery);
  return ("kind" in node && (node.kind === "select" || node.kind === "set")) || Object.values(node).some(holdsQuery);
};

/** Functions of a time that differ from day to day. */
const BY_DAY: ReadonlySet<string> = new Set([
  "toDate",
  "toStartOfDay",
  "toStartOfHour",
  "toStartOfMinute",
  "toStartOfSecond",
  "toStartOfFiveMinutes",
  "toStartOfTenMinutes",
  "toStartOfFifteenMinutes",
]);

const TIMESTAMP: Expr = { kind: "field", chain: ["timestamp"] };

const tellsDay = (key: Expr): boolean => {
  const [only, ...more] = key.kind === "call" && BY_DAY.has(key.name) ? key.args : [];
  return only !== undefined && more.length === 0 && sameTree(only, TIMESTAMP);
};
