import { HOUR_MS, MINUTE_MS } from "../../lib/core/time.ts";
import type { Random } from "../simulation/random.ts";
import { tableState } from "./catalogue.ts";
import { EVENTS } from "./columns.ts";
import type { Faults } from "./faults.ts";
import { randomFilters } from "./filters.ts";
import type { Pyiceberg } from "./readers/pyiceberg.ts";
import type { Catalogue, Reader } from "./readers/reader.ts";
import { comparesFiltered, comparesPlanned, comparesRows, type Expected } from "./same.ts";
import type { RandomLake } from "./swaps.ts";

export interface Run {
  readonly random: RandomLake;
  readonly catalogue: Catalogue;
  readonly faults: Faults;
  /** What is asked; what happens is drawn apart from it, so that it is the same whoever reads. */
  readonly questions: Random;
  readonly readers: readonly Reader[];
}

/** What the table of events held in each of its snapshots, by their ids. */
export type Remembered = ReadonlyMap<string, Snapshot>;
export interface Snapshot extends Expected {
  /** When it was published. */
  readonly at: number;
}

interface Swaps extends Run {
  readonly pyiceberg: Pyiceberg | undefined;
  readonly swaps: number;
  /** Says now and then how far it is. */
  tell(sentence: string): void;
}

/** Longer than what a swap replaced stays by itself. */
const SWEPT_AFTER_MS = 25 * HOUR_MS;
const STAY_MS = 7 * 24 * HOUR_MS;
const FILTERS = 2;
const TOLD_EVERY = 25;
/** How many of the swaps are swept up at once. */
const SWEPT = 0.1;

/** Lets so many swaps happen, some minutes apart, because a key has a limit of requests a minute; and after each of them asks every reader for everything. Returns the snapshots that are still there. */
export const afterSwaps = async ({ random, catalogue, faults, questions, readers, pyiceberg, swaps, tell }: Swaps): Promise<Remembered> => {
  const remembered = new Map<string, Snapshot>();
  while (random.swaps < swaps) {
    if (random.random.chance(SWEPT)) await swept(random, faults, pyiceberg);
    else await random.swap();
    const when = `after swap ${random.swaps}`;
    random.lake.pass(MINUTE_MS);
    await remember(random, catalogue, remembered, faults);
    if (random.swaps % TOLD_EVERY === 0) tell(`${random.swaps} swaps, ${random.events().rows.length} rows`);
    const state = await random.state();
    for (const reader of readers) {
      for (const expected of [random.events(), ...state]) await comparesRows(faults, reader, expected, when);
      for (let left = FILTERS; left > 0; left -= 1) {
        const events = random.events();
        await comparesFiltered(faults, reader, events, randomFilters(questions, events.rows), when);
      }
      const old = [...remembered.values()][questions.int(0, remembered.size - 1)];
      if (old) await comparesRows(faults, reader, old, `as of snapshot ${old.snapshot} ${when}`);
    }
  }
  return remembered;
};

/** A swap after which nothing of what it replaced is there by itself; a scan that was planned before it ends after the sweep. */
const swept = async (random: RandomLake, faults: Faults, pyiceberg: Pyiceberg | undefined): Promise<void> => {
  const before = random.events();
  if (pyiceberg) await faults.during("pyiceberg plans", () => pyiceberg.plan("before", "events"));
  await random.swap();
  random.lake.pass(SWEPT_AFTER_MS);
  await random.lake.sweep();
  if (!pyiceberg) return;
  const when = `planned before swap ${random.swaps} and a sweep`;
  await comparesPlanned(faults, pyiceberg, before, when, () => pyiceberg.finish("before", EVENTS));
};

/** Notes what the newest snapshot holds, and forgets those that are gone; none may go before its time. */
const remember = async (random: RandomLake, catalogue: Catalogue, remembered: Map<string, Snapshot>, faults: Faults): Promise<void> => {
  const { current, all } = await tableState(catalogue, "events");
  const now = random.lake.now();
  if (!remembered.has(current)) remembered.set(current, { ...random.events(), snapshot: current, at: now });
  const there = new Set(all);
  for (const [id, { at }] of remembered) {
    if (there.has(id)) continue;
    remembered.delete(id);
    if (now - at < STAY_MS) faults.add(`snapshot ${id} was gone ${(now - at) / HOUR_MS} hours after it was published`);
  }
};
