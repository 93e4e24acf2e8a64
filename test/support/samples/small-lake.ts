import { commitItem } from "../../../lib/lake/catalogue/commits.ts";
import { CATALOGUE_FORMAT, type Commit, type FileFacts, type Manifest, type StateManifest } from "../../../lib/lake/catalogue.ts";
import { initialHead } from "../../../lib/lake/head.ts";
import type { Objects } from "../../../lib/ports/objects.ts";
import { memoryObjects } from "../../simulation/ports/objects.ts";
import { memoryTable } from "../../simulation/ports/table.ts";

export const PROJECT = 7;

/** What the catalogue says of a file with one row of one day. */
export const aFile = (key: string, changes: Partial<FileFacts> = {}): FileFacts => ({
  key,
  bytes: 1,
  rows: 1,
  days: [20_000, 20_000],
  times: ["1728000000000000", "1728000000000000"],
  ids: ["a", "b"],
  events: ["view"],
  usage: {},
  footerBytes: 1,
  ...changes,
});

export const aCommit = (id: string, at: number, changes: Partial<Commit> = {}): Commit => ({
  v: CATALOGUE_FORMAT,
  id,
  at,
  lane: "live",
  segments: [],
  deltas: null,
  ...changes,
});

export const aManifest = (id: string, changes: Partial<Manifest> = {}): Manifest => ({
  v: CATALOGUE_FORMAT,
  id,
  partition: "2024-10",
  files: [],
  loose: [],
  absorbed: [],
  absorbedAt: [],
  sealed: false,
  ...changes,
});

export const aState = (id: string, changes: Partial<StateManifest> = {}): StateManifest => ({
  v: CATALOGUE_FORMAT,
  id,
  persons: [],
  distinctIds: [],
  groups: [],
  history: [],
  absorbed: [],
  absorbedAt: [],
  ...changes,
});

/** Objects of which those whose key has this part are not found so many times. */
export const objectsWithout = <T extends Pick<Objects, "get">>(objects: T, part: string, times: number): T => {
  let left = times;
  return { ...objects, get: async (key) => (key.includes(part) && left-- > 0 ? undefined : objects.get(key)) };
};

/** A project's catalogue on ports in memory, whose listings have short pages, with a clock that stands until it is put on. */
export const smallLake = async (start: number) => {
  let now = start;
  let ulids = 0;
  const table = memoryTable();
  const objects = memoryObjects({ now: () => now, pageSize: 2 });
  const clock = { now: () => now };
  const ids = { uuid: () => "", ulid: () => String(ulids++).padStart(26, "0"), secret: () => new Uint8Array() };
  await table.put(initialHead(PROJECT, start));
  return {
    parts: { table, objects, clock, ids },
    pass(ms: number): void {
      now += ms;
    },
    commit: (commit: Commit) => table.put(commitItem(PROJECT, commit)),
    keys: (): readonly string[] => objects.everything().keys().toSorted(),
  };
};
