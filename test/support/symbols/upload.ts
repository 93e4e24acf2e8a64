import * as z from "zod";
import type { ApiClient } from "../api-client.ts";
import { contentHash } from "./symbol-file.ts";

/** The answer to the beginning of an upload, by chunk. */
export const Started = z.strictObject({
  id_map: z.record(
    z.string(),
    z.strictObject({
      presigned_url: z.strictObject({ url: z.url(), fields: z.record(z.string(), z.string()) }),
      presigned_put_url: z.url().optional(),
      symbol_set_id: z.guid(),
    }),
  ),
});

type Address = z.output<typeof Started>["id_map"][string];

/** Puts a file to an address: as newer command line tools do it, or by the form that older ones know. */
export const putFile = async ({ presigned_url, presigned_put_url }: Address, file: Buffer): Promise<number> => {
  if (presigned_put_url !== undefined) return (await fetch(presigned_put_url, { method: "PUT", body: new Uint8Array(file) })).status;
  const body = new FormData();
  for (const [name, value] of Object.entries(presigned_url.fields)) body.set(name, value);
  body.set("file", new Blob([new Uint8Array(file)]), "file");
  return (await fetch(presigned_url.url, { method: "POST", body })).status;
};

/** Uploads files by the ids of their chunks, with the requests of the command line tool. Gives the ids of the sets. */
export const uploadSets = async (
  api: ApiClient,
  project: number,
  files: Readonly<Record<string, Buffer>>,
  more: object = {},
): Promise<Readonly<Record<string, string>>> => {
  const base = `/api/projects/${project}/error_tracking/symbol_sets`;
  const symbol_sets = Object.entries(files).map(([chunk_id, file]) => ({
    chunk_id,
    release_id: null,
    content_hash: contentHash(file),
    content_length: file.length,
  }));
  const started = await api.post(`${base}/bulk_start_upload`, { symbol_sets, force: false, skip_on_conflict: false, ...more });
  if (started.status !== 201) throw new Error(`the upload was refused: ${JSON.stringify(started.body)}`);
  const ids: Record<string, string> = {};
  const hashes: Record<string, string> = {};
  for (const [chunk, address] of Object.entries(Started.parse(started.body).id_map)) {
    const file = files[chunk] ?? Buffer.alloc(0);
    const status = await putFile(address, file);
    if (status >= 300) throw new Error(`the store answered ${status}`);
    ids[chunk] = address.symbol_set_id;
    hashes[address.symbol_set_id] = contentHash(file);
  }
  const finished = await api.post(`${base}/bulk_finish_upload`, { content_hashes: hashes });
  if (finished.status !== 201) throw new Error(`the end of the upload was refused: ${JSON.stringify(finished.body)}`);
  return ids;
};
