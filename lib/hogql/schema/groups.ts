import type { Run } from "../analysis/run.ts";
import { INT64, STRING } from "../analysis/types.ts";
import type { JoinBase } from "./events.ts";
import type { Relation } from "./relation.ts";
import { STATE_TIME, type StateShape, stateRelation } from "./state-table.ts";

type GroupColumn = "group_0" | "group_1" | "group_2" | "group_3" | "group_4";

const GROUPS = ["group_0", "group_1", "group_2", "group_3", "group_4"] as const satisfies readonly GroupColumn[];

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

/** All groups of all types. */
export const groupsTable = (run: Run, name: string | null): Relation =>
  stateRelation(run, shapeOf(GROUPS), { draft: run.state("groups"), table: run.fresh("g"), name: name ?? "groups", optional: false });

/** The group of an event in one slot. */
export const groupJoin = (run: Run, base: JoinBase, slot: GroupColumn): Relation => {
  const draft = run.state("groups");
  const table = run.fresh("g");
  draft.columns.add("index");
  draft.columns.add("key");
  const relation = stateRelation(run, shapeOf([slot]), { draft, table, name: null, optional: true });
  base.join(` LEFT JOIN ${relation.from()} ON ${table}."index" = ${slot.slice(-1)} AND ${table}."key" = ${base.column(slot)}`);
  return relation;
};
