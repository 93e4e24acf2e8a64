import type { LoweringContext } from "../analysis/context.ts";
import { numeral, sql } from "../sql/fragment.ts";
import { INT64, STRING } from "../types.ts";
import type { JoinBase, Relation } from "./relation.ts";
import { STATE_TIME, type StateShape, stateColumn, stateRelation } from "./state-table.ts";

export const GROUPS = ["group_0", "group_1", "group_2", "group_3", "group_4"] as const;
export type GroupColumn = (typeof GROUPS)[number];

const groupShape = (owners: readonly GroupColumn[]): StateShape => ({
  described: "groups",
  columns: new Map([
    ["index", { column: "index", type: INT64, nullable: false }],
    ["key", { column: "key", type: STRING, nullable: false }],
    ["created_at", STATE_TIME],
    ["updated_at", { ...STATE_TIME, column: "updated_at" }],
  ]),
  star: ["index", "key", "created_at", "updated_at", "properties"],
  owners,
  earns: "group",
});

export const GROUPS_SHAPE = groupShape(GROUPS);

/** All groups of all types. */
export const groupsTable = (context: LoweringContext, name: string | null): Relation =>
  stateRelation(context, GROUPS_SHAPE, {
    draft: context.state("groups"),
    table: context.alias("g"),
    name: name ?? "groups",
    optional: false,
  });

/** The group of an event in one slot. */
export const groupJoin = (context: LoweringContext, base: JoinBase, slot: GroupColumn): Relation => {
  const at = { draft: context.state("groups"), table: context.alias("g"), name: null, optional: true };
  const relation = stateRelation(context, groupShape([slot]), at);
  const own = sql`${stateColumn(at, "index")} = ${numeral(GROUPS.indexOf(slot))} AND ${stateColumn(at, "key")} = ${base.column(slot)}`;
  base.join(() => sql` LEFT JOIN ${relation.from()} ON ${own}`);
  return relation;
};
