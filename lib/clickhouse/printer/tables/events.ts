import { earnedColumn } from "../../../event/earned-properties.ts";
import { EVENT_COLUMNS, type EventColumn } from "../../../event/event.ts";
import { HOT } from "../../../event/hot-properties.ts";
import type { RowList } from "../../../hogql/row-list.ts";
import { quoteText } from "../../sql/quote.ts";
import { unmarked } from "../../sql/readable-json.ts";
import type { HotColumn, Json, Kind } from "../piece.ts";
import type { Statement } from "../statement.ts";
import { local, newOutputs } from "./outputs.ts";
import { type Member, type Members, type Relation, value } from "./relation.ts";
import { sessionsRelation } from "./sessions.ts";
import { groupShape, PERSONS, stateMembers } from "./state.ts";

const GROUPS = ["group_0", "group_1", "group_2", "group_3", "group_4"] as const;

/** The columns that the language names, by their names there. */
const STORED = new Map(EVENT_COLUMNS.flatMap((column) => (column.member === undefined ? [] : [[column.member, column] as const])));

const HOT_COLUMNS = new Map<string, (typeof HOT)[number]>(HOT.map((hot) => [hot.property, hot]));

const KINDS: Readonly<Record<string, Kind>> = { text: "text", optional: "text", timestamp: "time", uuid: "uuid" };

/** Columns of autocapture's chain of elements, as regular expressions over its serialised form. */
const FROM_ELEMENTS: ReadonlyMap<string, { readonly pattern: string; readonly many: boolean }> = new Map([
  ["elements_chain_href", { pattern: '(?::|")href="(.*?)"', many: false }],
  ["elements_chain_texts", { pattern: '(?::|")text="(.*?)"', many: true }],
  ["elements_chain_ids", { pattern: '(?::|")attr_id="(.*?)"', many: true }],
  ["elements_chain_elements", { pattern: "(?:^|;)(a|button|form|input|select|textarea|label)(?:\\.|$|:)", many: true }],
]);

const STAR: readonly string[] = [
  "uuid",
  "event",
  "properties",
  "timestamp",
  "distinct_id",
  "elements_chain",
  "created_at",
  "$session_id",
  "$window_id",
  "person_mode",
  ...GROUPS.map((group) => `$${group}`),
  ...FROM_ELEMENTS.keys(),
];

const ISSUE_ID = "issue_id";
const FINGERPRINT = "fingerprint";
const JOINED: ReadonlySet<string> = new Set(["person_id", "person", "pdi", "session", ISSUE_ID, FINGERPRINT]);

/** The project's events. Persons, groups and sessions are joined when something of theirs is named. */
export const eventsRelation = (statement: Statement, name: string): Relation => {
  const outputs = newOutputs(statement);
  const events = statement.alias();
  const joins: (() => string)[] = [];
  const read = (column: EventColumn): string => {
    statement.read("events", [column]);
    return `${events}.${column}`;
  };
  const join = (on: () => string): void => {
    joins.push(on);
  };
  const earned: NonNullable<Json["earned"]> = (property, type) => {
    if (statement.options.hasEarned?.({ property, type }) !== true) return undefined;
    const column = earnedColumn({ property, type });
    statement.readEarned("events", column);
    return outputs.put(column.column, `${events}.${column.column}`);
  };
  const own = ownMembers(statement, { read, put: outputs.put }, earned);
  const joined = joinedMembers(statement, { read, put: outputs.put, join });
  const { groupTypes = [] } = statement.options;
  return {
    name,
    star: STAR,
    member: (called) => own(called) ?? joined(JOINED.has(called) ? called : slotName(called, groupTypes)),
    from: () => outputs.from(`FROM ${statement.read("events", [])} AS ${events}${joins.map((one) => one()).join("")}`),
  };
};

/** A group's type name stands for its slot. */
const slotName = (called: string, groupTypes: readonly string[]): string => {
  const slot = groupTypes.indexOf(called);
  return GROUPS[slot] ?? called;
};

interface Base {
  readonly read: (column: EventColumn) => string;
  readonly put: (as: string, sql: string) => string;
}

const ownMembers = (statement: Statement, { read, put }: Base, earned: NonNullable<Json["earned"]>): Members => {
  const ofElements = (called: string): Member | undefined => {
    const found = FROM_ELEMENTS.get(called);
    if (found === undefined) return undefined;
    const chain = `${read("elements_chain")}, ${quoteText(found.pattern)}`;
    if (!found.many) return value({ sql: put(called, `extract(${chain})`), kind: "text" });
    return value({ sql: put(called, `arrayDistinct(arrayMap(found -> found[1], extractAllGroupsVertical(${chain})))`), kind: "other" });
  };
  return (called) => {
    const stored = STORED.get(called);
    if (stored !== undefined) {
      const sql = read(stored.name);
      const shown = stored.kind === "optional" ? `ifNull(${sql}, '')` : stored.kind === "timestamp" ? local(statement, sql) : sql;
      return value({ sql: put(stored.name, shown), kind: KINDS[stored.kind] ?? "other" });
    }
    if (called === "$session_id_uuid")
      return value({ sql: put("session_uuid", `toUUIDOrNull(ifNull(${read("session_id")}, ''))`), kind: "uuid" });
    if (called === "properties") {
      const document = (): string => put("properties", read("properties"));
      const column = (): string => unmarked(document());
      return value({
        sql: "",
        kind: "text",
        json: { owners: ["event"], path: [], column, document, hot: hotColumn({ read, put }), earned },
      });
    }
    return ofElements(called);
  };
};

