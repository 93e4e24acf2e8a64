import { type Batch, batchesOf } from "./batches.ts";
import { type FileProgress, NOTHING_DONE, type Progress } from "./checkpoint.ts";
import { type Lane, openPressure, sendBatch } from "./lane.ts";
import type { OpenFile } from "./open-file.ts";
import { openRejects } from "./rejects.ts";
import { sourceIdentity } from "./sources.ts";

/** A file to import, and where its rejects go. */
export interface FileToImport {
  readonly file: OpenFile;
  readonly rejects: string;
}

/** What became of a file. */
export interface ImportedFile extends FileProgress {
  readonly rejects: string;
}

/** Batches that are on their way at once: while one is compressed another is stored, and a third one read. */
const SENT_AT_ONCE = 4;
/** What is done is written down this often: a command that was killed sends again what it sent since. */
const SAVE_EVERY_MS = 2_000;

/** Sends files to the lane of imports, each from where it stands, and writes down what is done. Returns what became of each. */
export const importFiles = async (
  files: readonly FileToImport[],
  lane: Lane,
  progress: Progress,
  told: (file: string, done: FileProgress) => void,
): Promise<readonly ImportedFile[]> => {
  const pressure = openPressure(lane);
  const imported: ImportedFile[] = [];
  await progress.save();
  for (const { file, rejects } of files) {
    const id = await sourceIdentity(file.source);
    let done: FileProgress = { ...NOTHING_DONE, ...progress.of(id), name: file.source.name };
    if (!done.is_done) {
      const keep = saver(progress, id);
      const refused = openRejects(rejects, done.reject_bytes);
      try {
        for await (const batch of inOrder(batchesOf(file, done, lane.received), pressure, (each) => sendBatch(lane, each))) {
          await refused.add(batch.rejects);
          done = { ...withBatch(done, batch), reject_bytes: refused.bytes() };
          await keep(done);
          told(file.source.name, done);
        }
        done = { ...done, is_done: true };
      } finally {
        await refused.close();
        progress.note(id, done);
        await progress.save();
      }
    }
    told(file.source.name, done);
    imported.push({ ...done, rejects });
  }
  return imported;
};

/** Notes what is done, and stores it now and then. */
const saver = (progress: Progress, id: string): ((done: FileProgress) => Promise<void>) => {
  let saved = performance.now();
  return async (done) => {
    progress.note(id, done);
    if (performance.now() - saved < SAVE_EVERY_MS) return;
    saved = performance.now();
    await progress.save();
  };
};

/** Batches in their order, each once it is sent; some are on their way at once. */
async function* inOrder(
  batches: AsyncIterable<Batch>,
  pressure: () => Promise<void>,
  send: (batch: Batch) => Promise<void>,
): AsyncGenerator<Batch> {
  const underWay: Promise<Batch>[] = [];
  try {
    for await (const batch of batches) {
      await pressure();
      const sent = send(batch).then(() => batch);
      // Whoever waits for it meets the fault; until then it is nobody's.
      sent.catch(() => undefined);
      underWay.push(sent);
      const oldest = underWay.length >= SENT_AT_ONCE ? underWay.shift() : undefined;
      if (oldest !== undefined) yield await oldest;
    }
    for (let next = underWay.shift(); next !== undefined; next = underWay.shift()) yield await next;
  } finally {
    await Promise.allSettled(underWay);
  }
}

const withBatch = (done: FileProgress, { to, events, leftOut, rejects, days }: Batch): FileProgress => {
  const sum: Record<string, number> = { ...done.days };
  for (const [day, count] of days) sum[day] = (sum[day] ?? 0) + count;
  return {
    ...done,
    offset: to.offset,
    line: to.line,
    accepted: done.accepted + events,
    rejected: done.rejected + rejects.length,
    left_out: done.left_out + leftOut,
    days: sum,
  };
};
