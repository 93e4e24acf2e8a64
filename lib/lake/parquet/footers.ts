import type { SwapParts } from "../catalogue/parts.ts";
import type { FileFacts, Manifest } from "../catalogue.ts";
import { footersKey } from "../paths.ts";
import type { Policy } from "../policy.ts";

/** Bytes of footers in one object, at most, unless one alone is larger: a reader fetches it whole. */
const OBJECT_BYTES = 1_000_000;

/**
 * What a manifest is made of, with its footers moved to objects of their own, written first, when it would hold too many. A few stay inside, so that
 * small projects never fetch any apart; a manifest written before there were such objects comes with all of them inside.
 */
export const withFootersOutside = async <T extends Pick<Manifest, "partition" | "files" | "loose">>(
  parts: SwapParts,
  policy: Policy,
  project: number,
  manifest: T,
): Promise<T> => {
  const inside = [...manifest.files, ...manifest.loose].filter(({ footer }) => footer !== undefined);
  if (inside.reduce((sum, { footerBytes }) => sum + footerBytes, 0) <= policy.footersInside) return manifest;
  const moved = new Map<string, FileFacts>();
  for (const group of groupFiles(inside)) {
    const key = footersKey(project, manifest.partition, parts.ids.ulid());
    const contents: Buffer[] = [];
    let from = 0;
    for (const { footer, ...file } of group) {
      const content = Buffer.from(footer ?? "", "base64");
      moved.set(file.key, { ...file, footerBytes: content.length, footerAt: { key, from } });
      contents.push(content);
      from += content.length;
    }
    await parts.objects.put(key, Buffer.concat(contents));
  }
  const placed = (file: FileFacts): FileFacts => moved.get(file.key) ?? file;
  return { ...manifest, files: manifest.files.map(placed), loose: manifest.loose.map(placed) };
};

const groupFiles = (files: readonly FileFacts[]): readonly FileFacts[][] => {
  const groups: FileFacts[][] = [];
  let room = 0;
  for (const file of files) {
    if (file.footerBytes > room) {
      groups.push([]);
      room = OBJECT_BYTES;
    }
    groups.at(-1)?.push(file);
    room -= file.footerBytes;
  }
  return groups;
};

/** The objects of footers that a manifest names. */
export const footerKeys = (manifest: Manifest | null): ReadonlySet<string> =>
  new Set([
    ...[...(manifest?.files ?? []), ...(manifest?.loose ?? [])].flatMap(({ footerAt }) => (footerAt ? [footerAt.key] : [])),
    ...(manifest?.leaves ?? []).flatMap(({ footers }) => footers),
  ]);

/** Those that the next manifest no longer names. */
export const unnamedFooters = (before: Manifest | null, next: Manifest): readonly string[] => {
  const named = footerKeys(next);
  return [...footerKeys(before)].filter((key) => !named.has(key));
};
