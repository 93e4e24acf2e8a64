import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EventRow } from "../../lib/event/event.ts";
import { utcDay } from "../../lib/event/time-partitions.ts";
import type { FileFacts } from "../../lib/lake/catalogue.ts";
import { erasedDigest } from "../../lib/lake/removals.ts";
import type { ProfileRow, RowFiles, RowMatch, RowSource, Shape } from "../../lib/lake/row-files.ts";
import { encodeSkipped } from "../../lib/lake/skipped-rows.ts";
import type { DayCounts } from "../../lib/usage/day-counts.ts";
import { anEventRow, countRows, identityOf } from "../support/samples/event-rows.ts";

/** What the suite needs of row files that count usage with `countRows`. */
export interface RowFilesUnderTest {
  readonly rowFiles: RowFiles;
  /** Stores what `write` gave under a key. */
  store(key: string, content: Uint8Array): Promise<void>;
  /** The rows of an object, in file order. */
  read(key: string): Promise<readonly Seen[]>;
  close(): Promise<void>;
}

export type Seen = Pick<EventRow, "uuid" | "event" | "distinct_id" | "timestamp" | "properties">;

const PROJECT = 7;
const DAY_US = 86_400_000_000n;

/** Few values, so that copies are common; with ids whose order differs between code units and bytes, and times at the edges. */
const aRow = fc
  .record({
    uuid: fc.integer({ min: 1, max: 4 }).map((n) => `0190a1b2-c3d4-7e5f-8a9b-00000000000${n}`),
    event: fc.constantFrom("view", "buy", "ünï"),
    distinct_id: fc.constantFrom("ann", "bob", "\u{1F600}", "\uFFEE", ""),
    timestamp: fc
      .tuple(fc.constantFrom(-719_528n, -1n, 0n, 20_000n, 20_001n, 2_932_896n), fc.constantFrom(0n, 1n, DAY_US - 1n))
      .map(([day, within]) => day * DAY_US + within),
    created_at: fc.constantFrom(1n, 2n),
    request: fc.constantFrom("a".repeat(32), "b".repeat(32)),
    index: fc.integer({ min: 0, max: 2 }),
    historical: fc.boolean(),
    properties: fc.constantFrom("{}", '{"a":1}', '{"a":"é"}'),
  })
  .map((changes) => anEventRow(changes));

/** Places in the lists of segments and of files that a query does not prune. */
interface Asking {
  readonly segments: readonly number[];
  readonly files: readonly number[];
}

const anAsking: fc.Arbitrary<Asking> = fc.record({
  segments: fc.uniqueArray(fc.integer({ min: 0, max: 5 }), { minLength: 1 }),
  files: fc.uniqueArray(fc.integer({ min: 0, max: 2 })),
});

const SALT = "5a17";

const aMatch: fc.Arbitrary<RowMatch> = fc.oneof(
  fc.record({ ids: fc.subarray(["ann", "bob", "\u{1F600}", "\uFFEE", "nobody"], { minLength: 1 }) }),
  fc.record({
    erased: fc
      .subarray(["ann", "bob", "\u{1F600}", "\uFFEE", ""], { minLength: 1 })
      .map((ids) => ({ salt: SALT, digests: ids.map((id) => erasedDigest(SALT, id)) })),
    imports: fc.subarray(["a".repeat(16), "c".repeat(16)]),
  }),
  fc.record({ imports: fc.subarray(["a".repeat(16), "b".repeat(16)], { minLength: 1 }) }),
  fc.record({ ids: fc.constant(["bob"]), groupEvents: fc.constant(true) }),
);

const isMeant = ({ distinct_id, request, event }: EventRow, { ids = [], erased, imports = [], groupEvents }: RowMatch): boolean =>
  ids.includes(distinct_id) ||
  erased?.digests.includes(erasedDigest(SALT, distinct_id)) === true ||
  imports.includes(request.slice(0, 16)) ||
  (groupEvents === true && event === "$groupidentify");

