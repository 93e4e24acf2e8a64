import type { World } from "../../../lib/app/world.ts";
import { forEachConcurrent } from "../../../lib/core/concurrency.ts";
import { isoMicros } from "../../../lib/core/time.ts";
import { type SymbolSet, SymbolSetRefs, SymbolSets, symbolBytesKey } from "../../../lib/error-tracking/symbol-sets.ts";
import { conflict, invalid } from "../../../lib/http/errors.ts";
import { sendAllJobs } from "../../../lib/jobs/jobs.ts";
import { symbolsKey } from "../../../lib/lake/paths.ts";
import type { Admission } from "../../../lib/ports/objects.ts";
import { type Condition, ConditionFailed, type Write } from "../../../lib/ports/table.ts";
import { addToList, type BoundedList, ListFull, takeFromList } from "../../../lib/table/bounded-list.ts";
import { countThrough } from "../../../lib/table/paging.ts";
import { counterKey } from "../../../lib/table/partitions.ts";
import { putting, removing, update, updating } from "../../../lib/table/store.ts";
import { ABSENT, failedAt, transact, unchanged } from "../../../lib/table/transact.ts";
import { MOST_FILE_BYTES, noSpace, type PlannedUpload, readSets } from "./upload-plan.ts";

type Parts = Pick<World, "table" | "objects" | "clock" | "ids" | "config" | "queues">;

/** Sets that are worked on side by side. */
const LANES = 16;

/** Sets of a project, those counted that a file never came for. */
const MOST_SETS = 200_000;

const setsOfProject = (project: number): BoundedList => ({
  counter: counterKey("symbolSetCount", project),
  most: MOST_SETS,
  full: `A project may have ${MOST_SETS} symbol sets. Delete some that nobody uses any more.`,
  recount: (table) => countThrough(table, SymbolSets, "key", { project }),
});

/** Where a client puts the file of a set. */
export interface UploadAddress {
  readonly id: string;
  readonly admission: Admission;
}

/** Makes the sets that are not there, and gives an address for each file that is needed; by ref. */
export const startUploads = async (
  parts: Parts,
  project: number,
  planned: readonly PlannedUpload[],
): Promise<ReadonlyMap<string, UploadAddress>> => {
  const addresses = new Map<string, UploadAddress>();
  await forEachConcurrent(planned, LANES, async (each) => {
    const { upload, known, needsFile, bindsRelease } = each;
    const pending = needsFile ? symbolsKey(project, parts.ids.uuid()) : undefined;
    const id = known?.id ?? parts.ids.uuid();
    if (known === undefined) await createSet(parts, project, id, each, pending ?? null);
    else {
      const release = bindsRelease && upload.releaseId !== null ? { release_id: upload.releaseId } : {};
      await update(parts.table, SymbolSets, { project, id }, { set: { ...release, ...(pending !== undefined && { pending }) } });
    }
    if (pending === undefined) return;
    addresses.set(upload.ref, { id, admission: await parts.objects.admit(pending, { most: MOST_FILE_BYTES, exact: upload.bytes }) });
    // What was begun before and never finished.
    if (known?.pending) await parts.objects.remove([known.pending]);
  });
  return addresses;
};

const createSet = async (
  parts: Parts,
  project: number,
  id: string,
  { upload: { ref, releaseId } }: PlannedUpload,
  pending: string | null,
): Promise<void> => {
  const empty = { content_hash: null, object: null, bytes: 0, uploaded_at: null };
  const set = { project, id, ref, created_at: isoMicros(parts.clock.now()), release_id: releaseId, ...empty, pending };
  try {
    await addToList(parts, setsOfProject(project), [
      putting(SymbolSetRefs, { project, ref, id, object: null }, ABSENT),
      putting(SymbolSets, set, ABSENT),
    ]);
  } catch (error) {
    if (failedAt(error, 0)) throw changed(ref);
    throw error instanceof ListFull ? invalid(null, error.message, "too_many") : error;
  }
};

