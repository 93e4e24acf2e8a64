import { describe, expect, it } from "vitest";
import { comparing, expected, factsOf, listed } from "../../../test/support/samples/listed-files.ts";
import { openDuplicateFinder } from "./duplicates.ts";

const PROJECT = 1;

/** Lets others go on so many times. */
const turns = async (times: number): Promise<void> => {
  for (let turn = 0; turn < times; turn++) await Promise.resolve();
};

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
      await turns(50);
      const shared = await compare(project, comparison);
      running.now -= 1;
      return shared;
    });
    const [first, second, third] = [0, 10, 20].map((from) => factsOf(segments.slice(from, from + 10)));
    const before = finder.find(PROJECT, first ?? [], []);
    const waiting = finder.find(PROJECT, second ?? [], []);
    await before;
    await turns(10);
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

  it("takes as few when each segment was held against a file of its own before", async () => {
    const { finder, asked } = counting();
    const files = segments.map((_, at) => listed(`events/${at}`, new Set([1])));
    for (const [at, file] of files.entries()) await finder.find(PROJECT, factsOf(segments.slice(at, at + 1)), factsOf([file]));
    asked.times = 0;
    await finder.find(PROJECT, factsOf(segments), factsOf(files));
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
