import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { derivePersonId } from "../../../lib/event/identity.ts";
import { commitItem } from "../../../lib/lake/catalogue/commits.ts";
import { CATALOGUE_FORMAT } from "../../../lib/lake/catalogue.ts";
import { fold } from "../../../lib/lake/fold-persons.ts";
import { deltaKey } from "../../../lib/lake/paths.ts";
import { type Deltas, gatherDeltas } from "../../../lib/lake/persons/deltas.ts";
import type { GroupLog } from "../../../lib/lake/persons/group-log.ts";
import { type StateChanges, stateChanges } from "../../../lib/lake/persons/state-changes.ts";
import { stateLookup } from "../../../lib/lake/persons/state-lookup.ts";
import { currentRows } from "../../../lib/lake/persons/state-merge.ts";
import type { StateKind, StateValues } from "../../../lib/lake/persons/state-rows.ts";
import { storedDeltas } from "../../../lib/lake/persons/stored-deltas.ts";
import { pin } from "../../../lib/lake/pin.ts";
import { POLICIES } from "../../../lib/lake/policy.ts";
import { inlineDeltas, type OverlayKind, stateOverlay } from "../../../lib/lake/state-overlay.ts";
import { memoryTable } from "../../simulation/ports/table.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { byKey, type Happening, inOrder, type People, sortedText } from "../../support/person-model.ts";

const PROJECT = 7;
const IDS = ["a", "b", "c", "d", "e"];
const KEYS = ["x", "y"];

const id = fc.constantFrom(...IDS);
const values = fc.option(fc.dictionary(fc.constantFrom(...KEYS), fc.integer({ min: 0, max: 3 }), { maxKeys: 2 }));
const happening: fc.Arbitrary<Happening> = fc
  .record({
    time: fc.integer({ min: 0, max: 12 }),
    uuid: fc.integer({ min: 0, max: 1_000_000 }).map(String),
    id,
    merge: fc.option(fc.record({ kind: fc.constantFrom("identify" as const, "alias" as const, "merge_dangerously" as const), source: id })),
    set: values,
    setOnce: values,
    unset: fc.option(fc.subarray(KEYS, { minLength: 1 }), { freq: 3 }),
    group: fc.option(
      fc.record({ key: fc.constantFrom("g", "h"), set: fc.dictionary(fc.constantFrom(...KEYS), fc.integer({ min: 0, max: 3 })) }),
    ),
  })
  .map((event) => (event.merge?.source === event.id ? { ...event, merge: null } : event));

const happenings = fc.uniqueArray(happening, { minLength: 1, maxLength: 25, selector: ({ time, uuid }) => `${time}/${uuid}` });

const deltasOf = (events: readonly Happening[]): Deltas => {
  const gatherer = gatherDeltas();
  for (const { time, uuid, id: own, group, merge, set, setOnce, unset } of events) {
    const at = { time: BigInt(time), index: 0, uuid };
    gatherer.seen(own, at);
    if (merge || set || setOnce || unset) gatherer.person({ at, id: own, merge, set, setOnce, unset });
    if (group) gatherer.group({ at, slot: 0, ...group });
  }
  return gatherer.take();
};

/** The state's rows in the words of the model. */
const peopleOf = (
  persons: Iterable<readonly [string, StateValues["persons"]]>,
  distinctIds: Iterable<readonly [string, string]>,
  groups: Iterable<GroupLog>,
): People => {
  const rows = [...persons];
  const roots = new Map(rows.map(([personId, { distinct_id }]) => [personId, distinct_id]));
  return {
    persons: rows
      .map(
        ([personId, { distinct_id, ...row }]) => [personId === derivePersonId(PROJECT, distinct_id) ? distinct_id : personId, row] as const,
      )
      .sort(byKey),
    distinctIds: [...distinctIds].map(([own, person]) => [own, roots.get(person) ?? person] as const).sort(byKey),
    groups: [...groups].map((log) => [log.key, groupSaid(log)] as const).sort(byKey),
  };
};

const groupSaid = ({ createdAt, updatedAt, properties }: GroupLog) => ({
  created_at: createdAt,
  updated_at: updatedAt,
  properties: sortedText(Object.fromEntries([...properties].map(([name, { value }]) => [name, value]))),
});

