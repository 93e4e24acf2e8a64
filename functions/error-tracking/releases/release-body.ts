import * as z from "zod";
import { invalid } from "../../../lib/http/errors.ts";
import { withoutSecrets } from "./remote-url.ts";

/** A release lies in one item. */
const MOST_CHARACTERS = 10_000;
const MOST_METADATA_BYTES = 128 * 1024;
const MOST_HASH_CHARACTERS = 128;

const named = () => z.preprocess(orNull, z.union([z.string().max(MOST_CHARACTERS), z.number(), z.boolean()]).nullish());

/** An object or a list that holds nothing is as empty as null. */
const orNull = (sent: unknown): unknown => (typeof sent === "object" && sent !== null && Object.keys(sent).length === 0 ? null : sent);

/** A release as a client writes it: numbers are taken as their text, and empty fields count as left out. */
export const ReleaseBody = z
  .object({
    version: named(),
    project: named(),
    hash_id: named(),
    metadata: z.record(z.string(), z.json()).or(z.literal("")).nullish(),
  })
  .meta({ id: "ErrorTrackingReleaseWrite" });

/** A creation needs these two; one that lacks them is refused with the sentences of the operation. */
export const NewReleaseBody = ReleaseBody.extend({ version: z.string().min(1), project: z.string().min(1) }).meta({
  id: "ErrorTrackingReleaseCreate",
});

/** The fields of a release that a client sent and did not leave empty; metadata is JSON text. */
export interface SentRelease {
  readonly version?: string;
  readonly project?: string;
  readonly hash_id?: string;
  readonly metadata?: string;
}

/** Throws 400 where a field is longer than a release can hold. */
export const sentRelease = ({ version, project, hash_id, metadata }: z.output<typeof ReleaseBody>): SentRelease => {
  const text = metadata ? JSON.stringify(withoutSecrets(metadata)) : undefined;
  if (text !== undefined && Buffer.byteLength(text) > MOST_METADATA_BYTES) {
    throw invalid("metadata", `Metadata can have at most ${MOST_METADATA_BYTES} bytes as JSON.`);
  }
  if (hash_id && [...String(hash_id)].length > MOST_HASH_CHARACTERS) {
    throw invalid(null, `A hash id has at most ${MOST_HASH_CHARACTERS} characters.`);
  }
  return {
    ...(version && { version: String(version) }),
    ...(project && { project: String(project) }),
    ...(hash_id && { hash_id: String(hash_id) }),
    ...(text !== undefined && { metadata: text }),
  };
};
