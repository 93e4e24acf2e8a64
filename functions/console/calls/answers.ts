import type { Call } from "./client.ts";

/** What is known of a call. */
export interface Answered {
  data?: unknown;
  at?: number;
  problem?: Error | undefined;
}

interface Entry extends Answered {
  readonly listeners: Set<() => void>;
  running?: AbortController | undefined;
  /** Sends the call again. */
  again?: () => void;
}

/** Answers that nobody looks at are dropped beyond so many, the oldest first. */
const MOST = 200;

const entries = new Map<string, Entry>();

const entryOf = (name: string): Entry => {
  const entry = entries.get(name) ?? { listeners: new Set() };
  entries.delete(name);
  entries.set(name, entry);
  for (const [oldest, { listeners }] of entries) {
    if (entries.size <= MOST) break;
    if (listeners.size === 0) entries.delete(oldest);
  }
  return entry;
};

export const answered = (name: string): Answered => entryOf(name);

export const isFresh = (name: string, freshMs: number): boolean => {
  const { at, problem } = entryOf(name);
  return problem === undefined && at !== undefined && Date.now() - at < freshMs;
};

/** Calls back at each change; a call that is under way ends when the last one leaves. */
export const subscribe = (name: string, changed: () => void): (() => void) => {
  const entry = entryOf(name);
  entry.listeners.add(changed);
  return () => {
    entry.listeners.delete(changed);
    if (entry.listeners.size === 0) entry.running?.abort();
  };
};

/** Sends a call unless it is under way, and keeps what comes. A failure keeps the data that there was. */
export const load = async (name: string, call: Call<unknown>, key: string | undefined): Promise<void> => {
  const entry = entryOf(name);
  if (entry.running?.signal.aborted === false) return;
  entry.again = () => void load(name, call, key);
  const running = new AbortController();
  entry.running = running;
  try {
    entry.data = await call.send(key, running.signal);
    entry.at = Date.now();
    entry.problem = undefined;
  } catch (thrown) {
    if (!running.signal.aborted) entry.problem = thrown instanceof Error ? thrown : new Error(String(thrown));
  } finally {
    if (entry.running === running) entry.running = undefined;
  }
  if (!running.signal.aborted) for (const changed of entry.listeners) changed();
};

/** Something was written: what begins with the path is asked for again when it is next looked at, and now where it is looked at. */
export const forgetAnswers = (path: string): void => {
  // A copy: what is asked for again goes to the end of the entries, and would be met there once more.
  for (const [name, entry] of [...entries]) {
    if (!name.split(" ")[1]?.startsWith(path)) continue;
    if (entry.listeners.size === 0) entries.delete(name);
    else entry.again?.();
  }
};

/** Nothing is known any more: somebody else signs in. */
export const forgetAllAnswers = (): void => {
  for (const { running } of entries.values()) running?.abort();
  entries.clear();
};
