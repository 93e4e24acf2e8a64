import * as z from "zod";
import type { Table } from "../ports/table.ts";
import { entity } from "../table/entity.ts";
import { getMany } from "../table/store.ts";
import { parseRawId } from "./frames/raw-id.ts";
import { STACK_FRAME_LAYOUT } from "./stored/layouts.ts";

/** A frame of a stack trace, kept once however often it is seen. */
export const StackFrames = entity({
  ...STACK_FRAME_LAYOUT,
  schema: z.object({
    project: z.int(),
    /** SHA-512 of what the client said of the frame. */
    hash: z.string(),
    /** Which of the frames that one raw frame became. */
    part: z.int(),
    id: z.guid(),
    created_at: z.string(),
    /** JSON text of the frame. */
    contents: z.string(),
    resolved: z.boolean(),
    /** JSON text of the lines around; null where none were sent. */
    context: z.string().nullable(),
    /** The set that resolved it. */
    symbol_set_ref: z.string().nullable(),
    /** Of frames that a set could resolve: the ref of that set, what was sent that it needs, as JSON text, and the file that resolved it. */
    chunk: z.string().optional(),
    built: z.string().optional(),
    resolved_by: z.string().optional(),
    /** The release of the first event that named one. */
    release_id: z.guid().nullable(),
  }),
});
export type StackFrame = z.output<typeof StackFrames.schema>;

/** The frames of a project that have one of the raw ids, each once; raw ids that no frame has are passed over. */
export const stackFramesNamed = async (table: Table, project: number, rawIds: Iterable<string>): Promise<readonly StackFrame[]> => {
  const named = new Map([...rawIds].map(parseRawId).map((parts) => [`${parts.hash}/${parts.part}`, { project, ...parts }]));
  return named.size === 0 ? [] : getMany(table, StackFrames, [...named.values()]);
};
