import { earnedColumn, type StateOwner } from "../../../event/earned-properties.ts";
import type { PropertyOwner } from "../../../hogql/options.ts";
import { unmarked } from "../../sql/readable-json.ts";
import type { Json, Kind } from "../piece.ts";
import type { BaseTable, Statement } from "../statement.ts";
import { local, newOutputs } from "./outputs.ts";
import { type Member, type Members, type Relation, value } from "./relation.ts";

/** A table of the state: its columns by the names of the language. */
interface StateShape {
  readonly table: Exclude<BaseTable, "events">;
  readonly columns: ReadonlyMap<string, StateColumn>;
  readonly owners: readonly PropertyOwner[];
  /** Whose properties may have columns of their own in its files. */
  readonly earns: StateOwner | null;
}

interface StateColumn {
  readonly column: string;
  readonly kind: Kind;
  readonly sql?: (column: string) => string;
}

const as = (column: string, kind: Kind = "other"): StateColumn => ({ column, kind });

export const PERSONS: StateShape = {
  table: "persons",
  columns: new Map([
    ["id", as("person_id", "uuid")],
    ["created_at", as("created_at", "time")],
    ["properties", as("properties", "text")],
    ["is_identified", { ...as("is_identified"), sql: (column) => `toBool(${column})` }],
    ["last_seen_at", as("last_seen_at", "time")],
  ]),
  owners: ["person"],
  earns: "person",
};

export const DISTINCT_IDS: StateShape = {
  table: "person_distinct_ids",
  columns: new Map([
    ["distinct_id", as("distinct_id", "text")],
    ["person_id", as("person_id", "uuid")],
  ]),
  owners: [],
  earns: null,
};

const GROUP_SLOTS: readonly PropertyOwner[] = ["group_0", "group_1", "group_2", "group_3", "group_4"];

export const groupShape = (owners: readonly PropertyOwner[]): StateShape => ({
  table: "groups",
  columns: new Map([
    ["index", { ...as("index", "number"), sql: (column) => `toInt64(${column})` }],
    ["key", as("key", "text")],
    ["created_at", as("created_at", "time")],
    ["updated_at", as("updated_at", "time")],
    ["properties", as("properties", "text")],
  ]),
  owners,
  earns: "group",
});

/** Members of a state table under an alias, put among the outputs of the query around it. */
export const stateMembers = (
  statement: Statement,
  { table, columns, owners, earns }: StateShape,
  alias: string,
  put: (as: string, sql: string) => string,
): Members => {
  const read = (column: string): string => {
    statement.read(table, [column]);
    return `${alias}.\`${column}\``;
  };
  const earned: NonNullable<Json["earned"]> = (property, type) => {
    const asked = earns && { owner: earns, property, type };
    if (asked === null || statement.options.hasEarned?.(asked) !== true) return undefined;
    const own = earnedColumn(asked);
    statement.readEarned(table, own);
    return put(`${alias}_${own.column}`, `${alias}.\`${own.column}\``);
  };
  return (name): Member | undefined => {
    const found = columns.get(name);
    if (found === undefined) return undefined;
    const output = (): string => {
      const column = read(found.column);
      return put(`${alias}_${found.column}`, found.kind === "time" ? local(statement, column) : (found.sql?.(column) ?? column));
    };
    if (name === "properties") {
      const column = (): string => unmarked(output());
      return value({ sql: "", kind: "text", json: { owners, path: [], column, document: output, earned, earnsTextOnly: true } });
    }
    return value({ sql: output(), kind: found.kind });
  };
};

/** A table of the state, and what is joined to it by the person when that is named. */
export const stateRelation = (
  statement: Statement,
  shape: StateShape,
  name: string,
  joined?: { readonly member: string; readonly shape: StateShape },
): Relation => {
  const outputs = newOutputs(statement);
  const own = statement.alias();
  const members = stateMembers(statement, shape, own, outputs.put);
  let other: { readonly alias: string; readonly members: Members } | undefined;
  const join = (to: StateShape): string =>
    other === undefined
      ? ""
      : ` LEFT JOIN ${statement.read(to.table, ["person_id"])} AS ${other.alias} ON ${other.alias}.person_id = ${own}.person_id`;
  return {
    name,
    star: [...shape.columns.keys()],
    member: (member) => {
      if (joined === undefined || member !== joined.member) return members(member);
      if (other === undefined) {
        const alias = statement.alias();
        other = { alias, members: stateMembers(statement, joined.shape, alias, outputs.put) };
      }
      return { kind: "members", of: other.members };
    },
    from: () => {
      const rest = joined === undefined ? "" : join(joined.shape);
      return outputs.from(`FROM ${statement.read(shape.table, rest === "" ? [] : ["person_id"])} AS ${own}${rest}`);
    },
  };
};

export const groupsRelation = (statement: Statement, name: string): Relation => stateRelation(statement, groupShape(GROUP_SLOTS), name);
