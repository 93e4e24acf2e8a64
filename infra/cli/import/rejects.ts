import { constants, type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { UserError } from "../../local/user-error.ts";
import type { Reject } from "./batches.ts";
import type { Source } from "./sources.ts";

/** The file of what a file's records were refused for, which is made with the first of them. */
export interface RejectFile {
  readonly path: string;
  /** Bytes of it so far. */
  bytes(): number;
  add(rejects: readonly Reject[]): Promise<void>;
  close(): Promise<void>;
}

/** Where a file's rejects are written: beside it, or in a folder, by all of its path; those of an object where the command is given. */
export const rejectPath = (source: Source, folder: string | undefined): string => {
  const isObject = source.name.startsWith("s3://");
  if (!isObject && folder === undefined) return `${source.name}${ENDING}`;
  const flat = source.name.replace(/^s3:\/\//, "").replace(/[/\\]+/g, "_");
  return join(folder ?? ".", `${flat}${ENDING}`);
};

const ENDING = ".rejects.jsonl";

/** Goes on with a file of rejects behind so many of its bytes: what stands after them was not done for good. */
export const openRejects = (path: string, kept: number): RejectFile => {
  let file: FileHandle | undefined;
  let bytes = kept;
  const opened = async (): Promise<FileHandle> => {
    if (file !== undefined) return file;
    try {
      file = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600);
      // Somebody may have taken the file away meanwhile.
      bytes = Math.min(bytes, (await file.stat()).size);
      await file.truncate(bytes);
      return file;
    } catch (cause) {
      const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
      throw new UserError(`Records are refused, and ${path} cannot be written (${code}): name a folder with --rejects.`);
    }
  };
  return {
    path,
    bytes: () => bytes,
    async add(rejects) {
      if (rejects.length === 0) return;
      const text = Buffer.from(rejects.map(({ line, reason, text: own }) => `${JSON.stringify({ line, reason, record: own })}\n`).join(""));
      const handle = await opened();
      await handle.write(text, 0, text.length, bytes);
      bytes += text.length;
    },
    close: async () => file?.close(),
  };
};
