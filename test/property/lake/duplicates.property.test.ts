import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SharedRows } from "../../../lib/engine/storage/compared-pairs.ts";
import { type CompareRows, openDuplicateFinder } from "../../../lib/engine/storage/duplicates.ts";
import type { FileFacts } from "../../../lib/lake/catalogue/catalogue.ts";

const PROJECT = 1;

/** A file whose rows are numbers: two rows are copies when the numbers are equal, and of two waiting ones the lesser key's stays. */
interface Listed {
  readonly facts: FileFacts;
  readonly rows: readonly number[];
}

const listed = (key: string, given: ReadonlySet<number>): Listed => {
  const rows = [...given].sort((a, b) => a - b);
  const ids = rows.map(idOf).sort();
  const days = rows.map(dayOf).sort((a, b) => a - b);
  const events = [...new Set(rows.map(eventOf))].sort();
  const facts: FileFacts = {
    key,
    bytes: 1,
    rows: rows.length,
    days: [days[0] ?? 0, days.at(-1) ?? 0],
    times: ["0", "0"],
    ids: [ids[0] ?? "", ids.at(-1) ?? ""],
    events,
    usage: {},
    footerBytes: 0,
  };
  return { facts, rows };
};

/** What the catalogue says of a row: a third of the rows is on each day, and so on. */
const dayOf = (row: number): number => row % 3;
const eventOf = (row: number): string => `event-${row % 4}`;
const idOf = (row: number): string => `id-${row % 5}`;

/** What has to be found, from nothing but the lists. */
const expected = (segments: readonly Listed[], files: readonly Listed[]): ReadonlyMap<string, readonly number[]> => {
  const inFiles = new Set(files.flatMap(({ rows }) => rows));
  const duplicates = new Map<string, readonly number[]>();
  for (const { facts, rows } of segments) {
    const earlier = new Set(segments.filter((other) => other.facts.key < facts.key).flatMap((other) => other.rows));
    const places = rows.flatMap((row, at) => (inFiles.has(row) || earlier.has(row) ? [at] : []));
    if (places.length > 0) duplicates.set(facts.key, places);
  }
  return duplicates;
};

/** Compares the lists, notes what it compared, and fails when it is told to. */
const comparing = (all: readonly Listed[], fails: () => boolean) => {
  const rowsOf = new Map(all.map(({ facts, rows }) => [facts.key, rows]));
  const compared = new Map<string, number>();
  const compare: CompareRows = async (_project, { segments, others }) => {
    await Promise.resolve();
    if (fails()) throw new Error("a file cannot be read");
    const shared: SharedRows[] = [];
    for (const { key } of segments) {
      for (const { file, waiting } of others) {
        if (file.key === key) continue;
        const pair = [key, file.key].sort().join(" ");
        compared.set(pair, (compared.get(pair) ?? 0) + 1);
        const [segment, other] = waiting && key < file.key ? [file.key, key] : [key, file.key];
        const theirs = new Set(rowsOf.get(other));
        const rows = (rowsOf.get(segment) ?? []).flatMap((row, at) => (theirs.has(row) ? [at] : []));
        if (rows.length > 0) shared.push({ segment, other, waiting, rows });
      }
    }
    return shared;
  };
  return { compare, compared };
};

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
        compared.clear();
        await finder.find(PROJECT, factsOf([...segments, late]), factsOf(files));
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

