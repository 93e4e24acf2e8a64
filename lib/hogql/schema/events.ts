import { type ColumnKind, EVENT_COLUMNS, type EventColumn, GROUP_SLOTS, type StoredColumn } from "../../event/event.ts";
import type { LoweringContext } from "../analysis/context.ts";
import type { Expression, Origin } from "../analysis/expression.ts";
import type { EventBounds } from "../analysis/scans.ts";
import type { RowList } from "../row-list.ts";
import { nullAsEmpty } from "../sql/form.ts";
import { column, jsonSource, jsonText, NOTHING, parameter, type Sql, separated, sql } from "../sql/fragment.ts";
import { arrayType, DATETIME64, JSON_TEXT, STRING, type Type, UUID } from "../types.ts";
import { GROUPS, groupJoin } from "./groups.ts";
import { personJoin } from "./persons.ts";
import { earnedColumnOf, type PropertySource, property } from "./property.ts";
import type { JoinBase, Member, Relation } from "./relation.ts";
import { sessionsRelation } from "./sessions.ts";

/** The columns of an exception's issue and fingerprint. */
const ISSUE_ID = "issue_id";
const FINGERPRINT = "fingerprint";

const ELEMENTS = "elements_chain";

/** Types of the columns that are read as they are stored. */
const TYPES: Partial<Record<ColumnKind, Type>> = { uuid: UUID, text: STRING, timestamp: DATETIME64 };

/** Columns that a scan can be bounded by. */
const ORIGINS: ReadonlyMap<string, Origin["column"]> = new Map(
  (["event", "timestamp", "distinct_id"] as const).map((name) => [name, name]),
);

/** The columns that the language names, by their names there. */
const NAMED: ReadonlyMap<string, StoredColumn> = new Map(
  EVENT_COLUMNS.flatMap((column) => (column.member === undefined ? [] : [[column.member, column] as const])),
);

if (GROUPS.length !== GROUP_SLOTS) throw new RangeError("the event files have other group slots");

/** Columns of autocapture's chain of elements, as regular expressions over its serialised form. */
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

const JOINED = ["person_id", "person", "pdi", "session", ISSUE_ID, FINGERPRINT] as const;

/** All names of members of `events`, those of group types aside. */
export const EVENT_NAMES: readonly string[] = [
  ...STAR,
  ...GROUPS.flatMap((group) => [group, `$${group}`]),
  ...FROM_ELEMENTS.keys(),
  ...JOINED,
  "$session_id_uuid",
];

/** The project's events. Persons, groups and sessions are joined when something of theirs is named. */
export const eventsTable = (context: LoweringContext, name: string | null): Relation => {
  const draft = context.events();
  const table = context.alias("e");
  const joins: (() => Sql)[] = [];
  const read = (physical: EventColumn): Sql => column(table, physical, draft.name);
  const groupNames = context.options.groupTypes ?? [];
  const json = { scan: draft.name, alias: table, joined: false };
  const source: PropertySource = {
    owners: EVENT,
    text: (path) => jsonText(json, path, read("properties")),
    hot: (hot) => read(hot.column),
    earned: earnedColumnOf(context, { draft, table }),
  };
  const members = joinedMembers(context, { draft, column: read, join: (join) => joins.push(join) }, source);
  return {
    name: name ?? "events",
    described: "events",
    star: [...STAR, ...GROUPS.map((group) => `$${group}`), ...FROM_ELEMENTS.keys()],
    names: () => [...EVENT_NAMES, ...groupNames],
    member: (name) => ownMember(context, { bounds: draft.bounds, read, source }, name) ?? members(groupMember(name, groupNames)),
    scanned: draft,
    joins: () => joins.length > 0,
    from: () =>
      sql`${jsonSource(json)}${separated(
        joins.map((join) => join()),
        NOTHING,
      )}`,
  };
};

/** A group's type name stands for its slot, unless it is what something else is called. */
const groupMember = (name: string, groupTypes: readonly string[]): string => {
  if (JOINED.some((joined) => joined === name)) return name;
  const slot = groupTypes.indexOf(name);
  return slot >= 0 && slot < GROUPS.length ? `group_${slot}` : name;
};

const EVENT = ["event"] as const;

