import type { World } from "../../../lib/app/world.ts";
import { isCanonicalUuid } from "../../../lib/core/uuid.ts";
import { Releases } from "../../../lib/error-tracking/releases.ts";
import { isRef, type SymbolSet, SymbolSetRefs, SymbolSets, symbolBytesKey } from "../../../lib/error-tracking/symbol-sets.ts";
import { invalid } from "../../../lib/http/errors.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { getMany } from "../../../lib/table/store.ts";
import type { Upload } from "./upload-body.ts";

/** The most bytes of one file. */
export const MOST_FILE_BYTES = 100 * 1024 * 1024;

/** What is done where a set has another file already. */
export interface OnConflict {
  readonly force?: boolean | undefined;
  readonly skip_on_conflict?: boolean | undefined;
}

/** What has to be done about one upload, and the set that is there already. */
export interface PlannedUpload {
  readonly upload: Upload;
  readonly known: SymbolSet | undefined;
  readonly needsFile: boolean;
  /** The set has no release so far and gets this one. */
  readonly bindsRelease: boolean;
}

/** Those uploads that change anything. Throws 400 where one cannot be done; nothing is written. */
export const planUploads = async (
  world: Pick<World, "table" | "config">,
  project: number,
  uploads: readonly Upload[],
  conflict: OnConflict,
): Promise<readonly PlannedUpload[]> => {
  if (conflict.force && conflict.skip_on_conflict) {
    throw invalid(null, "Use either force or skip_on_conflict, not both.", "invalid_conflict_handling");
  }
  checkUploads(uploads);
  await checkReleases(world.table, project, uploads);
  const known = await setsOfRefs(
    world.table,
    project,
    uploads.map(({ ref }) => ref),
  );
  const planned = uploads.map((upload) => planOne(upload, known.get(upload.ref), conflict));
  const changing = planned.filter(({ needsFile, bindsRelease }) => needsFile || bindsRelease);
  await checkSpace(world, project, changing);
  return changing;
};

const checkUploads = (uploads: readonly Upload[]): void => {
  const refs = uploads.map(({ ref }) => ref);
  const twice = [...new Set(refs.filter((ref, at) => refs.indexOf(ref) < at))];
  if (twice.length > 0) throw invalid(null, `Duplicate chunk IDs provided: ${twice.join(", ")}`, "invalid_chunk_ids");
  const large = uploads.flatMap(({ ref, bytes = 0 }) => (bytes > MOST_FILE_BYTES ? [ref] : []));
  if (large.length > 0) throw invalid(null, `Symbol sets larger than 100MB cannot be uploaded: ${large.join(", ")}`, "file_too_large");
};

const checkReleases = async (table: Table, project: number, uploads: readonly Upload[]): Promise<void> => {
  const named = [...new Set(uploads.flatMap(({ releaseId }) => releaseId ?? []))];
  const broken = named.find((id) => !isCanonicalUuid(id));
  if (broken !== undefined) throw invalid(null, `Invalid release ID provided: ${broken}`, "invalid_release_id");
  if (named.length === 0) return;
  const releases = await getMany(
    table,
    Releases,
    named.map((id) => ({ team_id: project, id })),
    { consistent: true },
  );
  const there = new Set(releases.map(({ id }) => id));
  const unknown = named.find((id) => !there.has(id));
  if (unknown !== undefined) throw invalid(null, `Unknown release ID provided: ${unknown}`, "invalid_release_id");
};

/** The sets of some refs, by ref. */
export const setsOfRefs = async (table: Table, project: number, refs: readonly string[]): Promise<ReadonlyMap<string, SymbolSet>> => {
  const possible = refs.filter(isRef);
  if (possible.length === 0) return new Map();
  const found = await getMany(
    table,
    SymbolSetRefs,
    possible.map((ref) => ({ project, ref })),
    { consistent: true },
  );
  return new Map(
    (
      await readSets(
        table,
        project,
        found.map(({ id }) => id),
      )
    ).map((set) => [set.ref, set]),
  );
};

export const readSets = async (table: Table, project: number, ids: readonly string[]): Promise<readonly SymbolSet[]> =>
  ids.length === 0
    ? []
    : getMany(
        table,
        SymbolSets,
        ids.map((id) => ({ project, id })),
        { consistent: true },
      );

const planOne = (upload: Upload, known: SymbolSet | undefined, conflict: OnConflict): PlannedUpload => {
  if (known === undefined) return { upload, known, needsFile: true, bindsRelease: false };
  return { upload, known, bindsRelease: bindsRelease(upload, known), needsFile: needsFile(upload, known, conflict) };
};

const bindsRelease = ({ releaseId }: Upload, { ref, release_id }: SymbolSet): boolean => {
  if (releaseId === null) return false;
  if (release_id !== null && release_id !== releaseId) {
    throw invalid(null, `Symbol set ${ref} already has a release ID`, "release_id_mismatch");
  }
  return release_id === null;
};

const needsFile = ({ contentHash }: Upload, { ref, content_hash }: SymbolSet, { force, skip_on_conflict }: OnConflict): boolean => {
  if (content_hash === null) return true;
  if (contentHash === null) {
    throw invalid(null, `Symbol set ${ref} already has content; provide a content_hash to update it.`, "content_hash_required");
  }
  if (contentHash === content_hash) return false;
  if (force) return true;
  if (skip_on_conflict) return false;
  throw invalid(null, `Symbol set ${ref} already exists with different content.`, "content_hash_mismatch");
};

/** Refuses what is known not to fit before it is uploaded; what was not announced is refused afterwards. */
const checkSpace = async (
  { table, config }: Pick<World, "table" | "config">,
  project: number,
  planned: readonly PlannedUpload[],
): Promise<void> => {
  const added = planned.reduce((sum, { upload, known, needsFile }) => sum + (needsFile ? (upload.bytes ?? 0) - (known?.bytes ?? 0) : 0), 0);
  if (added <= 0) return;
  const stored = await table.get(symbolBytesKey(project), { consistent: true });
  const used = typeof stored?.bytes === "number" ? stored.bytes : 0;
  if (used + added > config.symbolSetsMb * 1_000_000) throw noSpace(config.symbolSetsMb);
};

export const noSpace = (megabytes: number) =>
  invalid(
    null,
    `The symbol sets of a project may have ${megabytes} MB together. Delete those of releases that nobody uses any more.`,
    "storage_limit_exceeded",
  );