describe("the work of a search for duplicates", () => {
  const segments = Array.from({ length: 30 }, (_, at) => listed(`fresh/${String(at).padStart(2, "0")}`, new Set([1, at + 10])));
  const counting = () => {
    const { compare } = comparing(segments, () => false);
    const asked = { times: 0 };
    const finder = openDuplicateFinder((project, comparison) => {
      asked.times += 1;
      return compare(project, comparison);
    });
    return { finder, asked };
  };

  it("is done once for those who ask at once", async () => {
    const { finder, asked } = counting();
    await Promise.all([1, 2, 3].map(() => finder.find(PROJECT, factsOf(segments), [])));
    expect(asked.times).toBe(1);
  });

  it("is one statement for all that is new, wherever it stands among what is known", async () => {
    const { finder, asked } = counting();
    const pairs = (): number => {
      const { times } = asked;
      asked.times = 0;
      return times;
    };
    const known = segments.filter((_, at) => at % 10 !== 5);
    await finder.find(PROJECT, factsOf(known), []);
    expect(pairs()).toBe(1);
    // Those that are known lack the new ones alone, and the new ones lack everything.
    await finder.find(PROJECT, factsOf(segments), []);
    expect(pairs()).toBe(1);
    await finder.find(PROJECT, factsOf(segments), [listed("events/new", new Set([1])).facts]);
    expect(pairs()).toBe(1);
  });

  it("is done for one who asks after another, however many have to wait", async () => {
    const { compare } = comparing(segments, () => false);
    const running = { now: 0, most: 0 };
    const finder = openDuplicateFinder(async (project, comparison) => {
      running.now += 1;
      running.most = Math.max(running.most, running.now);
      // Long enough for whoever may begin to do so.
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      const shared = await compare(project, comparison);
      running.now -= 1;
      return shared;
    });
    const [first, second, third] = [0, 10, 20].map((from) => factsOf(segments.slice(from, from + 10)));
    const before = finder.find(PROJECT, first ?? [], []);
    const waiting = finder.find(PROJECT, second ?? [], []);
    await before;
    await Promise.all([waiting, finder.find(PROJECT, third ?? [], [])]);
    expect(running.most).toBe(1);
  });

  it("takes few statements however differently its segments were asked for before", async () => {
    const { finder, asked } = counting();
    // Each with its neighbours: no two lack the same.
    for (let at = 0; at < 30; at++) await finder.find(PROJECT, factsOf(segments.slice(at, at + 2)), []);
    asked.times = 0;
    expect(new Map(await finder.find(PROJECT, factsOf(segments), []))).toEqual(expected(segments, []));
    // Three for those that lack the most, and one for whatever is left.
    expect(asked.times).toBe(4);
  });
});

describe("what the search for duplicates remembers", () => {
  const [first, second] = [listed("fresh/1", new Set([1])), listed("fresh/2", new Set([1]))];

  it("is forgotten project by project, those asked for least recently first", async () => {
    const asked: number[] = [];
    const { compare } = comparing([first, second], () => false);
    const finder = openDuplicateFinder((project, comparison) => {
      asked.push(project);
      return compare(project, comparison);
    }, 1_500);
    const ask = async (project: number): Promise<void> => {
      expect(new Map(await finder.find(project, factsOf([first, second]), []))).toEqual(new Map([["fresh/2", [0]]]));
    };
    for (const project of [1, 2, 1, 3, 4, 1, 2]) await ask(project);
    expect(asked).toEqual([1, 2, 3, 4, 2]);
  });

  it("is kept of a project in use, however much it is", async () => {
    const { compare, compared } = comparing([first, second], () => false);
    const finder = openDuplicateFinder(compare, 0);
    await finder.find(PROJECT, factsOf([first, second]), []);
    compared.clear();
    await finder.find(PROJECT, factsOf([first, second]), []);
    expect(compared.size).toBe(0);
  });

  it("stays small while segments come and go", async () => {
    const { compare } = comparing([], () => false);
    let compared = 0;
    const finder = openDuplicateFinder((project, comparison) => {
      compared += comparison.segments.length * comparison.others.length;
      return compare(project, comparison);
    }, 5_000);
    const segments = Array.from({ length: 400 }, (_, at) => listed(`fresh/${String(at).padStart(3, "0")}`, new Set([1])).facts);
    for (let at = 4; at <= segments.length; at++) await finder.find(PROJECT, segments.slice(at - 4, at), []);
    // A new segment meets three others; now and then all four are compared anew.
    expect(compared).toBeGreaterThan(3.5 * 400);
    expect(compared).toBeLessThan(5 * 400);
  });
});

const factsOf = (listed: readonly Listed[]): readonly FileFacts[] => listed.map(({ facts }) => facts);
