import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openDuplicateFinder } from "../../../lib/engine/storage/duplicates.ts";
import { comparing, expected, factsOf, type Listed, listed } from "../../support/samples/listed-files.ts";

const PROJECT = 1;

const someRows = fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 6 }).map((rows) => new Set(rows));
const someLists = fc.array(someRows, { minLength: 1, maxLength: 9 });
const someAsked = fc.array(fc.tuple(fc.infiniteStream(fc.boolean()), fc.boolean()), { minLength: 1, maxLength: 8 });

describe("the search for duplicates, whatever was asked before", () => {
  it.each([
    ["with enough memory", 1_000_000],
    ["when it forgets whenever it may", 0],
  ])("finds what comparing everything finds, %s", async (_, mostBytes) => {
    await fc.assert(
      fc.asyncProperty(someLists, someLists, someAsked, fc.infiniteStream(fc.integer({ min: 0, max: 3 })), async (a, b, asked, luck) => {
        const segments = a.map((rows, at) => listed(`fresh/${at}`, rows));
        const files = b.map((rows, at) => listed(`events/${at}`, rows));
        const { compare } = comparing([...segments, ...files], () => luck.next().value === 0);
        const finder = openDuplicateFinder(compare, mostBytes);
        const waits: Promise<unknown>[] = [];
        for (const [kept, together] of asked) {
          const some = segments.filter(() => kept.next().value);
          const beside = files.filter(() => kept.next().value);
          const find = async (): Promise<void> => {
            const found = await finder.find(PROJECT, factsOf(some), factsOf(beside)).catch(() => null);
            if (found !== null) expect(new Map(found)).toEqual(expected(some, beside));
          };
          waits.push(find());
          if (!together) await Promise.all(waits);
        }
        await Promise.all(waits);
      }),
      { numRuns: 400 },
    );
  });

  it("compares no pair that it knows, and none that cannot share a row", async () => {
    await fc.assert(
      fc.asyncProperty(someLists, someLists, async (a, b) => {
        const segments = a.map((rows, at) => listed(`fresh/${at}`, rows));
        const files = b.map((rows, at) => listed(`events/${at}`, rows));
        const { compare, compared } = comparing([...segments, ...files], () => false);
        const finder = openDuplicateFinder(compare);
        for (const known of [0, 1, 2]) {
          const before = new Map(compared);
          await finder.find(PROJECT, factsOf(segments), factsOf(files));
          if (known > 0) expect(compared).toEqual(before);
        }
        const late = listed("fresh/late", new Set([1, 2, 3]));
        compared.clear();
        await finder.find(PROJECT, factsOf([...segments, late]), factsOf(files));
        for (const [pair, times] of compared) expect([pair, times]).toEqual([expect.stringContaining(late.facts.key), 1]);
        const lateFile = listed("events/late", new Set([4, 5, 6])).facts;
        compared.clear();
        await finder.find(PROJECT, factsOf([...segments, late]), [...factsOf(files), lateFile]);
        for (const [pair, times] of compared) expect([pair, times]).toEqual([expect.stringContaining(lateFile.key), 1]);
        compared.clear();
        await finder.find(PROJECT, factsOf([...segments, late]), [...factsOf(files), lateFile]);
        expect(compared.size).toBe(0);
      }),
    );
  });
});

/** Whether two files can have a row in common, by what the catalogue says of them. */
const mayMeet = ({ facts: a }: Listed, { facts: b }: Listed): boolean => {
  const touch = <T extends number | string>([least, most]: readonly [T, T], [from, to]: readonly [T, T]): boolean =>
    from <= most && least <= to;
  const share = a.events === null || b.events === null || a.events.some((name) => b.events?.includes(name));
  return a.key !== b.key && touch(a.days, b.days) && touch(a.ids, b.ids) && share;
};

/** Of some files the catalogue does not say which events they have. */
const someNamed = fc.array(fc.tuple(someRows, fc.boolean()), { minLength: 1, maxLength: 6 });
const namedAs = (kind: string, given: readonly (readonly [ReadonlySet<number>, boolean])[]): readonly Listed[] =>
  given.map(([rows, isNamed], at) => {
    const { facts, ...rest } = listed(`${kind}/${at}`, rows);
    return { ...rest, facts: isNamed ? facts : { ...facts, events: null } };
  });

describe("a comparison", () => {
  it("is of files that may share a row with one of the other side, and of all of these", async () => {
    await fc.assert(
      fc.asyncProperty(someNamed, someNamed, async (a, b) => {
        const [segments, files] = [namedAs("fresh", a), namedAs("events", b)];
        const all = new Map([...segments, ...files].map((one) => [one.facts.key, one]));
        const asked: (readonly [Listed, Listed])[] = [];
        const { compare } = comparing([...segments, ...files], () => false);
        const finder = openDuplicateFinder((project, comparison) => {
          const sides = [comparison.segments, comparison.others.map(({ file }) => file)].map((side) =>
            side.flatMap(({ key }) => all.get(key) ?? []),
          );
          const [left = [], right = []] = sides;
          expect([left.length, right.length]).not.toContain(0);
          for (const one of left) expect(right.some((other) => mayMeet(one, other))).toBe(true);
          for (const other of right) expect(left.some((one) => mayMeet(one, other))).toBe(true);
          for (const one of left) for (const other of right) asked.push([one, other]);
          return compare(project, comparison);
        });
        expect(new Map(await finder.find(PROJECT, factsOf(segments), factsOf(files)))).toEqual(expected(segments, files));
        for (const one of segments)
          for (const other of [...segments, ...files])
            if (mayMeet(one, other)) expect(asked.some(([x, y]) => x === one && y === other)).toBe(true);
      }),
    );
  });
});
