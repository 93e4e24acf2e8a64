import { once } from "node:events";
import { existsSync } from "node:fs";
import { type FileHandle, open, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isoDay } from "../../../lib/core/time.ts";
import type { StoredEvent } from "../../../lib/engine/stored-events.ts";
import { makeDirectory } from "../../local/stores/own-directory.ts";
import { UserError } from "../../local/user-error.ts";
import { type ExportProgress, type ExportRequest, readCheckpoint, removeCheckpoint, writeCheckpoint } from "./checkpoint.ts";
import { type Encoder, encoderOf } from "./encode-events.ts";

/** Where events are written, day by day. */
export interface ExportOutput {
  /** How far it is for good. */
  progress(): ExportProgress;
  /** Writes some events of days from one on. */
  write(events: readonly StoredEvent[], firstDay: number): Promise<void>;
  /** What was written is all of the days before this one, and stays. */
  keep(nextDay: number): Promise<void>;
  /** Takes back what was written since then. Throws a `UserError` where that cannot be. */
  rollBack(): Promise<void>;
  /** Nothing more is to come. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

/** The place that `--out` names. Throws a `UserError` where something else is there. */
export const openOutput = async (out: string, request: ExportRequest): Promise<ExportOutput> => {
  const encoder = encoderOf(request.form, request.compression);
  const begun: ExportProgress = { next_day: request.days[0], events: 0, bytes: 0, files: 0 };
  if (out === "-") return overPlace(standardOutput(), { encoder, begun, keep: async () => undefined });
  const isDirectory = out.endsWith("/") || (existsSync(out) && (await stat(out)).isDirectory());
  if (!isDirectory && request.form === "parquet")
    throw new UserError("Parquet is written as a file for every few megabytes: name a directory, as in --out events/");
  if (!isDirectory && request.compression === "zstd")
    throw new UserError(
      "Many programs read the first part alone of a file of several parts of zstd: name a directory, as in --out events/",
    );
  const checkpoint = isDirectory ? join(out, "export.json") : `${out}.export.json`;
  const before = await readCheckpoint(checkpoint, request);
  const place = await (isDirectory ? directoryPlace(out, encoder) : filePlace(out, before !== undefined));
  if (before === undefined) await place.requireEmpty();
  else await place.cut(before);
  const keep = (progress: ExportProgress) => writeCheckpoint(checkpoint, request, progress);
  if (before === undefined) await keep(begun);
  return overPlace(place, { encoder, begun: before ?? begun, keep, finished: () => removeCheckpoint(checkpoint) });
};

/** What a place does with bytes. */
interface Place {
  requireEmpty(): Promise<void>;
  /** Makes it hold what it held then. */
  cut(to: ExportProgress): Promise<void>;
  add(bytes: Uint8Array, at: ExportProgress, firstDay: number): Promise<void>;
  /** What was added is there even if the machine stops now. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

interface Keeping {
  readonly encoder: Encoder;
  readonly begun: ExportProgress;
  readonly keep: (progress: ExportProgress) => Promise<void>;
  readonly finished?: () => Promise<void>;
}

const overPlace = (place: Place, { encoder, begun, keep, finished }: Keeping): ExportOutput => {
  let kept = begun;
  let written = begun;
  return {
    progress: () => kept,
    async write(events, firstDay) {
      const bytes = await encoder.encode(events);
      await place.add(bytes, written, firstDay);
      written = { ...written, events: written.events + events.length, bytes: written.bytes + bytes.length, files: written.files + 1 };
    },
    async keep(nextDay) {
      await place.sync();
      written = { ...written, next_day: nextDay };
      await keep(written);
      kept = written;
    },
    async rollBack() {
      await place.cut(kept);
      written = kept;
    },
    async finish() {
      await finished?.();
    },
    close: () => place.close(),
  };
};

const filePlace = async (path: string, goesOn: boolean): Promise<Place> => {
  if (!goesOn && existsSync(path))
    throw new UserError(`${path} is there already, and is no export that was broken off: name another file.`);
  const file: FileHandle = await open(path, goesOn && existsSync(path) ? "r+" : "w");
  return {
    requireEmpty: async () => undefined,
    async cut({ bytes }) {
      const { size } = await file.stat();
      if (size < bytes)
        throw new UserError(`${path} is shorter than when the export was broken off: delete it and ${path}.export.json, and begin anew.`);
      await file.truncate(bytes);
    },
    async add(bytes, at) {
      for (let done = 0; done < bytes.length; ) done += (await file.write(bytes, done, bytes.length - done, at.bytes + done)).bytesWritten;
    },
    sync: () => file.datasync(),
    close: () => file.close(),
  };
};

/** Files of an export, by their numbers. */
const NAME = /^events-(\d{6,})-/;

const directoryPlace = async (folder: string, { ending }: Encoder): Promise<Place> => {
  makeDirectory(folder);
  const numbered = async (): Promise<readonly (readonly [string, number])[]> =>
    (await readdir(folder)).flatMap((name) => {
      const [, number] = NAME.exec(name) ?? [];
      return number === undefined ? [] : [[name, Number(number)] as const];
    });
  return {
    async requireEmpty() {
      if ((await numbered()).length > 0)
        throw new UserError(`${folder} holds files of an export already, and of none that was broken off: name another directory.`);
    },
    async cut({ files }) {
      for (const [name, number] of await numbered()) if (number > files) await rm(join(folder, name));
    },
    async add(bytes, at, firstDay) {
      const name = `events-${String(at.files + 1).padStart(6, "0")}-${isoDay(firstDay)}${ending}`;
      await writeFile(join(folder, name), bytes, { flush: true });
    },
    sync: async () => undefined,
    close: async () => undefined,
  };
};

const standardOutput = (): Place => ({
  requireEmpty: async () => undefined,
  async cut() {
    throw new UserError(
      "What is read was replaced while it was written to standard output, which cannot be taken back: begin anew, or name a file.",
    );
  },
  async add(bytes) {
    if (!process.stdout.write(bytes)) await once(process.stdout, "drain");
  },
  sync: async () => undefined,
  close: async () => undefined,
});
