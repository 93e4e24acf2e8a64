import type { FileFacts, Manifest } from "../../lib/lake/catalogue.ts";

/** A file of which only its size and its days matter. */
export const aFile = (key: string, rows: number, first: number, last = first, changes: Partial<FileFacts> = {}): FileFacts => ({
  key,
  bytes: rows,
  rows,
  plainBytes: 500 * rows,
  days: [first, last],
  times: ["0", "0"],
  ids: ["a", "b"],
  events: null,
  usage: {},
  footerBytes: 1,
  ...changes,
});

export const aManifest = (files: readonly FileFacts[], loose: readonly FileFacts[], sealed = false): Manifest => ({
  v: 1,
  id: "m",
  partition: "2026-03",
  files,
  loose,
  absorbed: [],
  absorbedAt: [],
  sealed,
});
