import { cache } from "../../core/cache.ts";
import type { Objects } from "../../ports/objects.ts";
import { GoneFile } from "../gone-file.ts";
import { type FileRequest, footerMetadata, WHOLE_BYTES } from "./fetch-file.ts";
import type { Footers } from "./footers.ts";
import { columnLayout, columnSizes } from "./layout.ts";

/** The bytes that would be fetched of a file for the columns asked for. */
export type ColumnBytes = (wanted: FileRequest) => Promise<number>;

/** Columns of files whose sizes a process keeps. */
const MOST_KEPT = 200_000;

type Sizes = ReadonlyMap<string, number>;

/** Footers are read from where the catalogue has them, else from the end of the file; each once, while there is room to remember it. */
export const openColumnBytes = (objects: Pick<Objects, "getRange">, footers: Footers): ColumnBytes => {
  const kept = cache<string, Sizes>({ capacity: MOST_KEPT, weigh: ({ size }) => size });

  const fetchRange = async (key: string, from: number, to: number): Promise<Uint8Array> => {
    const bytes = await objects.getRange(key, from, to);
    if (bytes === undefined) throw new GoneFile(`${key} is gone from the object store`);
    return bytes;
  };

  const read = async (wanted: FileRequest): Promise<Sizes> => {
    const sizes = columnSizes(columnLayout(await footerMetadata(wanted, { fetchRange, footers })));
    kept.set(wanted.key, sizes);
    return sizes;
  };

  return async (wanted) => {
    if (wanted.columns === "all" || wanted.bytes <= WHOLE_BYTES) return wanted.bytes;
    const sizes = kept.get(wanted.key) ?? (await read(wanted));
    return wanted.columns.reduce((sum, column) => sum + (sizes.get(column) ?? 0), 0);
  };
};