const hotColumn =
  ({ read, put }: Base) =>
  (called: string): HotColumn | undefined => {
    const hot = HOT_COLUMNS.get(called);
    if (hot === undefined) return undefined;
    return { type: hot.type, sql: () => put(hot.column, hot.type === "text" ? text(read, hot.column) : read(hot.column)) };
  };

interface JoinBase extends Base {
  readonly join: (on: () => string) => void;
}

/** Members that need a join; each join is made once. */
const joinedMembers = (statement: Statement, base: JoinBase): Members => {
  const { read, put } = base;
  const made = new Map<string, Member | undefined>();
  const make = (called: string): Member | undefined => {
    if (called === "person_id") return value({ sql: put("person_id", read("person_id")), kind: "uuid" });
    if (called === "person") return { kind: "members", of: personMembers(statement, base, keep) };
    if (called === "pdi") return { kind: "members", of: ownDistinctId(base, keep) };
    if (called === "session") return { kind: "members", of: sessionMembers(statement, base) };
    if (called === ISSUE_ID) return value({ sql: put(ISSUE_ID, issueSql(statement, base)), kind: "uuid" });
    if (called === FINGERPRINT) return value({ sql: put(FINGERPRINT, text(read, "hot_exception_fingerprint")), kind: "text" });
    const slot = GROUPS.find((group) => group === called);
    return slot === undefined ? undefined : { kind: "members", of: groupMembers(statement, base, slot) };
  };
  const keep: Members = (called) => {
    if (!made.has(called)) made.set(called, make(called));
    return made.get(called);
  };
  return keep;
};

const personMembers = (statement: Statement, { read, put, join }: JoinBase, others: Members): Members => {
  const person = statement.alias();
  const members = stateMembers(statement, PERSONS, person, put);
  let isJoined = false;
  return (called) => {
    if (called === "id") return others("person_id");
    const found = members(called);
    if (found === undefined || isJoined) return found;
    isJoined = true;
    const id = read("person_id");
    join(() => ` LEFT JOIN ${statement.read("persons", ["person_id"])} AS ${person} ON ${person}.person_id = ${id}`);
    return found;
  };
};

/** A row's own distinct_id is the one that would be looked up. */
const ownDistinctId =
  ({ read, put }: Base, others: Members): Members =>
  (called) => {
    if (called === "person_id" || called === "person") return others(called);
    return called === "distinct_id" ? value({ sql: put("distinct_id", read("distinct_id")), kind: "text" }) : undefined;
  };

const groupMembers = (statement: Statement, { read, put, join }: JoinBase, slot: (typeof GROUPS)[number]): Members => {
  const group = statement.alias();
  const key = read(slot);
  const index = GROUPS.indexOf(slot);
  join(() => {
    const groups = statement.read("groups", ["index", "key"]);
    return ` LEFT JOIN (SELECT * FROM ${groups} WHERE \`index\` = ${index}) AS ${group} ON ${group}.\`key\` = ${key}`;
  });
  return stateMembers(statement, groupShape([slot]), group, put);
};

/** The session of an event, of which what is named is put among the outputs. */
const sessionMembers = (statement: Statement, { read, put, join }: JoinBase): Members => {
  const sessions = sessionsRelation(statement, null);
  const id = read("session_id");
  join(() => {
    const own = sessions.id();
    return ` LEFT JOIN ${sessions.from()} ON ${own} = ${id}`;
  });
  return (called) => {
    const found = sessions.member(called);
    if (found?.kind !== "value") return undefined;
    const { sql, kind } = found.piece;
    return value({ sql: put(`session_${called.replace("$", "")}`, sql), kind });
  };
};

/**
 * The issue of an exception, NULL for every other event. A stored event names the issue that it was linked to; what merging and
 * splitting issues did since with its fingerprint, or else with that issue, counts.
 */
const issueSql = (statement: Statement, { read, join }: JoinBase): string => {
  const own = text(read, "hot_exception_issue_id");
  const { moved } = statement.options;
  if (moved === undefined) return `toUUIDOrNull(${own})`;
  const movedTo = (list: RowList, from: string): readonly string[] => {
    if (list.rows === 0) return [];
    const alias = statement.alias();
    join(() => ` LEFT ANY JOIN ${statement.read(list, ["source", "target"])} AS ${alias} ON ${alias}.source = ${from}`);
    return [`${alias}.target`];
  };
  const leads = [...movedTo(moved.fingerprints, text(read, "hot_exception_fingerprint")), ...movedTo(moved.issues, own)];
  return `toUUIDOrNull(${leads.length === 0 ? own : `coalesce(${[...leads, own].join(", ")})`})`;
};

/** The text of a hot column: NULL where a file has an empty one. */
const text = (read: Base["read"], column: EventColumn): string => `nullIf(${read(column)}, '')`;
