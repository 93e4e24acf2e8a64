import * as z from "zod";
import { isReadable, writtenVersion } from "../../../lib/core/formats.ts";
import { importKey } from "../../../lib/lake/paths.ts";
import type { Objects } from "../../../lib/ports/objects.ts";
import { UserError } from "../../local/user-error.ts";

/** Version of the record of how far an import has come. */
export const CHECKPOINT_FORMAT = 1;

const FileProgress = z.object({
  name: z.string(),
  /** Bytes of the content that are done, or rows of a table, and the records in them. */
  offset: z.number(),
  line: z.number(),
  accepted: z.number(),
  rejected: z.number(),
  left_out: z.number(),
  /** Accepted events by the day under which they are counted. */
  days: z.record(z.string(), z.number()),
  /** Bytes of the file of rejects that belong to what is done. */
  reject_bytes: z.number(),
  is_done: z.boolean(),
});
export type FileProgress = z.output<typeof FileProgress>;

const Checkpoint = z.object({
  v: z.number(),
  /** When the import began, microseconds since 1970: the receive time of all its events, so that a part that is sent again gives the same rows. */
  received: z.string(),
  files: z.record(z.string(), FileProgress),
});
export type Checkpoint = z.output<typeof Checkpoint>;

export const NOTHING_DONE = {
  offset: 0,
  line: 0,
  accepted: 0,
  rejected: 0,
  left_out: 0,
  days: {},
  reject_bytes: 0,
  is_done: false,
} as const;

/** How far an import has come, beside the data of its project, so that the same command goes on from anywhere. */
export interface Progress {
  readonly received: bigint;
  of(file: string): FileProgress | undefined;
  /** Remembers what is done of a file; it is stored with `save`. */
  note(file: string, progress: FileProgress): void;
  save(): Promise<void>;
}

/** The progress of an import, begun now where it has not begun. Throws a `UserError` for the record of a later release. */
export const openProgress = async (
  objects: Pick<Objects, "get" | "put">,
  project: number,
  importId: string,
  now: number,
): Promise<Progress> => {
  const key = importKey(project, importId);
  const stored = decode(await objects.get(key));
  const { received, files } = stored ?? { received: `${now}000`, files: {} };
  const noted: Record<string, FileProgress> = { ...files };
  return {
    received: BigInt(received),
    of: (file) => (Object.hasOwn(noted, file) ? noted[file] : undefined),
    note(file, progress) {
      noted[file] = progress;
    },
    async save() {
      const checkpoint: Checkpoint = { v: writtenVersion(CHECKPOINT_FORMAT), received, files: noted };
      await objects.put(key, Buffer.from(JSON.stringify(checkpoint)));
    },
  };
};

/** What `save` wrote, in this format version or the one after. */
export const decode = (bytes: Uint8Array | undefined): Checkpoint | undefined => {
  if (bytes === undefined) return undefined;
  const parsed: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
  const { v } = z.object({ v: z.number() }).parse(parsed);
  if (!isReadable(v, CHECKPOINT_FORMAT)) throw new UserError("This import was begun by a later release: go on with that one.");
  return Checkpoint.parse(parsed);
};