const profileFields = ({ event, distinct_id, timestamp, index, uuid, person_mode }: ProfileRow) => [
  ...[event, distinct_id, String(timestamp), index, uuid, person_mode],
];

const withoutCopies = (rows: readonly EventRow[]): EventRow[] => [...new Map(rows.map((row) => [identityOf(row), row])).values()];

const aSegment = fc.array(aRow, { minLength: 1, maxLength: 14 }).map(withoutCopies);

/** Files of which no two rows have one identity. */
const someFiles = fc.array(aSegment, { maxLength: 3 }).map((files) => {
  const seen = new Set<string>();
  return files
    .map((rows) => rows.filter((row) => !seen.has(identityOf(row)) && seen.add(identityOf(row))))
    .filter((rows) => rows.length > 0);
});

/** Runs the guarantees of `RowFiles` against one implementation. */
export const rowFilesSuite = (name: string, open: () => Promise<RowFilesUnderTest>, runs = 40): void => {
  describe(`row files: ${name}`, () => {
    let files: RowFilesUnderTest;
    let keys = 0;
    beforeAll(async () => {
      files = await open();
    });
    afterAll(() => files.close());

    const nextKey = (): string => `fresh/${PROJECT}/2025-06/${String(keys++).padStart(6, "0")}.parquet`;

    const written = async (rows: readonly EventRow[]): Promise<FileFacts> => {
      const { content, ...facts } = await files.rowFiles.write(rows);
      const key = nextKey();
      await files.store(key, content);
      return { key, ...facts };
    };

    const merged = async (sources: readonly RowSource[], shape: Shape): Promise<readonly FileFacts[]> =>
      files.rowFiles.merge(PROJECT, sources, shape, nextKey);

    const rowsOf = async (found: readonly FileFacts[]): Promise<Seen[]> =>
      (await Promise.all(found.map(({ key }) => files.read(key)))).flat();

    it("states facts of what it wrote", async () => {
      await fc.assert(
        fc.asyncProperty(aSegment, async (rows) => {
          const facts = await written(rows);
          expect(boundsOf(facts)).toEqual(boundsOfRows(rows));
          expect(sorted(await files.read(facts.key))).toEqual(sorted(rows.map(seen)));
        }),
        { numRuns: runs },
      );
    });

    it("counts the rows of a file anew, whatever its facts say", async () => {
      await fc.assert(
        fc.asyncProperty(aSegment, async (rows) => {
          const facts = await written(rows);
          expect(await files.rowFiles.recount(PROJECT, { ...facts, usage: {} })).toEqual(facts.usage);
        }),
        { numRuns: runs },
      );
    });

    it("finds exactly the rows that a file has or that an earlier waiting copy has", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(aSegment, { minLength: 1, maxLength: 4 }), someFiles, fc.boolean(), async (waiting, held, collide) => {
          // Hashes that all collide prove that they only find candidates.
          const hashed = (rows: readonly EventRow[]): EventRow[] => rows.map((row) => (collide ? { ...row, identity: 1n } : row));
          const segments = await Promise.all(waiting.map((rows) => written(hashed(rows))));
          const others = await Promise.all(held.map((rows) => written(hashed(rows))));
          const skipped = await files.rowFiles.duplicates(PROJECT, segments, others);
          const kept = await survivors(files, segments, skipped);
          const expected = expectedSurvivors(waiting, held);
          expectOneOfEach(kept, expected);
        }),
        { numRuns: runs },
      );
    });

    it("finds the same whatever was asked for before", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(aSegment, { minLength: 2, maxLength: 6 }),
          someFiles,
          fc.array(anAsking, { minLength: 1, maxLength: 5 }),
          async (waiting, held, askings) => {
            const segments = await Promise.all(waiting.map(async (rows) => ({ facts: await written(rows), rows })));
            const others = await Promise.all(held.map(async (rows) => ({ facts: await written(rows), rows })));
            const everything: Asking = { segments: waiting.map((_, at) => at), files: held.map((_, at) => at) };
            for (const asking of [...askings, everything]) {
              const asked = segments.filter((_, at) => asking.segments.includes(at));
              const beside = others.filter((_, at) => asking.files.includes(at));
              const facts = asked.map((one) => one.facts);
              const skipped = await files.rowFiles.duplicates(
                PROJECT,
                facts,
                beside.map((one) => one.facts),
              );
              expectOneOfEach(
                await survivors(files, facts, skipped),
                expectedSurvivors(
                  asked.map(({ rows }) => rows),
                  beside.map(({ rows }) => rows),
                ),
              );
            }
          },
        ),
        { numRuns: runs },
      );
    });

    it("finds a copy in segments that were only ever asked for apart", async () => {
      const segments = await Promise.all(["view", "buy", "leave"].map((event) => written([anEventRow(), anEventRow({ event, index: 1 })])));
      for (const segment of segments) expect(await files.rowFiles.duplicates(PROJECT, [segment], [])).toEqual(new Map());
      const kept = await survivors(files, segments, await files.rowFiles.duplicates(PROJECT, segments, []));
      expect(kept.map(({ event }) => event).sort()).toEqual(["$pageview", "buy", "leave", "view"]);
    });

    it("finds the copies in a file that another waiting segment has become", async () => {
      const [first, second] = [await written([anEventRow()]), await written([anEventRow({ created_at: 1n })])];
      expect(await files.rowFiles.duplicates(PROJECT, [first, second], [])).toEqual(new Map([[first.key, [0]]]));
      const become = await merged([{ file: second, skip: [] }], "one");
      expect(await files.rowFiles.duplicates(PROJECT, [first], [])).toEqual(new Map());
      expect(await files.rowFiles.duplicates(PROJECT, [first], become)).toEqual(new Map([[first.key, [0]]]));
    });

    it("compares again what could not be compared", async () => {
      const { content, ...facts } = await files.rowFiles.write([anEventRow()]);
      const [known, late] = [await written([anEventRow({ index: 1 })]), { key: nextKey(), ...facts }];
      await expect(files.rowFiles.duplicates(PROJECT, [known, late], [])).rejects.toThrow();
      await expect(files.rowFiles.duplicates(PROJECT, [known], [late])).rejects.toThrow();
      await files.store(late.key, content);
      expect(await files.rowFiles.duplicates(PROJECT, [known, late], [])).toEqual(new Map([[known.key, [0]]]));
      expect(await files.rowFiles.duplicates(PROJECT, [known], [late])).toEqual(new Map([[known.key, [0]]]));
    });

    it("answers those who ask at once for overlapping segments as if each had asked alone", async () => {
      const segments = await Promise.all([0, 1, 2].map((index) => written([anEventRow({ index })])));
      const [, b, c] = segments.map(({ key }) => key);
      const asked = await Promise.all([
        files.rowFiles.duplicates(PROJECT, segments.slice(0, 2), []),
        files.rowFiles.duplicates(PROJECT, segments.slice(1), []),
        files.rowFiles.duplicates(PROJECT, segments, []),
        files.rowFiles.duplicates(PROJECT, [], segments),
      ]);
      const skipped = asked.map((rows) => [...rows.keys()].sort());
      expect(skipped).toEqual([[b], [c], [b, c], []]);
    });

    it("takes all skipped rows out of the counts, however many they are", async () => {
      const rows = Array.from({ length: 11_000 }, (_, at) => anEventRow({ uuid: `u${at}`, timestamp: BigInt(at) }));
      const file = await written(rows);
      const skip = Array.from({ length: 10_500 }, (_, at) => at);
      const [merge] = await merged([{ file, skip }], "one");
      expect(merge).toMatchObject({ rows: 500, usage: { 0: { events: 500 } } });
    });

    it("merges what is left, whole days to a file, each of which counts what it has", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(aSegment, { minLength: 1, maxLength: 4 }),
          fc.constantFrom("one" as const, "busiest" as const, "days" as const),
          async (waiting, shape) => {
            const segments = await Promise.all(waiting.map(written));
            const skipped = await files.rowFiles.duplicates(PROJECT, segments, []);
            const sources = segments.map((file) => ({ file, skip: skipped.get(file.key) ?? [] }));
            const kept = await survivors(files, segments, skipped);
            const outputs = await merged(sources, shape);
            expect(sorted(await rowsOf(outputs))).toEqual(sorted(kept));
            expect(sumOf(outputs)).toEqual(sumOf(await countsLeft(waiting, segments, sources, files)));
            if (shape === "one") expect(outputs.length).toBeLessThanOrEqual(1);
            if (shape === "busiest") expect(outputs.length).toBeLessThanOrEqual(3);
            for (const output of outputs) {
              const { usage: _, ...bounds } = boundsOfRows(await files.read(output.key));
              expect(boundsOf(output)).toMatchObject(bounds);
              expect(output.usage).toEqual(await files.rowFiles.recount(PROJECT, output));
            }
          },
        ),
        { numRuns: runs },
      );
    });

    it.each([
      ["apart from the days before it and those after it", [1, 1, 2, 3, 3, 3, 3, 3, 4], ["1-2: 3", "3-3: 5", "4-4: 1"]],
      ["apart from days before it alone", [1, 2, 9, 9, 9], ["1-2: 2", "9-9: 3"]],
      ["that has no more than half of the rows with all others", [1, 1, 2, 2], ["1-2: 4"]],
      ["that is the only one", [5, 5], ["5-5: 2"]],
    ])("merges the busiest day %s", async (_, days, expected) => {
      const rows = days.map((day, at) => anEventRow({ uuid: `u${at}`, timestamp: BigInt(day) * 86_400_000_000n }));
      const [some, others] = [await written(rows.slice(0, 2)), rows.length > 2 && (await written(rows.slice(2)))];
      const sources = [some, ...(others ? [others] : [])].map((file) => ({ file, skip: [] }));
      const outputs = await merged(sources, "busiest");
      expect(outputs.map(({ days: [first, last], rows: own }) => `${first}-${last}: ${own}`).sort()).toEqual(expected);
    });

    it("finds the rows that match by id, by the digest of an id, by import, and those that identify groups", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(aSegment, { minLength: 1, maxLength: 3 }), aMatch, async (given, match) => {
          const segments = await Promise.all(given.map(written));
          const found = await files.rowFiles.matching(PROJECT, segments, match);
          const expected = await Promise.all(
            segments.map(async ({ key }, at) => {
              const meant = (given[at] ?? []).filter((row) => isMeant(row, match)).map(identityOf);
              const places = (await files.read(key)).flatMap((row, place) => (meant.includes(identityOf(row)) ? [place] : []));
              return [key, places] as const;
            }),
          );
          expect([...found].sort()).toEqual(expected.filter(([, places]) => places.length > 0).sort());
        }),
        { numRuns: runs },
      );
    });

    it("reads the rows that match, but none that is skipped", async () => {
      await fc.assert(
        fc.asyncProperty(aSegment, aMatch, fc.constantFrom("all", "groups"), async (given, match, events) => {
          const rows = given.map((row, at) => (at % 4 === 1 ? { ...row, event: "$groupidentify" } : row));
          const file = await written(withoutCopies(rows));
          const order = await files.read(file.key);
          const skip = order.map((_, at) => at).filter((at) => at % 3 === 0);
          const taken: ProfileRow[] = [];
          await files.rowFiles.readMatching(PROJECT, [{ file, skip }], match, events, (some) => taken.push(...some));
          const left = order.filter((_, at) => !skip.includes(at)).map(identityOf);
          const meant = rows.filter((row) => left.includes(identityOf(row)) && isMeant(row, match));
          const expected = meant.filter(({ event }) => events === "all" || event === "$groupidentify");
          const shown = (row: ProfileRow) => [...profileFields(row), row.properties];
          expect(taken.map(shown).sort()).toEqual(expected.map(shown).sort());
        }),
        { numRuns: runs },
      );
    });

    it("counts the rows that match by day, id and what they say of persons, but none that is skipped", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(aSegment, { minLength: 1, maxLength: 2 }), aMatch, async (given, match) => {
          const sources: RowSource[] = [];
          const expected: string[] = [];
          for (const rows of given) {
            const file = await written(rows);
            const order = await files.read(file.key);
            const skip = order.map((_, at) => at).filter((at) => at % 3 === 0);
            sources.push({ file, skip });
            const left = order.filter((_, at) => !skip.includes(at)).map(identityOf);
            for (const row of rows.filter((one) => left.includes(identityOf(one)) && isMeant(one, match)))
              expected.push(JSON.stringify([utcDay(row.timestamp), row.distinct_id.toWellFormed(), row.person_mode]));
          }
          const found = await files.rowFiles.countMatching(PROJECT, sources, match);
          const kinds = found.map(({ day, distinct_id, person_mode }) => JSON.stringify([day, distinct_id, person_mode]));
          expect(found.flatMap(({ rows }, at) => Array.from({ length: rows }, () => kinds[at])).sort()).toEqual(expected.sort());
        }),
        { numRuns: runs },
      );
    });

    it("counts what is left of a file from what it counts, and takes no row out twice", async () => {
      await fc.assert(
        fc.asyncProperty(aSegment, async (rows) => {
          const file = await written(rows);
          const order = (await files.read(file.key)).map(identityOf);
          const left = (skip: readonly number[]) => countRows(rows.filter((row) => !skip.includes(order.indexOf(identityOf(row)))));
          const [some, more] = [[0], rows.map((_, at) => at).filter((at) => at % 2 === 0)];
          const match = { ids: rows.map(({ distinct_id }) => distinct_id) };
          const other = await written([...rows, anEventRow({ distinct_id: "somebody else" })]);
          const sources = [
            { file, skip: some },
            { file: other, skip: [] },
          ];
          const [usage = {}, untouched] = await files.rowFiles.usageLeft(PROJECT, sources, match);
          expect(usage).toEqual(left(some));
          expect(untouched).toEqual(other.usage);
          const skipping = { ...file, usage, skip: encodeSkipped(some) };
          expect(await files.rowFiles.usageLeft(PROJECT, [{ file: skipping, skip: more }], match)).toEqual([left(more)]);
          expect(await files.rowFiles.recount(PROJECT, skipping)).toEqual(usage);
          const outputs = await merged([{ file: skipping, skip: some }], "one");
          expect(sumOf(outputs)).toEqual(sumOf([{ usage }]));
        }),
        { numRuns: runs },
      );
    });

    it("takes a skipped row for no copy, whatever was compared before", async () => {
      const [segment, file, other] = [
        await written([anEventRow()]),
        await written([anEventRow()]),
        await written([anEventRow({ created_at: 1n })]),
      ];
      const gone = { skip: encodeSkipped([0]) };
      const hidden = new Map([[segment.key, [0]]]);
      expect(await files.rowFiles.duplicates(PROJECT, [segment], [file])).toEqual(hidden);
      expect(await files.rowFiles.duplicates(PROJECT, [segment], [{ ...file, ...gone }])).toEqual(new Map());
      expect(await files.rowFiles.duplicates(PROJECT, [segment], [file])).toEqual(hidden);
      expect(await files.rowFiles.duplicates(PROJECT, [segment, other], [])).toEqual(hidden);
      expect(await files.rowFiles.duplicates(PROJECT, [segment, { ...other, ...gone }], [])).toEqual(new Map());
      expect(await files.rowFiles.duplicates(PROJECT, [{ ...segment, ...gone }], [file])).toEqual(new Map());
    });

    it("writes no file when nothing is left, and reads its own output again", async () => {
      const file = await written([anEventRow()]);
      expect(await merged([{ file, skip: [0] }], "one")).toEqual([]);
      const [once] = await merged([{ file, skip: [] }], "days");
      if (!once) throw new Error("the merge wrote nothing");
      expect(await files.rowFiles.duplicates(PROJECT, [file], [once])).toEqual(new Map([[file.key, [0]]]));
      expect(await rowsOf(await merged([{ file: once, skip: [] }], "one"))).toEqual([seen(anEventRow())]);
    });
  });
};

