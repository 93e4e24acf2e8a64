import * as z from "zod";
import { type Release, Releases } from "../../../lib/error-tracking/releases.ts";
import type { SymbolSet } from "../../../lib/error-tracking/symbol-sets.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { getMany } from "../../../lib/table/store.ts";
import { ReleaseForm, releaseForm } from "../releases/release-form.ts";
import { shortMicros } from "../timestamps.ts";

/** A symbol set as sent. */
export const SymbolSetForm = z
  .object({
    id: z.guid(),
    ref: z.string(),
    team_id: z.int(),
    created_at: z.string(),
    last_used: z.string().nullable(),
    failure_reason: z.string().nullable(),
    has_uploaded_file: z.boolean(),
    size: z.int(),
    release: ReleaseForm.nullable(),
  })
  .meta({ id: "ErrorTrackingSymbolSet" });

/** Sets with their releases, each of which is read once. */
export const symbolSetForms = async (table: Table, sets: readonly SymbolSet[]): Promise<z.input<typeof SymbolSetForm>[]> => {
  const named = new Map(sets.flatMap(({ project, release_id }) => (release_id === null ? [] : [[release_id, project] as const])));
  const keys = [...named].map(([id, team_id]) => ({ team_id, id }));
  const releases = keys.length === 0 ? [] : await getMany(table, Releases, keys);
  const byId = new Map(releases.map((release) => [release.id, release]));
  return sets.map((set) => symbolSetForm(set, byId.get(set.release_id ?? "")));
};

const symbolSetForm = (
  { id, ref, project, created_at, uploaded_at, object, bytes }: SymbolSet,
  release: Release | undefined,
): z.input<typeof SymbolSetForm> => ({
  id,
  ref,
  team_id: project,
  created_at: shortMicros(created_at),
  last_used: uploaded_at === null ? null : shortMicros(uploaded_at),
  failure_reason: null,
  has_uploaded_file: object !== null,
  size: object === null ? 0 : bytes,
  release: release === undefined ? null : releaseForm(release),
});
