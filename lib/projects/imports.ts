import * as z from "zod";
import { importIdOf } from "../event/imports.ts";
import type { Ports } from "../ports/ports.ts";
import type { Table } from "../ports/table.ts";
import { entity } from "../table/entity.ts";
import { get, list, update } from "../table/store.ts";
import { ensureImport, type ImportSource } from "./note-imports.ts";
import { IMPORT_LAYOUT } from "./stored/import-layout.ts";

/** Events of the past that came as one: everything of a project whose requests said the same `import_id`, or one run of `admin import`. */
export const Imports = entity({
  ...IMPORT_LAYOUT,
  schema: z.object({
    project: z.int(),
    /** The beginning of the request ids of its rows. */
    id: z.string(),
    /** What the client or the command calls it. */
    name: z.string(),
    source: z.enum(["requests", "files"]),
    /** `undone` from the moment on from which no query sees a row of it. */
    state: z.enum(["open", "undone"]),
    /** When the first of it was stored, and the last, to the minute. */
    created_at: z.string(),
    last_seen_at: z.string(),
    /** What the command read, took and refused; null where requests brought it. */
    read: z.int().nullable().default(null),
    accepted: z.int().nullable().default(null),
    rejected: z.int().nullable().default(null),
    undone_at: z.string().nullable().default(null),
    /** Rows that undoing it took away; null while it is not undone. */
    undone_rows: z.int().nullable().default(null),
  }),
});
export type Import = z.output<typeof Imports.schema>;

/** The import of a project that somebody calls by its id or its name; undefined where none is known. */
export const findImport = async (table: Table, project: number, called: string): Promise<Import | undefined> =>
  (await get(table, Imports, { project, id: called }, { consistent: true })) ??
  (await get(table, Imports, { project, id: importIdOf(called) }, { consistent: true }));

/** All imports of a project, by id. */
export const importsOfProject = (table: Table, project: number): Promise<readonly Import[]> =>
  list(table, Imports, "key", { project }, { consistent: true });

/** Writes down an import before the first of it is sent, and what was read of it so far. */
export const keepImport = async (
  parts: Pick<Ports, "table" | "clock">,
  {
    project,
    name,
    source,
    ...counts
  }: Pick<Import, "project" | "name"> & { readonly source: ImportSource } & Partial<Pick<Import, "read" | "accepted" | "rejected">>,
): Promise<void> => {
  await ensureImport(parts, project, name, source);
  if (Object.keys(counts).length > 0) await update(parts.table, Imports, { project, id: importIdOf(name) }, { set: counts });
};
