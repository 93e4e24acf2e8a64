import { randomUUID } from "node:crypto";
import { link, mkdir, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { TokenKeyPlace } from "../../lib/ports/token-keys.ts";

export const tokenKeysPath = (dataDir: string): string => join(dataDir, "token-keys");

/** The keys of tokens in a file of the data directory, which its owner alone may read. */
export const tokenKeyFile = (dataDir: string): TokenKeyPlace => {
  const file = tokenKeysPath(dataDir);
  return {
    async read() {
      try {
        return await readFile(file, "utf8");
      } catch (fault) {
        if (isFault(fault, "ENOENT")) return undefined;
        throw fault;
      }
    },
    /** In one step: a reader finds the whole text or none. */
    async create(text) {
      await mkdir(dataDir, { recursive: true, mode: 0o700 });
      const unfinished = `${file}.${randomUUID()}`;
      await writeDurably(unfinished, text);
      try {
        await link(unfinished, file);
        return true;
      } catch (fault) {
        if (isFault(fault, "EEXIST")) return false;
        throw fault;
      } finally {
        await rm(unfinished);
      }
    },
  };
};

/** What the keys encrypt is worth nothing without them. */
const writeDurably = async (file: string, text: string): Promise<void> => {
  await using handle = await open(file, "wx", 0o600);
  await handle.writeFile(text);
  await handle.sync();
};

const isFault = (fault: unknown, code: string): boolean => fault instanceof Error && "code" in fault && fault.code === code;
