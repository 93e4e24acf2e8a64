import { describe, expect, it } from "vitest";
import { memoryObjects } from "../../test/support/memory-objects.ts";
import { aCommit } from "../../test/support/samples/small-lake.ts";
import { pack } from "../core/pack.ts";
import type { Commit } from "./catalogue.ts";
import { type Deltas, NO_DELTAS, type PersonOp } from "./persons/deltas.ts";
import { type StateChanges, type StateLookup, stateChanges } from "./persons/state-changes.ts";
import { type DeltaColumns, inlineDeltas, isFiled, stateOverlay } from "./state-overlay.ts";

const PROJECT = 7;

let index = 0;
const at = () => ({ time: 1_000n, index: index++, uuid: "u" });
const seen = (...ids: readonly string[]): Deltas => ({ ...NO_DELTAS, seen: ids.map((id) => ({ id, first: at(), last: 2_000n })) });
const op = (id: string, change: Partial<PersonOp>): PersonOp => ({
  at: at(),
  id,
  merge: null,
  set: null,
  setOnce: null,
  unset: null,
  ...change,
});
const identify = (id: string, source: string): PersonOp => op(id, { merge: { kind: "identify", source } });
const doing = (...persons: readonly PersonOp[]): Deltas => ({ ...NO_DELTAS, persons });
const group = (key: string): Deltas => ({ ...NO_DELTAS, groups: [{ at: at(), slot: 0, key, set: { seats: 1 } }] });

const lookupOf = ({ history, groups }: Pick<StateChanges, "history" | "groups">): StateLookup => {
  const held = <T>(all: ReadonlyMap<string, T | null>, keys: ReadonlySet<string>): Map<string, T> =>
    new Map([...all].flatMap(([key, value]) => (keys.has(key) && value !== null ? [[key, value]] : [])));
  return {
    logs: async (ids) => held(history, ids),
    tied: async () => held(history, new Set([...history].flatMap(([id, log]) => (log && log.targets.length > 0 ? [id] : [])))),
    groups: async (names) => held(groups, names),
  };
};
const NOTHING: StateLookup = lookupOf({ history: new Map(), groups: new Map() });

/** Files of deltas, as the engine reads them: by columns, and no more than it is asked for. */
const filed = ({ seen: sightings, persons, groups }: Deltas, tied: readonly string[] = []) => {
  const asked: string[] = [];
  const columns: DeltaColumns = {
    persons: async (which) => {
      asked.push(which);
      return which === "all" ? persons : persons.filter(({ merge }) => merge !== null);
    },
    groups: async () => {
      asked.push("groups");
      return groups;
    },
    tied: async () => tied,
    seen: async (ids) => sightings.filter(({ id }) => ids.has(id)),
  };
  return { columns, asked };
};

describe("what waits over a state", () => {
  const stored = { ...seen("ann", "anon", "bob", "eve", "e2"), persons: [identify("eve", "e2")] };
  const inline = [seen("dora", "fay"), doing(identify("ann", "anon"), op("gil", { set: { a: 1 } })), seen("e2")];
  const waiting: Deltas = { ...seen("carl", "bob", "hal", "ivy"), persons: [op("bob", { set: { plan: "pro" } }), identify("hal", "h2")] };
  const state = async () => lookupOf(await stateChanges(PROJECT, [stored], NOTHING));

  it("is, where all of it travels in commits, what a fold of it would change", async () => {
    const lookup = await state();
    const whole = await stateChanges(PROJECT, inline, lookup);
    for (const kind of ["persons", "distinctIds", "groups"] as const) {
      expect(await stateOverlay(PROJECT, kind, { inline, columns: null }, lookup)).toEqual({ rows: whole[kind], replayed: new Set() });
    }
  });

  it("is, for ids that something was done to or that are tied to others, what a fold of files would change, too", async () => {
    const lookup = await state();
    const replayed = new Set(["ann", "anon", "bob", "dora", "e2", "eve", "fay", "gil", "h2", "hal", "ivy"]);
    const whole = await stateChanges(PROJECT, [...inline, { ...waiting, seen: waiting.seen.filter(({ id }) => replayed.has(id)) }], lookup);
    const { columns, asked } = filed(waiting, ["ivy"]);
    const overlay = await stateOverlay(PROJECT, "persons", { inline, columns }, lookup);
    expect(overlay).toEqual({ rows: whole.persons, replayed });
    expect([...whole.persons.values()].some((row) => row?.properties === '{"plan":"pro"}')).toBe(true);
    expect(await stateOverlay(PROJECT, "distinctIds", { inline, columns }, lookup)).toEqual({
      rows: whole.distinctIds,
      replayed: new Set([...replayed].filter((id) => id !== "bob")),
    });
    expect(asked).toEqual(["all", "merges"]);
  });

  it("is of groups what commits and files say of them together, and reads nothing of persons", async () => {
    const { columns, asked } = filed({ ...waiting, ...group("acme") });
    const groups = [group("beta"), doing(), group("corp")];
    const whole = await stateChanges(PROJECT, [...groups, { ...NO_DELTAS, groups: await columns.groups() }], NOTHING);
    expect(await stateOverlay(PROJECT, "groups", { inline: groups, columns }, NOTHING)).toEqual({
      rows: whole.groups,
      replayed: new Set(),
    });
    expect([whole.groups.size, asked]).toEqual([3, ["groups", "groups"]]);
  });
});

describe("deltas of waiting commits", () => {
  const old = { v: 1, seen: [["ann", "9", "7", 1, "u"]], persons: [], groups: [] };
  const commit = (id: string, deltas: Commit["deltas"]): Commit => aCommit(id, 0, { deltas });

  it.each<[Commit["deltas"], boolean]>([
    [null, false],
    [{ inline: "{}" }, false],
    [{ key: "k", bytes: 1 }, false],
    [{ key: "k", bytes: 1, entries: 1 }, true],
  ])("that are %j are in a file of columns: %s", (deltas, expected) => {
    expect(isFiled(commit("c", deltas))).toBe(expected);
  });

  it("are read once where they are objects, never where they are files of columns", async () => {
    const objects = memoryObjects();
    await objects.put("old", pack(old));
    const commits = [
      commit("a", null),
      commit("b", { inline: JSON.stringify({ ...old, v: 2 }) }),
      commit("c", { key: "old", bytes: 9 }),
      commit("d", { key: "file", bytes: 9, entries: 1 }),
    ];
    const one = [{ id: "ann", first: { time: 7n, index: 1, uuid: "u" }, last: 9n }];
    for (let again = 0; again < 2; again += 1)
      expect((await inlineDeltas(objects, commits)).map((deltas) => deltas.seen)).toEqual([[], one, one]);
    expect(objects.counts.requests).toBe(1);
  });

  it("that are large are not kept in memory", async () => {
    const objects = memoryObjects();
    await objects.put("old", pack(old));
    for (let again = 0; again < 2; again += 1) await inlineDeltas(objects, [commit("c", { key: "old", bytes: 50_000_000 })]);
    expect(objects.counts.requests).toBe(2);
  });
});
