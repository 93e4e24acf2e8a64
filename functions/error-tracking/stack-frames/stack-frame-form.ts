import * as z from "zod";
import { type Release, Releases } from "../../../lib/error-tracking/releases.ts";
import type { StackFrame } from "../../../lib/error-tracking/stack-frames.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { getMany } from "../../../lib/table/store.ts";
import { ReleaseForm, releaseForm } from "../releases/release-form.ts";
import { shortMicros } from "../timestamps.ts";

/** A stack frame as sent. */
export const StackFrameForm = z
  .object({
    id: z.guid(),
    raw_id: z.string(),
    created_at: z.string(),
    contents: z.record(z.string(), z.unknown()),
    resolved: z.boolean(),
    context: z.record(z.string(), z.unknown()).nullable(),
    symbol_set_ref: z.string().nullable(),
    release: ReleaseForm.nullable(),
  })
  .meta({ id: "ErrorTrackingStackFrame" });

/** Frames with their releases, each of which is read once. */
export const stackFrameForms = async (table: Table, frames: readonly StackFrame[]): Promise<z.input<typeof StackFrameForm>[]> => {
  const named = new Map(frames.flatMap(({ project, release_id }) => (release_id === null ? [] : [[release_id, project] as const])));
  const keys = [...named].map(([id, team_id]) => ({ team_id, id }));
  const releases = keys.length === 0 ? [] : await getMany(table, Releases, keys);
  const byId = new Map(releases.map((release) => [release.id, release]));
  return frames.map((frame) => stackFrameForm(frame, byId.get(frame.release_id ?? "")));
};

const stackFrameForm = (frame: StackFrame, release: Release | undefined): z.input<typeof StackFrameForm> => ({
  id: frame.id,
  raw_id: `${frame.hash}/${frame.part}`,
  created_at: shortMicros(frame.created_at),
  contents: JSON.parse(frame.contents),
  resolved: frame.resolved,
  context: frame.context === null ? null : JSON.parse(frame.context),
  symbol_set_ref: frame.symbol_set_ref,
  release: release === undefined ? null : releaseForm(release),
});
