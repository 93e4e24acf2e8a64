import { createHash } from "node:crypto";
import { pack } from "../../lib/core/pack.ts";
import { Defect } from "../../lib/core/unreachable.ts";
import type { PinnedState, StateFile } from "../../lib/lake/catalogue.ts";
import { readParquet } from "../../lib/lake/parquet.ts";
import { stateLookup } from "../../lib/lake/persons/state-lookup.ts";
import { currentRows } from "../../lib/lake/persons/state-merge.ts";
import type { StateRow } from "../../lib/lake/persons/state-rows.ts";
import { readDeltas } from "../../lib/lake/persons/stored-deltas.ts";
import { type OverlayKind, stateOverlay } from "../../lib/lake/state-overlay.ts";
import type { Objects } from "../../lib/ports/objects.ts";
import type { Item } from "../../lib/ports/table.ts";
import type { Copy } from "../model/copies.ts";
import { groupsOf } from "../model/groups.ts";
import { Exact, readJson, sorted } from "../model/json.ts";
import type { UuidOf } from "../model/order.ts";
import { personsOf } from "../model/persons.ts";
import { type Ledger, Violation } from "./ledger.ts";

/** Persons and groups as text, equal for equal ones. */
export interface People {
  readonly persons: string;
  readonly groups: string;
}

/** What a query of a pinned state finds: its snapshot under the overlay of all that waits. */
export const peopleSeen = async (objects: Objects, pinned: PinnedState, slots: readonly string[]): Promise<People> => {
  const { project, state, waitingDeltas } = pinned;
  const inline = await Promise.all(waitingDeltas.map(({ deltas }) => readDeltas(objects, deltas)));
  const rows = async <K extends OverlayKind>(kind: K): Promise<readonly StateRow<K>[]> => {
    const overlay = await stateOverlay(project, kind, { inline, columns: null }, stateLookup(objects, state));
    const newest = [...overlay.rows].sort(([a], [b]) => (a < b ? -1 : 1));
    const found: StateRow<K>[] = [];
    for await (const row of currentRows(objects, kind, state?.[kind] ?? [], newest)) found.push(row);
    return found;
  };
  const [persons, distinctIds, groups] = [await rows("persons"), await rows("distinctIds"), await rows("groups")];
  return {
    persons: lines(
      persons.flatMap(([id, person]) => {
        if (person === null) return [];
        const ids = distinctIds.flatMap(([own, owner]) => (owner === id ? [own] : []));
        const properties = readJson(person.properties);
        return [[person.distinct_id, ids, person.created_at, person.last_seen_at, person.is_identified, properties]];
      }),
    ),
    groups: lines(
      groups.flatMap(([, group]) => {
        if (group === null) return [];
        const properties = Object.fromEntries([...group.properties].map(([name, { value }]) => [name, value]));
        return [[slots[group.slot] ?? group.slot, group.key, group.createdAt, group.updatedAt, properties]];
      }),
    ),
  };
};

/** Properties of persons and groups that queries name from two days before all begins, until its end: their files have columns of them. */
const NAMED = { person: ["plan", "source"], group: ["seats"] } as const;

export const namedProperties = (project: number, start: number): Item => {
  const named = { type: "text", since: start - 2 * DAY_MS, namedAt: start + 60 * DAY_MS, namedBy: "a simulation" };
  const list = Object.entries(NAMED).flatMap(([owner, names]) => names.map((property) => ({ owner, property, ...named })));
  return { pk: `project#${project}`, sk: "earned", v: 1, rev: 1, list: pack(list) };
};

const DAY_MS = 86_400_000;

