import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { pinnedOf, storedSegment } from "../../../../test/support/lake-state.ts";
import { memoryObjects } from "../../../../test/support/memory-objects.ts";
import { anEventRow, countRows } from "../../../../test/support/samples/event-rows.ts";
import { derivePersonId } from "../../../event/identity.ts";
import type { LoweredSql, Scan } from "../../../hogql/lowered-query.ts";
import type { Commit, PinnedState, StateFile, StateManifest } from "../../../lake/catalogue.ts";
import { deltaKey, segmentKey, snapshotKey } from "../../../lake/paths.ts";
import { type Deltas, gatherDeltas } from "../../../lake/persons/deltas.ts";
import { stateChanges } from "../../../lake/persons/state-changes.ts";
import { stateLookup } from "../../../lake/persons/state-lookup.ts";
import { encodeRows, type StateKind, type StateRow } from "../../../lake/persons/state-rows.ts";
import { storedDeltas } from "../../../lake/persons/stored-deltas.ts";
import type { Objects } from "../../../ports/objects.ts";
import type { Cell, EmbeddedEngine } from "../../engine.ts";
import { openEngine } from "../../open.ts";

const PROJECT = 1;
const START = 1_750_000_000_000_000n;

/** Ids seen at one moment each, then what happened to them. */
const learned = (ids: readonly string[], tell: (deltas: ReturnType<typeof gatherDeltas>) => void = () => undefined): Deltas => {
  const deltas = gatherDeltas();
  for (const [index, id] of ids.entries()) deltas.seen(id, { time: START + BigInt(index), index, uuid: "a" });
  tell(deltas);
  return deltas.take();
};

const annIsAnon = learned(["ann"], (deltas) => {
  const at = { time: START + 10n, index: 0, uuid: "b" };
  deltas.person({ at, id: "ann", merge: { kind: "identify", source: "anon" }, set: { plan: "pro" }, setOnce: null, unset: null });
  deltas.group({ at, slot: 0, key: "acme", set: { size: 5 } });
});
const strangers = learned(["anon", "ann", "bob"], (deltas) => {
  const at = { time: START + 5n, index: 0, uuid: "c" };
  deltas.person({ at, id: "bob", merge: null, set: { plan: "free" }, setOnce: null, unset: null });
  deltas.group({ at, slot: 0, key: "acme", set: { size: 1, town: "Bonn" } });
  deltas.group({ at, slot: 1, key: "acme", set: { size: 2 } });
});

/** Deltas inside their commit, or in a file of their own. */
type Place = "inline" | "file";

const commitOf = async (objects: Objects, id: string, deltas: Deltas, place: Place): Promise<Commit> => {
  const stored = await storedDeltas(PROJECT, deltas, () => deltaKey(PROJECT, id), place === "file" ? 0 : undefined);
  if (stored?.object) await objects.put(stored.object.key, stored.object.bytes);
  return { v: 1, id, at: 0, lane: "live", segments: [], deltas: stored?.ref ?? null };
};

