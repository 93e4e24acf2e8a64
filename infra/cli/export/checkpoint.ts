import { readFile, rename, rm, writeFile } from "node:fs/promises";
import * as z from "zod";
import { isReadable, writtenVersion } from "../../../lib/core/formats.ts";
import { UserError } from "../../local/user-error.ts";
import { COMPRESSIONS, FORMS } from "./encode-events.ts";

/** Version of the file that says how far an export is. */
const CHECKPOINT_FORMAT = 1;

/** What an export is of. */
export const ExportRequest = z.object({
  project: z.int(),
  /** First and last UTC day since 1970. */
  days: z.tuple([z.int(), z.int()]),
  events: z.array(z.string()).nullable(),
  form: z.enum(FORMS),
  compression: z.enum(COMPRESSIONS),
});
export type ExportRequest = z.output<typeof ExportRequest>;

/** How far it is: the events of all days before `next_day` are written. */
const ExportProgress = z.object({ next_day: z.int(), events: z.int(), bytes: z.int(), files: z.int() });
export type ExportProgress = z.output<typeof ExportProgress>;

const Checkpoint = z.object({ v: z.number(), request: ExportRequest, progress: ExportProgress });

/** How far an export was when it was broken off; undefined where none was. Throws a `UserError` where another one was begun there. */
export const readCheckpoint = async (path: string, request: ExportRequest): Promise<ExportProgress | undefined> => {
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const read = Checkpoint.safeParse(parsed(text));
  if (!read.success || !isReadable(read.data.v, CHECKPOINT_FORMAT))
    throw new UserError(`${path} is not of an export that this release can go on with: delete it and what lies beside it, and begin anew.`);
  if (JSON.stringify(read.data.request) !== JSON.stringify(request))
    throw new UserError(
      `Another export was begun there and broken off, as ${path} says: give its flags to go on with it, or name another place.`,
    );
  return read.data.progress;
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Puts the file in the place of the one before, whole. */
export const writeCheckpoint = async (path: string, request: ExportRequest, progress: ExportProgress): Promise<void> => {
  const next = `${path}.next`;
  const content = { v: writtenVersion(CHECKPOINT_FORMAT), request, progress } satisfies z.input<typeof Checkpoint>;
  await writeFile(next, `${JSON.stringify(content)}\n`, { flush: true });
  await rename(next, path);
};

export const removeCheckpoint = (path: string): Promise<void> => rm(path, { force: true });
