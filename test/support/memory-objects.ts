import { readFile } from "node:fs/promises";
import type { Download, Downloads, Objects, Uploads } from "../../lib/ports/objects.ts";

/** An object store in memory that counts what is asked of it. */
export interface CountedObjects extends Objects, Downloads, Uploads {
  /** What was offered, by its address. */
  readonly offered: Map<string, { readonly bytes: Uint8Array; readonly download: Download }>;
  readonly contents: Map<string, Uint8Array>;
  readonly counts: { requests: number; bytes: number };
}

export const memoryObjects = (): CountedObjects => {
  const contents = new Map<string, Uint8Array>();
  const offered: CountedObjects["offered"] = new Map();
  const counts = { requests: 0, bytes: 0 };
  const counted = (bytes: Uint8Array | undefined): Uint8Array | undefined => {
    counts.requests++;
    counts.bytes += bytes?.length ?? 0;
    return bytes;
  };
  return {
    contents,
    offered,
    counts,
    async offer(key, path, download) {
      const address = `https://store.example/${key}`;
      offered.set(address, { bytes: await readFile(path), download });
      return address;
    },
    address: async (key) => `https://store.example/${key}`,
    admit: async (key, { exact }) => {
      const url = `https://store.example/${key}`;
      return { form: { url: "https://store.example/", fields: { key } }, put: exact === undefined ? undefined : url };
    },
    put: async (key, bytes) => void contents.set(key, new Uint8Array(bytes)),
    putFile: async (key, path) => void contents.set(key, new Uint8Array(await readFile(path))),
    get: async (key) => counted(contents.get(key)),
    getRange: async (key, from, to) => counted(contents.get(key)?.slice(from, to)),
    list: async (prefix) => ({
      objects: [...contents].filter(([key]) => key.startsWith(prefix)).map(([key, bytes]) => ({ key, bytes: bytes.length, modified: 0 })),
      cursor: null,
    }),
    remove: async (keys) => {
      for (const key of keys) contents.delete(key);
    },
    localPath: () => undefined,
    uri: (key) => `s3://lake/${key}`,
  };
};