/** Takes the files of some sets as uploaded, and asks for the frames that wait for them. Safe to be done again. */
export const finishUploads = async (parts: Parts, project: number, contentHashes: ReadonlyMap<string, string>): Promise<void> => {
  const sets = await readSets(parts.table, project, [...contentHashes.keys()]);
  const there = new Set(sets.map(({ id }) => id));
  const unknown = [...contentHashes.keys()].filter((id) => !there.has(id)).sort();
  if (unknown.length > 0) throw invalid(null, `Unknown symbol set IDs: ${unknown.join(", ")}`, "symbol_set_not_found");
  await forEachConcurrent(sets, LANES, (set) => finishUpload(parts, set, contentHashes.get(set.id) ?? ""));
  const refs = sets.map(({ ref }) => ref);
  const jobs = Array.from({ length: Math.ceil(refs.length / REFS_OF_A_JOB) }, (_, at) => ({
    kind: "resolve-frames" as const,
    project,
    refs: refs.slice(at * REFS_OF_A_JOB, (at + 1) * REFS_OF_A_JOB),
  }));
  await sendAllJobs(parts.queues, jobs);
};

/** A message of the queue holds them, however long they are. */
const REFS_OF_A_JOB = 100;

const finishUpload = async (parts: Parts, set: SymbolSet, contentHash: string): Promise<void> => {
  const { table, objects, clock, config } = parts;
  const { project, id, ref, object: before, pending } = set;
  if (pending === null) {
    if (before !== null && set.content_hash === contentHash) return;
    throw invalid(null, "No file has been uploaded for the symbol set.", "file_not_found");
  }
  const file = (await objects.list(pending, null)).objects.find(({ key }) => key === pending);
  if (file === undefined) throw invalid(null, "No file has been uploaded for the symbol set.", "file_not_found");
  if (file.bytes === 0 || file.bytes > MOST_FILE_BYTES) {
    await dropPending(parts, set, pending);
    throw invalid(null, "The uploaded symbol set file was too large.", "file_too_large");
  }
  const now = isoMicros(clock.now());
  const uploaded = { content_hash: contentHash, object: pending, bytes: file.bytes, uploaded_at: now, pending: null };
  const most = config.symbolSetsMb * 1_000_000;
  try {
    await transact(table, [
      updating(SymbolSets, { project, id }, { set: uploaded }, asRead(set)),
      updating(SymbolSetRefs, { project, ref }, { set: { object: pending } }),
      addBytes(project, file.bytes - set.bytes, most),
    ]);
  } catch (error) {
    if (failedAt(error, 2)) {
      await dropPending(parts, set, pending);
      throw noSpace(config.symbolSetsMb);
    }
    if (error instanceof ConditionFailed) throw changed(ref);
    throw error;
  }
  if (before !== null) await objects.remove([before]);
};

/** Nobody uploaded another file meanwhile. */
const asRead = (set: SymbolSet): Condition => unchanged(set, "pending", "object");

const addBytes = (project: number, bytes: number, most: number): Write => ({
  kind: "update",
  key: symbolBytesKey(project),
  change: { add: { bytes } },
  ...(bytes > 0 && {
    when: {
      kind: "any",
      of: [
        { kind: "lacks", attribute: "bytes" },
        { kind: "less", attribute: "bytes", value: most - bytes + 1 },
      ],
    },
  }),
});

const dropPending = async ({ table, objects }: Parts, { project, id, pending: value }: SymbolSet, key: string): Promise<void> => {
  try {
    await update(table, SymbolSets, { project, id }, { set: { pending: null } }, { kind: "equals", attribute: "pending", value });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
  await objects.remove([key]);
};

/** Removes a set and its file. What it resolved stays resolved. */
export const removeSet = async (parts: Pick<World, "table" | "objects" | "clock">, set: SymbolSet): Promise<void> => {
  const { project, id, ref, object, pending, bytes } = set;
  try {
    await takeFromList(parts, setsOfProject(project), [
      removing(SymbolSets, { project, id }, asRead(set)),
      removing(SymbolSetRefs, { project, ref }),
      addBytes(project, -bytes, 0),
    ]);
  } catch (error) {
    if (error instanceof ConditionFailed) throw changed(ref);
    throw error;
  }
  await parts.objects.remove([object, pending].flatMap((key) => key ?? []));
};

const changed = (ref: string) => conflict(`The symbol set ${ref} was changed at the same moment. Try again.`);
