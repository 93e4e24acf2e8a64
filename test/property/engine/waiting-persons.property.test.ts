import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EmbeddedEngine } from "../../../lib/engine/engine.ts";
import { openEngine } from "../../../lib/engine/open.ts";
import { derivePersonId } from "../../../lib/event/identity.ts";
import type { LoweredSql, Scan } from "../../../lib/hogql/lowered-query.ts";
import { commitItem } from "../../../lib/lake/catalogue/commits.ts";
import { CATALOGUE_FORMAT } from "../../../lib/lake/catalogue.ts";
import { fold } from "../../../lib/lake/fold-persons.ts";
import { deltaKey } from "../../../lib/lake/paths.ts";
import { gatherDeltas } from "../../../lib/lake/persons/deltas.ts";
import { storedDeltas } from "../../../lib/lake/persons/stored-deltas.ts";
import { pin } from "../../../lib/lake/pin.ts";
import { POLICIES } from "../../../lib/lake/policy.ts";
import { memoryTable } from "../../simulation/ports/table.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { type Happening, inOrder } from "../../support/person-model.ts";
import { countRows } from "../../support/samples/event-rows.ts";

const id = fc.constantFrom("a", "b", "c", "d", "e", "f");
const values = fc.option(fc.dictionary(fc.constantFrom("x", "y"), fc.nat(3), { maxKeys: 2 }), { freq: 2 });

const aHappening: fc.Arbitrary<Happening> = fc
  .record({
    time: fc.nat(9),
    index: fc.nat(1),
    uuid: fc.nat(1_000_000).map(String),
    id,
    merge: fc.option(
      fc.record({ kind: fc.constantFrom("identify" as const, "alias" as const, "merge_dangerously" as const), source: id }),
      { freq: 2 },
    ),
    set: values,
    setOnce: values,
    unset: fc.option(fc.subarray(["x", "y"], { minLength: 1 }), { freq: 2 }),
    group: fc.option(fc.record({ key: fc.constantFrom("g", "h"), set: fc.dictionary(fc.constantFrom("x", "y"), fc.nat(3)) }), { freq: 2 }),
  })
  // Most are mere sightings, as most events are.
  .chain((event) => fc.boolean().map((isMere) => (isMere ? { ...event, ...MERE } : event)))
  .map((event) => (event.merge?.source === event.id ? { ...event, merge: null } : event));

const MERE = { merge: null, set: null, setOnce: null, unset: null, group: null };

const batches = fc.array(
  fc.record({
    events: fc.uniqueArray(aHappening, { minLength: 1, maxLength: 6, selector: ({ time, index, uuid }) => `${time}/${index}/${uuid}` }),
    isFile: fc.boolean(),
    isFolded: fc.boolean(),
  }),
  { minLength: 1, maxLength: 6 },
);

let projects = 0;

describe("what waits to be folded", () => {
  const objects = memoryObjects();
  const table = memoryTable();
  let directory: string;
  let engine: EmbeddedEngine;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "waiting-"));
    engine = await openEngine({ objects, directory, config: { engineDiskBytes: 100_000_000, engineMemoryMb: 300 }, countUsage: countRows });
  });
  afterAll(async () => {
    await engine.close();
    await rm(directory, { recursive: true, force: true });
  });

  let now = 1_000_000;
  let ulids = 0;
  const clock = { now: () => now++ };
  const ids = { uuid: () => "", ulid: () => String(ulids++).padStart(26, "0"), secret: () => new Uint8Array() };
  const parts = { table, objects, clock, ids };

  const commit = async (project: number, events: readonly Happening[], isFile: boolean): Promise<void> => {
    const deltas = gatherDeltas();
    for (const { time, index = 0, uuid, id: own, group, merge, set, setOnce, unset } of events) {
      const at = { time: BigInt(time), index, uuid };
      deltas.seen(own, at);
      if (merge || set || setOnce || unset) deltas.person({ at, id: own, merge, set, setOnce, unset });
      if (group) deltas.group({ at, slot: 0, ...group });
    }
    const stored = await storedDeltas(project, deltas.take(), () => deltaKey(project, ids.ulid()), isFile ? 0 : undefined);
    if (stored?.object) await objects.put(stored.object.key, stored.object.bytes);
    const facts = { v: CATALOGUE_FORMAT, id: ids.ulid(), at: clock.now(), lane: "live" as const, segments: [] };
    await table.put(commitItem(project, { ...facts, deltas: stored?.ref ?? null }));
  };

  const rowsOf = async (project: number, scan: Scan, columns: string): Promise<readonly (readonly unknown[])[]> => {
    const pinned = await pin(parts, project, null, { events: false, state: true });
    const query: LoweredSql = {
      project,
      sql: `SELECT ${columns} FROM t ORDER BY 1`,
      parameters: [],
      scans: [scan],
      columns: [],
      timezone: "UTC",
    };
    return (await engine.run(query, pinned, { timeMs: 5_000, maxRows: 100, maxReplyBytes: 1_000_000 })).rows;
  };
  const PERSONS = ["person_id", "distinct_id", "created_at", "properties", "is_identified", "last_seen_at"];

  it("is in what queries see of persons, ids and groups, be it small or in files, over whatever is folded", async () => {
    await fc.assert(
      fc.asyncProperty(batches, fc.constantFrom(0.2, Number.POSITIVE_INFINITY), async (dealt, rewriteShare) => {
        const project = ++projects;
        for (const { events, isFile, isFolded } of dealt) {
          await commit(project, events, isFile);
          if (isFolded) await fold(parts, { ...POLICIES.local, rewriteShare }, project);
        }
        const wanted = inOrder(dealt.flatMap(({ events }) => events));
        const persons = await rowsOf(
          project,
          { kind: "persons", name: "t", columns: PERSONS },
          "distinct_id, CAST(person_id AS VARCHAR), epoch_us(created_at), epoch_us(last_seen_at), is_identified, properties",
        );
        expect(persons).toEqual(
          wanted.persons.map(([root, { created_at, last_seen_at, is_identified, properties }]) => [
            root,
            derivePersonId(project, root),
            Number(created_at),
            Number(last_seen_at),
            is_identified,
            properties,
          ]),
        );
        const roots = new Map([...wanted.persons.map(([root]) => [root, root] as const), ...wanted.distinctIds]);
        const known = await rowsOf(
          project,
          { kind: "person_distinct_ids", name: "t", columns: ["distinct_id", "person_id"] },
          "distinct_id, CAST(person_id AS VARCHAR)",
        );
        expect(known).toEqual([...roots].sort().map(([own, root]) => [own, derivePersonId(project, root)]));
        const groups = await rowsOf(project, { kind: "groups", name: "t", columns: ["index", "key", "properties"] }, "key, properties");
        expect(groups).toEqual(wanted.groups.map(([key, { properties }]) => [key, properties]));
      }),
      { numRuns: 25 },
    );
  });
});
