import { cache } from "../../core/cache.ts";
import type { FooterPlace } from "../../lake/catalogue/catalogue.ts";
import type { Objects } from "../../ports/objects.ts";

/** Bytes of objects of footers that a process keeps. */
const CACHE_BYTES = 32_000_000;

/** Footers that lie beside the files, many in an object. */
export interface Footers {
  /** A footer, and the bytes that were fetched for it; undefined when its object is gone. */
  read(place: FooterPlace, bytes: number): Promise<{ readonly footer: Uint8Array; readonly fetched: number } | undefined>;
}

/** Each object is fetched once, whole: the files of a query mostly share a few of them. */
export const openFooters = (objects: Pick<Objects, "get">): Footers => {
  const kept = cache<string, Uint8Array>({ capacity: CACHE_BYTES, weigh: ({ length }) => length });
  const coming = new Map<string, Promise<Uint8Array | undefined>>();

  const fetch = async (key: string): Promise<Uint8Array | undefined> => {
    try {
      const content = await objects.get(key);
      if (content) kept.set(key, content);
      return content;
    } finally {
      coming.delete(key);
    }
  };

  return {
    async read({ key, from }, bytes) {
      const known = kept.get(key);
      const underWay = coming.get(key);
      const asked = known ?? underWay ?? fetch(key);
      if (asked instanceof Promise && !underWay) coming.set(key, asked);
      const content = await asked;
      if (content === undefined) return undefined;
      return { footer: content.subarray(from, from + bytes), fetched: known || underWay ? 0 : content.length };
    },
  };
};
