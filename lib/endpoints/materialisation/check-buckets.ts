import { invalid } from "../../http/errors.ts";
import { BUCKETS } from "../definition.ts";

const BUCKET_NAMES: readonly string[] = BUCKETS;

/** Refuses buckets that are none. */
export const checkBuckets = (overrides: Readonly<Record<string, string>> | null | undefined): void => {
  const unknown = Object.values(overrides ?? {}).filter((bucket) => !BUCKET_NAMES.includes(bucket));
  if (unknown.length === 0) return;
  throw invalid(null, `Unknown bucket ${unknown.map((bucket) => `"${bucket}"`).join(", ")}. Use one of ${BUCKETS.join(", ")}.`);
};
