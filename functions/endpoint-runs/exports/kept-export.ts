import * as z from "zod";
import { isReadable, writtenVersion } from "../../../lib/core/formats.ts";
import { DAY_MS } from "../../../lib/core/time.ts";
import { rowsFileKey } from "../../../lib/lake/paths.ts";
import type { Objects } from "../../../lib/ports/objects.ts";
import { FORMATS } from "./wire.ts";

/** Version of what is kept of an export beside its file. */
const EXPORT_FORMAT = 1;

/** The store deletes files of rows a day after they were made, at an hour of its own. */
const KEPT_MS = DAY_MS;

const KeptExport = z.object({
  v: z.number(),
  id: z.guid(),
  endpoint: z.string(),
  version: z.int(),
  format: z.enum(FORMATS),
  rows: z.int(),
  bytes: z.int(),
  created_at: z.iso.datetime(),
});
export type KeptExport = Omit<z.output<typeof KeptExport>, "v">;

export const keepExport = (objects: Pick<Objects, "put">, project: number, kept: KeptExport): Promise<void> =>
  objects.put(rowsFileKey(project, kept.id, "json"), Buffer.from(JSON.stringify({ v: writtenVersion(EXPORT_FORMAT), ...kept })));

/** What is known of an export; undefined where there is none, or its time is over. */
export const findExport = async (
  objects: Pick<Objects, "get">,
  project: number,
  id: string,
  now: number,
): Promise<KeptExport | undefined> => {
  const bytes = await objects.get(rowsFileKey(project, id, "json"));
  const read = bytes === undefined ? undefined : KeptExport.safeParse(JSON.parse(Buffer.from(bytes).toString())).data;
  if (read === undefined || !isReadable(read.v, EXPORT_FORMAT) || expiresAt(read) <= now) return undefined;
  const { v: _, ...kept } = read;
  return kept;
};

export const expiresAt = ({ created_at }: Pick<KeptExport, "created_at">): number => Date.parse(created_at) + KEPT_MS;
