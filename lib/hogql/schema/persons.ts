import type { Run } from "../analysis/run.ts";
import { BOOLEAN, STRING, UUID } from "../analysis/types.ts";
import type { JoinBase } from "./events.ts";
import type { Member, Relation } from "./relation.ts";
import { STATE_TIME, type StateShape, stateRelation } from "./state-table.ts";

const PERSONS: StateShape = {
  described: "persons",
  columns: new Map([
    ["id", { column: "person_id", type: UUID, nullable: false }],
    ["created_at", STATE_TIME],
    ["is_identified", { column: "is_identified", type: BOOLEAN, nullable: false }],
    ["last_seen_at", { ...STATE_TIME, column: "last_seen_at" }],
  ]),
  star: ["id", "created_at", "properties", "is_identified", "last_seen_at"],
  owners: ["person"],
};

const DISTINCT_IDS: StateShape = {
  described: "person_distinct_ids",
  columns: new Map([
    ["distinct_id", { column: "distinct_id", type: STRING, nullable: false }],
    ["person_id", { column: "person_id", type: UUID, nullable: false }],
  ]),
  star: ["distinct_id", "person_id"],
  owners: [],
};

/** The persons, with `pdi`, one row for each distinct_id, when that is named. */
export const personsTable = (run: Run, name: string | null): Relation => {
  const draft = run.state("persons");
  const table = run.fresh("p");
  let pdi: Relation | undefined;
  let join = "";
  const extra = (member: string): Member | undefined => {
    if (member !== "pdi") return undefined;
    if (pdi === undefined) {
      const inner = { draft: run.state("person_distinct_ids"), table: run.fresh("d"), name: null, optional: true };
      pdi = stateRelation(run, DISTINCT_IDS, inner);
      inner.draft.columns.add("person_id");
      draft.columns.add("person_id");
      join = ` LEFT JOIN ${pdi.from()} ON ${inner.table}.person_id = ${table}.person_id`;
    }
    return { kind: "relation", relation: pdi };
  };
  const relation = stateRelation(run, PERSONS, { draft, table, name: name ?? "persons", optional: false }, extra);
  return { ...relation, names: () => [...relation.names(), "pdi"], from: () => `${relation.from()}${join}` };
};

/** The distinct_ids of the persons, with `person` when that is named. */
export const distinctIdsTable = (run: Run, name: string | null): Relation => {
  const draft = run.state("person_distinct_ids");
  const table = run.fresh("d");
  let person: Relation | undefined;
  let join = "";
  const extra = (member: string): Member | undefined => {
    if (member !== "person") return undefined;
    if (person === undefined) {
      const inner = { draft: run.state("persons"), table: run.fresh("p"), name: null, optional: true };
      person = stateRelation(run, PERSONS, inner);
      inner.draft.columns.add("person_id");
      draft.columns.add("person_id");
      join = ` LEFT JOIN ${person.from()} ON ${inner.table}.person_id = ${table}.person_id`;
    }
    return { kind: "relation", relation: person };
  };
  const at = { draft, table, name: name ?? "person_distinct_ids", optional: false };
  const relation = stateRelation(run, DISTINCT_IDS, at, extra);
  return { ...relation, names: () => [...relation.names(), "person"], from: () => `${relation.from()}${join}` };
};

/**
 * `person_id`, `pdi` and `person` of an event. The scan of events already gives the merged person of each row, and a row's own
 * distinct_id is the one that would be looked up, so that only `person` needs a join.
 */
export const personJoin = (run: Run, base: JoinBase, name: string, other: (name: string) => Member | undefined): Member | undefined => {
  if (name === "person_id") {
    return { kind: "value", expression: { sql: base.column("person_id"), type: UUID, nullable: false, loose: name } };
  }
  if (name === "pdi") return { kind: "relation", relation: ownDistinctId(base, other) };
  const draft = run.state("persons");
  const table = run.fresh("p");
  draft.columns.add("person_id");
  const relation = stateRelation(run, PERSONS, { draft, table, name: null, optional: true });
  base.join(` LEFT JOIN ${relation.from()} ON ${table}.person_id = ${base.column("person_id")}`);
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
    return { kind: "value", expression: { sql: base.column("distinct_id"), type: STRING, nullable: false, loose: member } };
  },
  from: () => "",
});