/** A state in memory, to which changes are applied. */
const heldState = () => {
  const held: { [K in StateKind]: Map<string, StateValues[K]> } = {
    persons: new Map(),
    distinctIds: new Map(),
    groups: new Map(),
    history: new Map(),
  };
  const put = <K extends StateKind>(to: Map<string, StateValues[K]>, from: StateChanges[K]): void => {
    for (const [key, value] of from) {
      if (value === null) to.delete(key);
      else to.set(key, value);
    }
  };
  return {
    lookup: {
      logs: async (ids: ReadonlySet<string>) => new Map([...held.history].filter(([key]) => ids.has(key))),
      tied: async () => new Map(held.history),
      groups: async (names: ReadonlySet<string>) => new Map([...held.groups].filter(([key]) => names.has(key))),
    },
    apply(changes: StateChanges) {
      put<"persons">(held.persons, changes.persons);
      put<"distinctIds">(held.distinctIds, changes.distinctIds);
      put<"groups">(held.groups, changes.groups);
      put<"history">(held.history, changes.history);
    },
    view: () => peopleOf(held.persons, held.distinctIds, held.groups.values()),
  };
};

/** Events dealt into batches, each into at least one, in any order, some several times. */
const dealt = happenings.chain((events) =>
  fc.record({
    events: fc.constant(events),
    batches: fc.array(fc.subarray(events), { maxLength: 12 }).chain((some) =>
      fc.shuffledSubarray([...some, events.filter((event) => !some.some((batch) => batch.includes(event)))], {
        minLength: some.length + 1,
        maxLength: some.length + 1,
      }),
    ),
  }),
);

describe("persons", () => {
  it("come out as in an in-order replay, whatever the split, order and repetition of deltas", async () => {
    await fc.assert(
      fc.asyncProperty(dealt, async ({ events, batches }) => {
        const state = heldState();
        for (const batch of batches) state.apply(await stateChanges(PROJECT, [deltasOf(batch)], state.lookup));
        expect(state.view()).toEqual(inOrder(events));
      }),
      { numRuns: 1_000 },
    );
  });

  it("are the same through commits, folds at any moment and the overlay", async () => {
    const moments = fc.array(fc.constantFrom("wait", "fold", "fold"), { minLength: 13, maxLength: 13 });
    const rewriteShare = fc.constantFrom(POLICIES.local.rewriteShare, Number.POSITIVE_INFINITY);
    await fc.assert(
      fc.asyncProperty(dealt, moments, rewriteShare, async ({ events, batches }, when, share) => {
        const lake = aLake(share);
        for (const [place, batch] of batches.entries()) {
          await lake.commit(deltasOf(batch));
          if (when[place] === "fold") await lake.fold();
        }
        const wanted = inOrder(events);
        expect(await lake.read()).toEqual(wanted);
        await lake.fold();
        expect(await lake.read()).toEqual(wanted);
      }),
      { numRuns: 60 },
    );
  });
});

/** A lake that rewrites its snapshot from a share on; with an endless one it only ever gathers layers. */
const aLake = (rewriteShare: number) => {
  const objects = memoryObjects();
  const table = memoryTable();
  let now = 1_000_000;
  let ulids = 0;
  const clock = { now: () => now++ };
  const ids = { uuid: () => "", ulid: () => String(ulids++).padStart(26, "0"), secret: () => new Uint8Array() };
  const parts = { table, objects, clock, ids };
  return {
    async commit(deltas: Deltas) {
      const stored = await storedDeltas(PROJECT, deltas, () => deltaKey(PROJECT, ids.ulid()));
      if (stored === null) return;
      if (stored.object) await objects.put(stored.object.key, stored.object.bytes);
      const commit = { v: CATALOGUE_FORMAT, id: ids.ulid(), at: clock.now(), lane: "live" as const, segments: [], deltas: stored.ref };
      await table.put(commitItem(PROJECT, commit));
    },
    fold: () =>
      fold(parts, { ...POLICIES.local, rewriteShare }, PROJECT, { entries: 1_000, bytes: 1_000_000, layers: 2, fileRows: 50_000 }),
    /** As a query reads: the state's rows, replaced by those of the overlay. */
    async read() {
      const pinned = await pin(parts, PROJECT, null, { events: false, state: true });
      const inline = await inlineDeltas(objects, pinned.waitingDeltas);
      const rows = async <K extends OverlayKind>(kind: K): Promise<Map<string, StateValues[K]>> => {
        const held = new Map<string, StateValues[K]>();
        for await (const [key, value] of currentRows(objects, kind, pinned.state?.[kind] ?? [])) if (value) held.set(key, value);
        const overlay = await stateOverlay(PROJECT, kind, { inline, columns: null }, stateLookup(objects, pinned.state));
        for (const [key, value] of overlay.rows) {
          if (value === null) held.delete(key);
          else held.set(key, value);
        }
        return held;
      };
      return peopleOf(await rows("persons"), await rows("distinctIds"), (await rows("groups")).values());
    },
  };
};
