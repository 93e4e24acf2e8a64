import type { Run } from "../analysis/run.ts";
import { INT64, STRING } from "../analysis/types.ts";
import { numeral, sql } from "../sql/fragment.ts";
import type { JoinBase, Relation } from "./relation.ts";
import { STATE_TIME, type StateShape, stateColumn, stateRelation } from "./state-table.ts";

export const GROUPS = ["group_0", "group_1", "group_2", "group_3", "group_4"] as const;
export type GroupColumn = (typeof GROUPS)[number];

const shapeOf = (owners: readonly GroupColumn[]): StateShape => ({
  described: "groups",
  columns: new Map([
    ["index", { column: "index", type: INT64, nullable: false }],
    ["key", { column: "key", type: STRING, nullable: false }],
    ["created_at", STATE_TIME],
    ["updated_at", { ...STATE_TIME, column: "updated_at" }],
  ]),
  star: ["index", "key", "created_at", "updated_at", "properties"],
  owners,
});

export const GROUPS_SHAPE = shapeOf(GROUPS);

/** All groups of all types. */
export const groupsTable = (run: Run, name: string | null): Relation =>
  stateRelation(run, GROUPS_SHAPE, { draft: run.state("groups"), table: run.alias("g"), name: name ?? "groups", optional: false });

/** The group of an event in one slot. */
export const groupJoin = (run: Run, base: JoinBase, slot: GroupColumn): Relation => {
  const at = { draft: run.state("groups"), table: run.alias("g"), name: null, optional: true };
  const relation = stateRelation(run, shapeOf([slot]), at);
  const own = sql`${stateColumn(at, "index")} = ${numeral(GROUPS.indexOf(slot))} AND ${stateColumn(at, "key")} = ${base.column(slot)}`;
  base.join(() => sql` LEFT JOIN ${relation.from()} ON ${own}`);
  return relation;
};