const value = (expression: Expression): Member => ({ kind: "value", expression });

interface OwnColumns {
  readonly bounds: EventBounds;
  readonly read: (physical: EventColumn) => Sql;
  readonly source: PropertySource;
}

const ownMember = (context: LoweringContext, { bounds, read, source }: OwnColumns, name: string): Member | undefined => {
  const stored = NAMED.get(name);
  const type = stored && TYPES[stored.kind];
  if (stored?.kind === "optional")
    return value({ tree: nullAsEmpty(read(stored.name)), type: STRING, nullable: false, ungroupedColumn: name });
  if (stored !== undefined && type !== undefined) {
    const column = ORIGINS.get(name);
    const origin = column === undefined ? {} : { origin: { bounds, column, below: 0n } };
    return value({ tree: read(stored.name), type, nullable: false, ungroupedColumn: name, ...origin });
  }
  if (name === "$session_id_uuid") {
    return value({ tree: sql`TRY_CAST(${read("session_id")} AS UUID)`, type: UUID, nullable: true, ungroupedColumn: name });
  }
  if (name === "properties") {
    return {
      kind: "properties",
      whole: () => ({ tree: read("properties"), type: JSON_TEXT, nullable: false, ungroupedColumn: name }),
      property: (path) => property(context, source, path),
    };
  }
  const elements = FROM_ELEMENTS.get(name);
  if (elements === undefined) return undefined;
  const args = sql`${read(ELEMENTS)}, ${parameter(elements.pattern)}::VARCHAR, 1`;
  return elements.many
    ? value({ tree: sql`list_distinct(regexp_extract_all(${args}))`, type: arrayType(STRING), nullable: false, ungroupedColumn: name })
    : value({ tree: sql`regexp_extract(${args})`, type: STRING, nullable: false, ungroupedColumn: name });
};

/** Members that need a join; each join is made once. */
const joinedMembers = (context: LoweringContext, base: JoinBase, source: PropertySource): ((name: string) => Member | undefined) => {
  const made = new Map<string, Member | undefined>();
  const make = (name: string): Member | undefined => {
    if (name === "person_id" || name === "person" || name === "pdi") return personJoin(context, base, name, (other) => keep(other));
    if (name === ISSUE_ID) return issueMember(context, source, base.join);
    if (name === FINGERPRINT)
      return value({
        tree: property(context, source, ["$exception_fingerprint"]).tree,
        type: STRING,
        nullable: true,
        ungroupedColumn: name,
      });
    if (name === "session") return { kind: "relation", relation: sessionsRelation(context, base) };
    const group = GROUPS.find((column) => column === name);
    return group === undefined ? undefined : { kind: "relation", relation: groupJoin(context, base, group) };
  };
  const keep = (name: string): Member | undefined => {
    if (!made.has(name)) made.set(name, make(name));
    return made.get(name);
  };
  return keep;
};

/**
 * The issue of an exception, NULL for every other event. A stored event names the issue that it was linked to; what merging and
 * splitting issues did since with its fingerprint, or else with that issue, counts.
 */
const issueMember = (context: LoweringContext, source: PropertySource, join: JoinBase["join"]): Member => {
  const own = property(context, source, ["$exception_issue_id"]).tree;
  const { moved } = context.options;
  const fingerprint = property(context, source, ["$exception_fingerprint"]).tree;
  const leads =
    moved === undefined ? [] : [...movedTo(context, join, moved.fingerprints, fingerprint), ...movedTo(context, join, moved.issues, own)];
  const issue = leads.length === 0 ? own : sql`coalesce(${separated([...leads, own])})`;
  return { kind: "value", expression: { tree: sql`TRY_CAST(${issue} AS UUID)`, type: UUID, nullable: true, ungroupedColumn: ISSUE_ID } };
};

/** Where a value leads by a list, which is joined unless it is empty. */
const movedTo = (context: LoweringContext, join: JoinBase["join"], list: RowList, value: Sql): readonly Sql[] => {
  if (list.rows === 0) return [];
  const { name } = context.list(list);
  const alias = context.alias("i");
  join(() => sql` LEFT JOIN ${name} AS ${alias} ON ${column(alias, "source", name)} = ${value}`);
  return [column(alias, "target", name)];
};
