import * as z from "zod";
import { isRef, MOST_REF_BYTES } from "../../../lib/error-tracking/symbol-sets.ts";
import { boolean, integer } from "../../../lib/http/fields.ts";

/** Sets that one call names at most: as many as the command line tool asks for at once. */
const MOST_SETS = 1_000;

export const chunkId = () =>
  z.string().min(1).max(MOST_REF_BYTES).refine(isRef, `Ensure this field has no more than ${MOST_REF_BYTES} bytes, few of them # or %.`);
const contentHash = () => z.string().min(1).max(256);

const SentSymbolSet = z
  .object({
    chunk_id: chunkId(),
    release_id: z.string().nullish(),
    content_hash: contentHash().nullish(),
    content_length: integer({ min: 1 }).nullish(),
  })
  .meta({ id: "ErrorTrackingSymbolSetUpload" });

/** What is to be uploaded; `chunk_ids` is the older way to name sets, all of one release. */
export const UploadBody = z.object({
  symbol_sets: z.array(SentSymbolSet).max(MOST_SETS).optional(),
  chunk_ids: z.array(chunkId()).max(MOST_SETS).nullish(),
  release_id: z.string().nullish(),
  force: boolean().optional(),
  skip_on_conflict: boolean().optional(),
});

/** One file that a client is about to upload. */
export interface Upload {
  readonly ref: string;
  readonly releaseId: string | null;
  readonly contentHash: string | null;
  readonly bytes: number | undefined;
}

export const sentUploads = ({ symbol_sets = [], chunk_ids, release_id }: z.output<typeof UploadBody>): readonly Upload[] => [
  ...symbol_sets.map((sent) => ({
    ref: sent.chunk_id,
    releaseId: sent.release_id || null,
    contentHash: sent.content_hash ?? null,
    bytes: sent.content_length ?? undefined,
  })),
  ...(chunk_ids ?? []).map((ref) => ({ ref, releaseId: release_id || null, contentHash: null, bytes: undefined })),
];

export const FinishBody = z.object({ content_hashes: z.record(z.guid(), contentHash()).nullable() });

export const FinishOneBody = z.object({ content_hash: contentHash() });
