import * as z from "zod";
import { entity } from "../table/entity.ts";
import { keyIn } from "../table/partitions.ts";
import { SYMBOL_SET_LAYOUT, SYMBOL_SET_REF_LAYOUT } from "./stored/layouts.ts";

/** The longest name of a chunk that a set can have; frames with longer ones are not looked up. */
export { isRef, MOST_REF_BYTES } from "./symbol-sets/mappable-frame.ts";

/** The source map of one chunk of built code. */
export const SymbolSets = entity({
  ...SYMBOL_SET_LAYOUT,
  schema: z.object({
    project: z.int(),
    id: z.guid(),
    /** The chunk's id, or the release and path of its file: what frames are looked up by. */
    ref: z.string(),
    created_at: z.string(),
    release_id: z.guid().nullable(),
    /** The client's own digest of the file; null until one was uploaded. */
    content_hash: z.string().nullable(),
    /** The key of the uploaded file; null until there is one. */
    object: z.string().nullable(),
    bytes: z.int(),
    uploaded_at: z.string().nullable(),
    /** The key that a client may put a file under just now, and has not said that it did. */
    pending: z.string().nullable(),
  }),
});
export type SymbolSet = z.output<typeof SymbolSets.schema>;

/** Leads from a chunk to its set, with all that resolving a frame needs. */
export const SymbolSetRefs = entity({
  ...SYMBOL_SET_REF_LAYOUT,
  schema: z.object({ project: z.int(), ref: z.string(), id: z.guid(), object: z.string().nullable() }),
});
export type SymbolSetRef = z.output<typeof SymbolSetRefs.schema>;

/** Where a project's uploaded bytes are counted, as `bytes`. */
export const symbolBytesKey = (project: number) => keyIn("symbolSetCount", "bytes", { project });
