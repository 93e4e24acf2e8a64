import { isReadable, writtenVersion } from "../../core/formats.ts";
import { OBJECT_WORTH_PACKING, pack, unpack } from "../../core/pack.ts";
import { Defect } from "../../core/unreachable.ts";
import type { CompactParts } from "../catalogue/parts.ts";
import { type Removal, STATE_ENTRY } from "../catalogue.ts";
import { gatheredFiles } from "../gathered-files.ts";
import { readGroupTypes } from "../group-types.ts";
import { readHead } from "../head.ts";
import { removalsKey } from "../paths.ts";
import { groupName } from "../persons/group-log.ts";
import { isBefore, matchOf, sourceOf } from "../removals.ts";
import { rowsLeft } from "../skipped-rows.ts";
import { readRowDelta } from "./row-deltas.ts";

/** Version of these objects; readers accept this one and the one after. */
const TOUCHED_FORMAT = 1;

/** What a removal takes from gathered files, and whom its rows told of. */
export interface Touched {
  readonly v: number;
  readonly rows: number;
  /** Rows by UTC day. */
  readonly days: Readonly<Record<string, number>>;
  readonly partitions: readonly string[];
  /** Ids and names of groups that have to be made anew of the rows that stay, sorted. */
  readonly ids: readonly string[];
  readonly groups: readonly string[];
}

/** Tries to read manifests that the head named a moment ago. */
const TRIES = 3;

/**
 * Finds what a removal takes, and writes it down: once its rows are skipped nobody can. Rows that are gathered later are without those
 * of the removal already.
 */
export const findTouched = async (parts: CompactParts, project: number, removal: Removal): Promise<string> => {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const touched = await lookFor(parts, project, removal);
    if (touched === undefined) continue;
    const key = removalsKey(project, parts.ids.ulid());
    await parts.objects.put(key, pack(touched, OBJECT_WORTH_PACKING));
    return key;
  }
  throw new Defect(`the manifests of project ${project} changed too often`);
};

/** Undefined where a manifest was replaced and is gone. */
const lookFor = async (parts: CompactParts, project: number, removal: Removal): Promise<Touched | undefined> => {
  const { manifests } = await readHead(parts.table, project);
  const groupTypes = await readGroupTypes(parts.table, project);
  const ids = new Set(removal.kind === "ids" ? removal.distinctIds : []);
  const groups = new Set<string>();
  const days = new Map<number, number>();
  const partitions: string[] = [];
  let rows = 0;
  for (const [entry, id] of Object.entries(manifests)) {
    if (entry === STATE_ENTRY || (removal.kind === "before" && !isBefore(entry, removal.month))) continue;
    const files = await gatheredFiles(parts.objects, project, entry, id);
    if (files === undefined) return undefined;
    const before = rows;
    if (removal.kind === "before") rows += files.reduce((sum, file) => sum + rowsLeft(file), 0);
    const [sources, match] = [files.map(sourceOf), matchOf(removal)];
    for (const { day, distinct_id, person_mode, rows: count } of await parts.rowFiles.countMatching(project, sources, match)) {
      rows += count;
      days.set(day, (days.get(day) ?? 0) + count);
      if (person_mode === "full") ids.add(distinct_id);
    }
    await parts.rowFiles.readMatching(project, sources, match, "groups", (some) => {
      for (const row of some) {
        const delta = readRowDelta(row, groupTypes);
        if (delta?.group) groups.add(groupName(delta.group));
      }
    });
    if (rows > before) partitions.push(entry);
  }
  return {
    v: writtenVersion(TOUCHED_FORMAT),
    ...{ rows, days: Object.fromEntries(days), partitions, ids: [...ids].sort(), groups: [...groups].sort() },
  };
};

/** What `findTouched` wrote down. */
export const readTouched = async ({ objects }: Pick<CompactParts, "objects">, key: string): Promise<Touched> => {
  const bytes = await objects.get(key);
  if (bytes === undefined) throw new Defect(`the object ${key} of a removal is missing`);
  const touched = written(unpack(bytes));
  if (!isReadable(touched.v, TOUCHED_FORMAT)) throw new Defect(`what a removal takes is of format ${touched.v}, newer than this version`);
  return touched;
};

/** Only `findTouched` writes these objects. */
const written = (value: unknown): Touched => value as Touched;
