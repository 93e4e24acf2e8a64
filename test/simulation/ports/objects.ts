import type { ObjectFacts, Objects } from "../../../lib/ports/objects.ts";

export interface MemoryObjectsOptions {
  readonly step?: (label: string) => Promise<void>;
  readonly random?: () => number;
  readonly now?: () => number;
  /** The probability that a call answers 503, before or after it was done. */
  readonly unavailable?: () => number;
  readonly pageSize?: number;
}

/** The store did not answer; whether it did what was asked is not known. */
export class ObjectsFault extends Error {
  override readonly name = "ObjectsFault";
}

export interface MemoryObjects extends Objects {
  /** Every object, for checks. */
  everything(): { has(key: string): boolean; get(key: string): Uint8Array | undefined; keys(): readonly string[] };
}

/** Objects in memory, as weak as the real store: a call may fail before or after it was done, and a listing has pages. */
export const memoryObjects = (options: MemoryObjectsOptions = {}): MemoryObjects => {
  const { step, random = () => 0.5, now = () => 0, unavailable = () => 0, pageSize = 1_000 } = options;
  const stored = new Map<string, { readonly bytes: Uint8Array; readonly modified: number }>();

  const call = async <T>(label: string, work: () => T): Promise<T> => {
    if (step) await step(label);
    const rate = unavailable();
    const fails = rate > 0 && random() < rate;
    if (fails && random() < 0.5) throw new ObjectsFault(label);
    const result = work();
    if (fails) throw new ObjectsFault(label);
    return result;
  };

  return {
    put: (key, bytes) => call(`put ${key}`, () => void stored.set(key, { bytes: bytes.slice(), modified: now() })),
    putFile: () => Promise.reject(new Error("there are no files here")),
    get: (key) => call(`get ${key}`, () => stored.get(key)?.bytes.slice()),
    getRange: (key, from, to) => call(`get range ${key}`, () => stored.get(key)?.bytes.slice(from, to)),
    list: (prefix, cursor) =>
      call(`list ${prefix}`, () => {
        const keys = [...stored.keys()].filter((key) => key.startsWith(prefix) && (cursor === null || key > cursor)).sort();
        const objects = keys.slice(0, pageSize).map((key): ObjectFacts => {
          const found = stored.get(key);
          return { key, bytes: found?.bytes.length ?? 0, modified: found?.modified ?? 0 };
        });
        return { objects, cursor: keys.length > pageSize ? (objects.at(-1)?.key ?? null) : null };
      }),
    async remove(keys) {
      for (const key of keys) await call(`remove ${key}`, () => void stored.delete(key));
    },
    localPath: () => undefined,
    uri: (key) => `s3://lake/${key}`,
    everything: () => ({ has: (key) => stored.has(key), get: (key) => stored.get(key)?.bytes, keys: () => [...stored.keys()] }),
  };
};
