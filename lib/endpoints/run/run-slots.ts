import { ConditionFailed, type Item, type Table } from "../../ports/table.ts";
import { keyIn } from "../../table/partitions.ts";

/** A slot is given back after the run; one whose run was cut off heals by itself after this. A run that goes on renews it. */
const SLOT_EXPIRY_MS = 30_000;
const RENEW_EVERY_MS = 10_000;
/** How long a call waits for a slot before it is refused, and how often it looks. */
const WAIT_MS = 2_000;
const LOOK_EVERY_MS = 100;

/** A slot that one live run holds. */
export interface RunSlot {
  readonly attribute: string;
  readonly value: string;
}

/** The parts that a wait for a slot needs: `wait` is a pause in milliseconds. */
export interface Waiting {
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
}

/**
 * Takes one of the project's slots for live runs: one conditional update where one is free, undefined where none came free in
 * 2 seconds. A slot's value begins with its expiry in fixed width, so that comparing text compares time.
 */
export const takeSlot = async (
  table: Table,
  project: number,
  run: string,
  slots: number,
  { now, wait }: Waiting,
): Promise<RunSlot | undefined> => {
  const deadline = now() + WAIT_MS;
  let candidate = spread(run) % slots;
  for (;;) {
    const slot = { attribute: `place_${candidate}`, value: `${timestamp(now() + SLOT_EXPIRY_MS)}#${run}` };
    const stored = await occupy(table, project, slot, now());
    if (stored === "taken") return slot;
    const free = firstFree(stored, slots, now());
    if (free !== undefined) {
      candidate = free;
      continue;
    }
    if (now() >= deadline) return undefined;
    await wait(LOOK_EVERY_MS);
  }
};

/** A slot that is held, until it is given back. */
interface HeldSlot {
  release(): Promise<void>;
}

/** Calls something again and again until it is told to end. */
export type Repeat = (everyMs: number, task: () => void) => () => void;

/** Holds a slot for as long as its run lasts, however long it waits and computes: its expiry moves on with it. */
export const holdSlot = (table: Table, project: number, slot: RunSlot, run: string, now: () => number, repeat: Repeat): HeldSlot => {
  let last = Promise.resolve(slot);
  const end = repeat(RENEW_EVERY_MS, () => {
    last = last.then((held) => renewed(table, project, held, run, now()));
  });
  return {
    async release() {
      end();
      await releaseSlot(table, project, await last);
    },
  };
};

/** The slot with a later expiry. Where it cannot be renewed now it may be at the next time. */
const renewed = async (table: Table, project: number, { attribute, value }: RunSlot, run: string, now: number): Promise<RunSlot> => {
  const later = `${timestamp(now + SLOT_EXPIRY_MS)}#${run}`;
  try {
    await table.update(key(project), { set: { [attribute]: later } }, { kind: "equals", attribute, value });
    return { attribute, value: later };
  } catch {
    return { attribute, value };
  }
};

/** Gives a slot back, unless it expired and another run has it. */
const releaseSlot = async (table: Table, project: number, slot: RunSlot): Promise<void> => {
  try {
    await table.update(key(project), { remove: [slot.attribute] }, { kind: "equals", attribute: slot.attribute, value: slot.value });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
};

const occupy = async (table: Table, project: number, slot: RunSlot, now: number): Promise<"taken" | Item | undefined> => {
  try {
    await table.update(
      key(project),
      { set: { [slot.attribute]: slot.value } },
      {
        kind: "any",
        of: [
          { kind: "lacks", attribute: slot.attribute },
          { kind: "less", attribute: slot.attribute, value: timestamp(now) },
        ],
      },
    );
    return "taken";
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return error.stored ?? (await table.get(key(project), { consistent: true }));
  }
};

const firstFree = (stored: Item | undefined, slots: number, now: number): number | undefined => {
  for (let slot = 0; slot < slots; slot++) {
    const value = stored?.[`place_${slot}`];
    if (typeof value !== "string" || value < timestamp(now)) return slot;
  }
  return undefined;
};

const key = (project: number) => keyIn("project", "liveRuns", { project });

const timestamp = (ms: number): string => String(ms).padStart(15, "0");

/** Spreads runs over the slots, so that the first attempt usually finds one free. */
const spread = (run: string): number => [...run].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65_536, 7);
