import { ConditionFailed, type Item, type Table } from "../../lib/ports/table.ts";

/** A place is given back after the run; one whose run was cut off heals by itself after this. */
const PLACE_EXPIRY_MS = 30_000;
/** How long a call waits for a place before it is refused, and how often it looks. */
const WAIT_MS = 2_000;
const LOOK_EVERY_MS = 100;

/** A place taken for one live run. */
export interface Place {
  readonly attribute: string;
  readonly value: string;
}

/** What a place needs of the world: `wait` is a pause in milliseconds. */
export interface Waiting {
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
}

/**
 * Takes one of the project's places for live runs: one conditional update where one is free, undefined where none came free in
 * 2 seconds. A place's value begins with its expiry in fixed width, so that comparing text compares time.
 */
export const takePlace = async (
  table: Table,
  project: number,
  run: string,
  places: number,
  { now, wait }: Waiting,
): Promise<Place | undefined> => {
  const deadline = now() + WAIT_MS;
  let candidate = spread(run) % places;
  for (;;) {
    const place = { attribute: `place_${candidate}`, value: `${stamp(now() + PLACE_EXPIRY_MS)}#${run}` };
    const stored = await occupy(table, project, place, now());
    if (stored === "taken") return place;
    const free = firstFree(stored, places, now());
    if (free !== undefined) {
      candidate = free;
      continue;
    }
    if (now() >= deadline) return undefined;
    await wait(LOOK_EVERY_MS);
  }
};

/** Gives a place back, unless it expired and another run has it. */
export const releasePlace = async (table: Table, project: number, place: Place): Promise<void> => {
  try {
    await table.update(key(project), { remove: [place.attribute] }, { kind: "equals", attribute: place.attribute, value: place.value });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
};

const occupy = async (table: Table, project: number, place: Place, now: number): Promise<"taken" | Item | undefined> => {
  try {
    await table.update(
      key(project),
      { set: { [place.attribute]: place.value } },
      {
        kind: "any",
        of: [
          { kind: "lacks", attribute: place.attribute },
          { kind: "less", attribute: place.attribute, value: stamp(now) },
        ],
      },
    );
    return "taken";
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return error.stored ?? (await table.get(key(project), { consistent: true }));
  }
};

const firstFree = (stored: Item | undefined, places: number, now: number): number | undefined => {
  for (let place = 0; place < places; place++) {
    const value = stored?.[`place_${place}`];
    if (typeof value !== "string" || value < stamp(now)) return place;
  }
  return undefined;
};

const key = (project: number) => ({ pk: `project#${project}`, sk: "live-runs" });

const stamp = (ms: number): string => String(ms).padStart(15, "0");

/** Spreads runs over the places, so that the first attempt usually finds one free. */
const spread = (run: string): number => [...run].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65_536, 7);