const seen = ({ uuid, event, distinct_id, timestamp, properties }: Seen): Seen => ({ uuid, event, distinct_id, timestamp, properties });

const text = (row: Seen): string => JSON.stringify([row.distinct_id, String(row.timestamp), row.event, row.uuid, row.properties]);

const sorted = (rows: readonly Seen[]): Seen[] => rows.map(seen).sort((a, b) => (text(a) < text(b) ? -1 : 1));

/** Whether of each identity one row stays, and which may. */
const expectOneOfEach = (kept: readonly Seen[], expected: ReadonlyMap<string, readonly Seen[]>): void => {
  expect(kept.map(identityOf).sort()).toEqual([...expected.keys()].sort());
  for (const row of kept) expect(expected.get(identityOf(row))).toContainEqual(seen(row));
};

const survivors = async (
  files: RowFilesUnderTest,
  segments: readonly FileFacts[],
  skipped: ReadonlyMap<string, readonly number[]>,
): Promise<Seen[]> => {
  const kept = segments.map(async ({ key }) => (await files.read(key)).filter((_, at) => !skipped.get(key)?.includes(at)));
  return (await Promise.all(kept)).flat();
};

/** By identity, the rows that may stay: several only where copies have the same place in the same request. */
const expectedSurvivors = (waiting: readonly (readonly EventRow[])[], held: readonly (readonly EventRow[])[]): Map<string, Seen[]> => {
  const taken = new Set(held.flat().map(identityOf));
  const least = new Map<string, EventRow[]>();
  for (const row of waiting.flat()) {
    const identity = identityOf(row);
    if (taken.has(identity)) continue;
    const [best] = least.get(identity) ?? [];
    const order = best === undefined ? -1 : compare(row, best);
    if (order < 0) least.set(identity, [row]);
    else if (order === 0) least.get(identity)?.push(row);
  }
  return new Map([...least].map(([identity, rows]) => [identity, rows.map(seen)]));
};