/** Each column of a named property holds what the row's own document says, in every file. */
export const checkColumns = async (objects: Objects, { state }: PinnedState): Promise<void> => {
  const check = async (files: readonly StateFile[], names: readonly string[]): Promise<void> => {
    for (const { key } of files) {
      const content = await objects.get(key);
      if (content === undefined) throw new Defect(`the file ${key} of the state is missing`);
      for (const row of await readParquet(content)) {
        const document: Readonly<Record<string, unknown>> = Object(readJson(String(row.properties)));
        for (const name of names) {
          const [has, says] = [row[columnOf(name)], textOf(document[name])];
          if (has !== says) throw new Violation(`the column of ${name} in ${key} holds ${has}, the document of its row ${says}`);
        }
      }
    }
  };
  await check(state?.persons ?? [], NAMED.person);
  await check(state?.groups ?? [], NAMED.group);
};

/** Of a number with more digits than a double has, a query yields those of a whole one. */
const textOf = (value: unknown): string | null => {
  if (value instanceof Exact) return value.digits.includes(".") ? String(Number(value.digits)) : value.digits;
  return value === undefined ? null : String(value);
};

const columnOf = (name: string): string => `earned_text_${createHash("sha256").update(name).digest("hex").slice(0, 24)}`;

/** What the model makes of the copies that count. */
export const peopleOf = (copies: readonly Copy[], uuidOf: UuidOf): People => ({
  persons: lines(
    personsOf(copies, uuidOf).map(({ root, ids, createdAt, lastSeen, isIdentified, properties }) => {
      const others = [...ids].filter((id) => id !== root).sort();
      return [root, others, createdAt, lastSeen, isIdentified, Object.fromEntries(properties)];
    }),
  ),
  groups: lines(
    groupsOf(copies, uuidOf).map(({ type, key, createdAt, updatedAt, properties }) => [type, key, createdAt, updatedAt, properties]),
  ),
});

const lines = (rows: readonly (readonly unknown[])[]): string =>
  rows
    .map((row) => sorted(row.map((value) => (typeof value === "bigint" ? String(value) : value))))
    .sort()
    .join("\n");

/** Ways of leaving out dropped copies that are looked at; a reading with more is not checked. */
const MOST_WAYS = 128;

/**
 * A query in between sees what the commits of its state say. Copies that are to be dropped may still count, each or not, but one of an
 * event has to.
 */
export const checkPeopleBetween = (
  project: number,
  seen: People,
  contained: readonly Copy[],
  ledger: Pick<Ledger, "uuidOf" | "copiesOf">,
): void => {
  const identities = [...new Set(contained.map(({ identity }) => identity))];
  const ways = identities.map((identity) => someOf(distinct(ledger.copiesOf(identity))));
  if (ways.reduce((product, each) => product * each.length, 1) > MOST_WAYS) return;
  const all = ways.reduce<readonly (readonly Copy[])[]>(
    (chosen, each) => chosen.flatMap((before) => each.map((copies) => [...before, ...copies])),
    [[]],
  );
  const allowed = all.map((copies) => peopleOf(copies, ledger.uuidOf));
  if (allowed.some(({ persons, groups }) => persons === seen.persons && groups === seen.groups)) return;
  throw new Violation(`a reader of project ${project} sees ${text(seen)}, its events say ${allowed.map(text).join(" or ")}`);
};

/** Copies that say something else of their person, or at another time. */
const distinct = (copies: readonly Copy[]): readonly Copy[] => [
  ...new Map(copies.map((copy) => [sorted([String(copy.time), copy.index, copy.isPersonal && copy.properties]), copy])).values(),
];

/** Every choice of at least one. */
const someOf = (copies: readonly Copy[]): readonly (readonly Copy[])[] =>
  Array.from({ length: 2 ** copies.length - 1 }, (_, way) => copies.filter((_, at) => ((way + 1) >> at) & 1));

const text = ({ persons, groups }: People): string => `persons ${persons} and groups ${groups}`;

/** At the end the state holds what the events say that stayed. */
export const checkPeople = (project: number, seen: People, stayed: readonly Copy[], uuidOf: UuidOf): void => {
  const said = peopleOf(stayed, uuidOf);
  if (text(seen) !== text(said)) throw new Violation(`of project ${project} are stored ${text(seen)}; its events say ${text(said)}`);
};
