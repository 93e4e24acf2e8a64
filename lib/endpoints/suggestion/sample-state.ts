import type { FileFacts, Manifest, PinnedState } from "../../lake/catalogue.ts";

/** Bytes of files in a sample: what a query reads of them takes tenths of a second. */
const SAMPLE_BYTES = 33_554_432;

/** Some of a project's events, the newest months first, with all of its persons and groups. */
export const sampleOf = (pinned: PinnedState): PinnedState => {
  let left = SAMPLE_BYTES;
  const fits = ({ bytes }: FileFacts): boolean => {
    left -= bytes;
    return left >= 0 || left + bytes === SAMPLE_BYTES;
  };
  const cut = (manifest: Manifest): Manifest => ({ ...manifest, files: manifest.files.filter(fits), loose: manifest.loose.filter(fits) });
  const waiting = pinned.waiting.map((commit) => ({ ...commit, segments: commit.segments.filter(fits) }));
  const newest = [...pinned.manifests].toSorted(([a], [b]) => (a < b ? 1 : -1));
  return { ...pinned, waiting, manifests: new Map(newest.map(([partition, manifest]) => [partition, cut(manifest)])) };
};
