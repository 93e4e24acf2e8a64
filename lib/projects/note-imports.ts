import { importIdOf } from "../event/imports.ts";
import type { Ports } from "../ports/ports.ts";
import { ConditionFailed, type Table } from "../ports/table.ts";
import { addToList, type BoundedList, ListFull } from "../table/bounded-list.ts";
import { plainItem, plainKey } from "../table/entity.ts";
import { counterKey, partitionKey } from "../table/partitions.ts";
import { ABSENT } from "../table/transact.ts";
import { IMPORT_LAYOUT } from "./stored/import-layout.ts";

/** Who brought an import: requests of clients, or the operator's command with files. */
export type ImportSource = "requests" | "files";

type Parts = Pick<Ports, "table" | "clock">;

/** Imports of a project that are listed. Those beyond are stored all the same, and can be undone by their names. */
const MOST_IMPORTS = 10_000;

const importsInList = (project: number): BoundedList => ({
  counter: counterKey("importCount", project),
  most: MOST_IMPORTS,
  full: `A project lists at most ${MOST_IMPORTS} imports.`,
  recount: (table) => countImports(table, project),
});

/** Writes down that something of an import came: a new one, or one more sign of one that is known. */
export const ensureImport = async (parts: Parts, project: number, name: string, source: ImportSource): Promise<void> => {
  const { table, clock } = parts;
  const now = new Date(clock.now()).toISOString();
  const id = importIdOf(name);
  if (await isNoted(table, project, id, now)) return;
  // The table takes no half of a surrogate pair: it would refuse the rows of all imports that came beside this one.
  const listed = name.toWellFormed();
  const item = plainItem(IMPORT_LAYOUT, { project, id, name: listed, source, state: "open", created_at: now, last_seen_at: now });
  try {
    await addToList(parts, importsInList(project), [{ kind: "put", item, when: ABSENT }]);
  } catch (error) {
    // Somebody else has just written it, or the list is full.
    if (!(error instanceof ConditionFailed || error instanceof ListFull)) throw error;
  }
};

const isNoted = async (table: Table, project: number, id: string, now: string): Promise<boolean> => {
  try {
    await table.update(plainKey(IMPORT_LAYOUT, { project, id }), { set: { last_seen_at: now } }, { kind: "present" });
    return true;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return false;
  }
};

/** When a process last wrote down each import of a project, by name. */
export type NotedImports = Map<string, number>;

/** An import is written down again after this, so that its last sign is right to the minute. */
const NOTE_AGAIN_MS = 60_000;

/** Imports of a project that a process remembers: past that it writes them down again. */
const MOST_REMEMBERED = 1_000;

/** Writes down which imports a drain brought something of: a write for each in a minute, however many requests there are. */
export const noteImports = async (parts: Parts, project: number, names: Iterable<string>, noted: NotedImports): Promise<void> => {
  const now = parts.clock.now();
  for (const name of names) {
    if (now - (noted.get(name) ?? Number.NEGATIVE_INFINITY) < NOTE_AGAIN_MS) continue;
    await ensureImport(parts, project, name, "requests");
    if (noted.size >= MOST_REMEMBERED) noted.clear();
    noted.set(name, now);
  }
};

const countImports = async (table: Table, project: number): Promise<number> => {
  let count = 0;
  let cursor: string | null = null;
  do {
    const page = await table.query({ pk: partitionKey("imports", { project }), consistent: true, countOnly: true, cursor });
    count += page.count;
    cursor = page.cursor;
  } while (cursor !== null);
  return count;
};
