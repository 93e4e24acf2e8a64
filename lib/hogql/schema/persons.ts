import type { LoweringContext } from "../analysis/context.ts";
import { NOTHING, type Sql, sql } from "../sql/fragment.ts";
import { BOOLEAN, STRING, UUID } from "../types.ts";
import type { JoinBase, Member, Relation } from "./relation.ts";
import { STATE_TIME, type StateShape, type StateSource, stateColumn, stateRelation } from "./state-table.ts";

export const PERSONS: StateShape = {
  described: "persons",
  columns: new Map([
    ["id", { column: "person_id", type: UUID, nullable: false }],
    ["created_at", STATE_TIME],
    ["is_identified", { column: "is_identified", type: BOOLEAN, nullable: false }],
    ["last_seen_at", { ...STATE_TIME, column: "last_seen_at" }],
  ]),
  star: ["id", "created_at", "properties", "is_identified", "last_seen_at"],
  owners: ["person"],
  earns: "person",
};

export const DISTINCT_IDS: StateShape = {
  described: "person_distinct_ids",
  columns: new Map([
    ["distinct_id", { column: "distinct_id", type: STRING, nullable: false }],
    ["person_id", { column: "person_id", type: UUID, nullable: false }],
  ]),
  star: ["distinct_id", "person_id"],
  owners: [],
  earns: null,
};

/** The persons, with `pdi`, one row for each distinct_id, when that is named. */
export const personsTable = (context: LoweringContext, name: string | null): Relation =>
  withOther(context, { draft: context.state("persons"), table: context.alias("p"), name: name ?? "persons", optional: false }, PERSONS, {
    member: "pdi",
    shape: DISTINCT_IDS,
    source: () => ({ draft: context.state("person_distinct_ids"), table: context.alias("d"), name: null, optional: true }),
  });

/** The distinct_ids of the persons, with `person` when that is named. */
export const distinctIdsTable = (context: LoweringContext, name: string | null): Relation =>
  withOther(
    context,
    { draft: context.state("person_distinct_ids"), table: context.alias("d"), name: name ?? "person_distinct_ids", optional: false },
    DISTINCT_IDS,
    {
      member: "person",
      shape: PERSONS,
      source: () => ({ draft: context.state("persons"), table: context.alias("p"), name: null, optional: true }),
    },
  );

/** A relation that is joined to a table by the person, once its name is used. */
interface Other {
  readonly member: string;
  readonly shape: StateShape;
  readonly source: () => StateSource;
}

const withOther = (context: LoweringContext, at: StateSource, shape: StateShape, other: Other): Relation => {
  let joined: { readonly relation: Relation; readonly join: () => Sql } | undefined;
  const extra = (member: string): Member | undefined => {
    if (member !== other.member) return undefined;
    joined ??= joinedByPerson(context, at, other);
    return { kind: "relation", relation: joined.relation };
  };
  const relation = stateRelation(context, shape, at, extra);
  return {
    ...relation,
    names: () => [...relation.names(), other.member],
    joins: () => joined !== undefined,
    from: () => sql`${relation.from()}${joined?.join() ?? NOTHING}`,
  };
};

const joinedByPerson = (context: LoweringContext, at: StateSource, { shape, source }: Other) => {
  const inner = source();
  const relation = stateRelation(context, shape, inner);
  const isSame = sql`${stateColumn(inner, "person_id")} = ${stateColumn(at, "person_id")}`;
  return { relation, join: () => sql` LEFT JOIN ${relation.from()} ON ${isSame}` };
};

/**
 * `person_id`, `pdi` and `person` of an event. The scan of events already gives the merged person of each row, and a row's own
 * distinct_id is the one that would be looked up, so that only `person` needs a join.
 */
export const personJoin = (
  context: LoweringContext,
  base: JoinBase,
  name: string,
  other: (name: string) => Member | undefined,
): Member | undefined => {
  if (name === "person_id") {
    return { kind: "value", expression: { tree: base.column("person_id"), type: UUID, nullable: false, ungroupedColumn: name } };
  }
  if (name === "pdi") return { kind: "relation", relation: ownDistinctId(base, other) };
  const at = { draft: context.state("persons"), table: context.alias("p"), name: null, optional: true };
  const relation = stateRelation(context, PERSONS, at);
  const isSame = sql`${stateColumn(at, "person_id")} = ${base.column("person_id")}`;
  base.join(() => sql` LEFT JOIN ${relation.from()} ON ${isSame}`);
  return {
    kind: "relation",
    relation: { ...relation, member: (member) => (member === "id" ? other("person_id") : relation.member(member)) },
  };
};

const ownDistinctId = (base: JoinBase, other: (name: string) => Member | undefined): Relation => ({
  name: null,
  described: "pdi",
  star: DISTINCT_IDS.star,
  names: () => [...DISTINCT_IDS.star, "person"],
  member: (member) => {
    if (member === "person_id" || member === "person") return other(member);
    if (member !== "distinct_id") return undefined;
    return { kind: "value", expression: { tree: base.column("distinct_id"), type: STRING, nullable: false, ungroupedColumn: member } };
  },
  joins: () => false,
  from: () => NOTHING,
});