describe("scans of the state", () => {
  const objects = memoryObjects();
  let directory: string;
  let engine: EmbeddedEngine;
  let events: PinnedState;
  let files = 0;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "state-"));
    const config = { engineDiskBytes: 100_000_000, engineMemoryMb: 300 };
    engine = await openEngine({ objects, directory, config, countUsage: countRows });
    const rows = ["anon", "ann", "bob", "eve"].map((distinct_id) =>
      anEventRow({ distinct_id, person_id: derivePersonId(PROJECT, distinct_id) }),
    );
    events = pinnedOf(PROJECT, [], [await storedSegment(engine, objects, segmentKey(PROJECT, "2025-06", "s"), rows)]);
  });
  afterAll(async () => {
    await engine.close();
    await rm(directory, { recursive: true, force: true });
  });

  const store = async <K extends StateKind>(kind: K, rows: Iterable<StateRow<K>>): Promise<StateFile[]> => {
    const kept = [...rows].filter(([, value]) => value !== null).sort(([a], [b]) => (a < b ? -1 : 1));
    const bytes = await encodeRows(kind, kept, { replacing: false });
    const key = snapshotKey(PROJECT, kind === "distinctIds" ? "distinct-ids" : kind, String(files++));
    await objects.put(key, bytes);
    return kept.length === 0 ? [] : [{ key, bytes: bytes.length, rows: kept.length }];
  };

  /** The state after these deltas, and those that wait. */
  const pinnedWith = async (folded: readonly Deltas[], waiting: readonly Deltas[], place: Place = "inline"): Promise<PinnedState> => {
    const changes = await stateChanges(PROJECT, folded, stateLookup(objects, null));
    const state: StateManifest = {
      v: 1,
      id: `state-${files}`,
      persons: await store("persons", changes.persons),
      distinctIds: await store("distinctIds", changes.distinctIds),
      groups: await store("groups", changes.groups),
      history: await store("history", changes.history),
      absorbed: [],
      absorbedAt: [],
    };
    return {
      ...events,
      state,
      waitingDeltas: await Promise.all(waiting.map((deltas, at) => commitOf(objects, `w${files}${at}`, deltas, place))),
    };
  };

  const ask = async (pinned: PinnedState, sql: string, ...scans: readonly Scan[]): Promise<readonly (readonly Cell[])[]> => {
    const query: LoweredSql = { project: PROJECT, sql, parameters: [], scans, columns: [], timezone: "UTC" };
    return (await engine.run(query, pinned, { timeMs: 5_000, maxRows: 100, maxReplyBytes: 1_000_000 })).rows;
  };

  const persons: Scan = { kind: "persons", name: "p", columns: ["person_id", "properties", "is_identified"] };
  const ids: Scan = { kind: "person_distinct_ids", name: "d", columns: ["distinct_id", "person_id"] };
  const groups: Scan = { kind: "groups", name: "g", columns: ["index", "key", "properties"] };
  const eventScan: Scan = { kind: "events", name: "e", columns: ["person_id"], from: null, to: null, events: null, distinctIds: null };

  interface Case {
    readonly what: string;
    readonly folded: readonly Deltas[];
    readonly waiting: readonly Deltas[];
    readonly place?: Place;
  }
  const cases: readonly Case[] = [
    { what: "all of it waits", folded: [], waiting: [strangers, annIsAnon] },
    { what: "all of it waits in files", folded: [], waiting: [strangers, annIsAnon], place: "file" },
    { what: "a part is folded", folded: [strangers], waiting: [annIsAnon] },
    { what: "a part is folded, the rest waits in files", folded: [strangers], waiting: [annIsAnon], place: "file" },
    { what: "all is folded", folded: [strangers, annIsAnon], waiting: [] },
  ];

  describe.each(cases)("when $what", ({ folded, waiting, place }) => {
    let pinned: PinnedState;
    beforeEach(async () => {
      pinned = await pinnedWith(folded, waiting, place);
    });

    it("gives the persons of everything that happened", async () => {
      const found = await ask(pinned, "SELECT is_identified, properties FROM p ORDER BY properties", persons);
      expect(found).toEqual([
        [false, '{"plan":"free"}'],
        [true, '{"plan":"pro"}'],
      ]);
    });

    it("gives events the person that their id belongs to", async () => {
      expect(await ask(pinned, "SELECT count(*), count(DISTINCT person_id) FROM e", eventScan)).toEqual([[4, 3]]);
      const joined = await ask(
        pinned,
        "SELECT p.properties, count(*) FROM e JOIN p USING (person_id) GROUP BY 1 ORDER BY 1",
        eventScan,
        persons,
      );
      expect(joined).toEqual([
        ['{"plan":"free"}', 1],
        ['{"plan":"pro"}', 2],
      ]);
    });

    it("lists every id with the person that it belongs to", async () => {
      const found = await ask(pinned, "SELECT distinct_id, CAST(person_id AS VARCHAR) FROM d ORDER BY 1", ids);
      const [ann, bob] = [derivePersonId(PROJECT, "ann"), derivePersonId(PROJECT, "bob")];
      expect(found).toEqual([
        ["ann", ann],
        ["anon", ann],
        ["bob", bob],
      ]);
      expect(await ask(pinned, "SELECT count(*) FROM d", { ...ids, columns: [] })).toEqual([[3]]);
      expect(await ask(pinned, "SELECT count(*) FROM d JOIN p USING (person_id)", ids, persons)).toEqual([[3]]);
    });

    it("gives each group its last properties", async () => {
      expect(await ask(pinned, 'SELECT "index", key, properties FROM g ORDER BY 1', groups)).toEqual([
        [0, "acme", '{"size":5,"town":"Bonn"}'],
        [1, "acme", '{"size":2}'],
      ]);
    });
  });

  it("leaves events their own persons where nobody was merged", async () => {
    expect(await ask(await pinnedWith([], []), "SELECT count(DISTINCT person_id) FROM e", eventScan)).toEqual([[4]]);
  });
});
