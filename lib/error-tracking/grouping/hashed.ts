/** What a fingerprint was made of, piece by piece. */
export type RecordEntry =
  | { readonly type: "manual" }
  | { readonly type: "overflow" }
  | { readonly type: "custom"; readonly rule_id: string }
  | { readonly type: "exception"; readonly id: string; readonly pieces: readonly string[] }
  | { readonly type: "frame"; readonly raw_id: string; readonly pieces: readonly string[] };

/** What a version of the algorithm digests, and the pieces of it. */
export interface Hashed {
  readonly text: string;
  readonly record: readonly RecordEntry[];
}
