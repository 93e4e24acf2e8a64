import { GROUP_SLOTS } from "../../lake/event.ts";
import type { Expression, Origin } from "../analysis/expression.ts";
import type { Extracts } from "../analysis/extraction.ts";
import type { Run } from "../analysis/run.ts";
import type { EventBounds, EventDraft } from "../analysis/scans.ts";
import { arrayOf, DATETIME64, JSON_TEXT, STRING, type Type, UUID } from "../analysis/types.ts";
import type { EventColumn } from "../lowered.ts";
import { groupJoin } from "./groups.ts";
import { personJoin } from "./persons.ts";
import { property } from "./property.ts";
import type { Member, Relation } from "./relation.ts";
import { sessionsOf } from "./sessions.ts";

const ELEMENTS = "elements_chain";

/** Columns that are read as they are stored. */
const PLAIN: ReadonlyMap<string, { readonly column: EventColumn; readonly type: Type; readonly origin?: Origin["column"] }> = new Map([
  ["uuid", { column: "uuid", type: UUID }],
  ["event", { column: "event", type: STRING, origin: "event" }],
  ["timestamp", { column: "timestamp", type: DATETIME64, origin: "timestamp" }],
  ["distinct_id", { column: "distinct_id", type: STRING, origin: "distinct_id" }],
  ["created_at", { column: "created_at", type: DATETIME64 }],
  [ELEMENTS, { column: ELEMENTS, type: STRING }],
  ["person_mode", { column: "person_mode", type: STRING }],
] as const);

const GROUPS = ["group_0", "group_1", "group_2", "group_3", "group_4"] as const satisfies readonly EventColumn[];
if (GROUPS.length !== GROUP_SLOTS) throw new RangeError("the event files have other group slots");

/** Columns that are an empty text where an event has none. */
const OR_EMPTY: ReadonlyMap<string, EventColumn> = new Map<string, EventColumn>([
  ["$session_id", "session_id"],
  ["$window_id", "window_id"],
  ...GROUPS.map((column) => [`$${column}`, column] as const),
]);

/** What autocapture's chain of elements is asked for, as regular expressions of its serialised form. */
const FROM_ELEMENTS: ReadonlyMap<string, { readonly pattern: string; readonly many: boolean }> = new Map([
  ["elements_chain_href", { pattern: '(?::|")href="(.*?)"', many: false }],
  ["elements_chain_texts", { pattern: '(?::|")text="(.*?)"', many: true }],
  ["elements_chain_ids", { pattern: '(?::|")attr_id="(.*?)"', many: true }],
  ["elements_chain_elements", { pattern: "(?:^|;)(a|button|form|input|select|textarea|label)(?:\\.|$|:)", many: true }],
]);

const STAR = [
  "uuid",
  "event",
  "properties",
  "timestamp",
  "distinct_id",
  ELEMENTS,
  "created_at",
  "$session_id",
  "$window_id",
  "person_mode",
];

/** The project's events. Persons, groups and sessions are joined when something of theirs is named. */
export const eventsTable = (run: Run, name: string | null): Relation => {
  const draft = run.events();
  const table = run.fresh("e");
  const joins: string[] = [];
  const column = (physical: EventColumn): string => read(draft, table, physical);
  const members = joinedMembers(run, { draft, table, column, join: (sql) => joins.push(sql) });
  const groupNames = run.options.groupTypes ?? [];
  const extracts = run.extracts(draft.name, table, false);
  return {
    name: name ?? "events",
    described: "events",
    star: [...STAR, ...GROUPS.map((group) => `$${group}`), ...FROM_ELEMENTS.keys()],
    names: () => [
      ...STAR,
      ...GROUPS.flatMap((group) => [group, `$${group}`]),
      ...FROM_ELEMENTS.keys(),
      ...JOINED,
      "$session_id_uuid",
      ...groupNames,
    ],
    member: (name) => ownMember(run, { bounds: draft.bounds, column, extracts }, name) ?? members(groupMember(name, groupNames)),
    scanned: { draft, table },
    from: () => `${extracts.from}${joins.join("")}`,
  };
};

const JOINED = ["person_id", "person", "pdi", "session"] as const;

/** A group's type name stands for its slot, unless it is what something else is called. */
const groupMember = (name: string, groupTypes: readonly string[]): string => {
  if (JOINED.some((joined) => joined === name)) return name;
  const slot = groupTypes.indexOf(name);
  return slot >= 0 && slot < GROUPS.length ? `group_${slot}` : name;
};

const read = (draft: EventDraft, table: string, column: EventColumn): string => {
  draft.columns.add(column);
  return `${table}.${column === "index" ? '"index"' : column}`;
};

const EVENT = ["event"] as const;

const value = (expression: Expression): Member => ({ kind: "value", expression });

interface OwnColumns {
  readonly bounds: EventBounds;
  readonly column: (physical: EventColumn) => string;
  readonly extracts: Extracts;
}

const ownMember = (run: Run, { bounds, column, extracts }: OwnColumns, name: string): Member | undefined => {
  const plain = PLAIN.get(name);
  if (plain !== undefined) {
    const origin = plain.origin === undefined ? {} : { origin: { bounds, column: plain.origin, below: 0n } };
    return value({ sql: column(plain.column), type: plain.type, nullable: false, loose: name, ...origin });
  }
  const orEmpty = OR_EMPTY.get(name);
  if (orEmpty !== undefined) {
    const raw = column(orEmpty);
    return value({ sql: `coalesce(${raw}, '')`, raw, type: STRING, nullable: false, loose: name });
  }
  if (name === "$session_id_uuid") {
    return value({ sql: `TRY_CAST(${column("session_id")} AS UUID)`, type: UUID, nullable: true, loose: name });
  }
  if (name === "properties") {
    return {
      kind: "properties",
      whole: () => ({ sql: column("properties"), type: JSON_TEXT, nullable: false, loose: name }),
      property: (path) =>
        property(run, { owners: EVENT, text: (path) => extracts.text(path, column("properties")), hot: (hot) => column(hot.column) }, path),
    };
  }
  const elements = FROM_ELEMENTS.get(name);
  if (elements === undefined) return undefined;
  const args = `${column(ELEMENTS)}, ${run.bind(elements.pattern)}::VARCHAR, 1`;
  return elements.many
    ? value({ sql: `list_distinct(regexp_extract_all(${args}))`, type: arrayOf(STRING), nullable: false, loose: name })
    : value({ sql: `regexp_extract(${args})`, type: STRING, nullable: false, loose: name });
};

/** The table an event is joined from, and a place to put the join. */
export interface JoinBase {
  readonly draft: EventDraft;
  readonly table: string;
  readonly column: (physical: EventColumn) => string;
  readonly join: (sql: string) => void;
}

/** Members that need a join; each join is made once. */
const joinedMembers = (run: Run, base: JoinBase): ((name: string) => Member | undefined) => {
  const made = new Map<string, Member | undefined>();
  const make = (name: string): Member | undefined => {
    if (name === "person_id" || name === "person" || name === "pdi") return personJoin(run, base, name, (other) => keep(other));
    if (name === "session") return { kind: "relation", relation: sessionsOf(run, base) };
    const group = GROUPS.find((column) => column === name);
    return group === undefined ? undefined : { kind: "relation", relation: groupJoin(run, base, group) };
  };
  const keep = (name: string): Member | undefined => {
    if (!made.has(name)) made.set(name, make(name));
    return made.get(name);
  };
  return keep;
};