const compare = (a: EventRow, b: EventRow): number =>
  Number(a.created_at - b.created_at) || (a.request < b.request ? -1 : a.request > b.request ? 1 : 0) || a.index - b.index;

const boundsOf = ({ rows, days, times, ids, events, usage }: FileFacts) => ({ rows, days, times, ids, events, usage });

const boundsOfRows = (rows: readonly (Seen & { historical?: boolean })[]) => {
  const times = rows.map(({ timestamp }) => timestamp).sort((a, b) => (a < b ? -1 : 1));
  const ids = rows.map(({ distinct_id }) => distinct_id).sort();
  const first = times[0] ?? 0n;
  const last = times.at(-1) ?? 0n;
  return {
    rows: rows.length,
    days: [utcDay(first), utcDay(last)],
    times: [String(first), String(last)],
    ids: [ids[0], ids.at(-1)],
    events: [...new Set(rows.map(({ event }) => event))].sort(),
    usage: countRows(rows.map((row) => ({ historical: false, ...row }))),
  };
};

const sumOf = (files: readonly { readonly usage: DayCounts }[]): Record<string, number> => {
  const sums: Record<string, number> = {};
  for (const { usage } of files) {
    for (const [day, types] of Object.entries(usage)) {
      for (const [type, count] of Object.entries(types)) sums[`${day} ${type}`] = (sums[`${day} ${type}`] ?? 0) + count;
    }
  }
  return sums;
};

/** The counts of the rows that are not skipped, from the rows themselves. */
const countsLeft = async (
  waiting: readonly (readonly EventRow[])[],
  segments: readonly FileFacts[],
  sources: readonly RowSource[],
  files: RowFilesUnderTest,
): Promise<{ usage: DayCounts }[]> =>
  Promise.all(
    segments.map(async ({ key }, at) => {
      const skip = sources[at]?.skip ?? [];
      const left = (await files.read(key)).filter((_, place) => !skip.includes(place)).map(identityOf);
      return { usage: countRows((waiting[at] ?? []).filter((row) => left.includes(identityOf(row)))) };
    }),
  );
