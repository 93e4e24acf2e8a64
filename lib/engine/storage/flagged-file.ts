import { hash } from "node:crypto";
import { open } from "node:fs/promises";
import { addedColumn } from "../../lake/parquet.ts";
import type { RowSource } from "../../lake/row-files.ts";
import { encodeSkipped } from "../../lake/skipped-rows.ts";
import { type FileRequest, footerMetadata, type LocalFile, NONE_BESIDE, writeAt } from "./fetch-file.ts";
import { columnLayout, type Layout, type Range } from "./layout.ts";

/** The column that says of the rows of a local copy whether they are seen; no column of events has its name. */
export const SEEN_COLUMN = "is seen";

/** Of smaller files a copy takes longer than to look each of their rows up among those that are skipped. */
const LEAST_ROWS = 50_000;

/**
 * Whether it pays to read a source from a local copy that says of each row whether it is seen. The engine takes such a column for a condition
 * like any other, which it looks at while it reads; to look each row's place up instead may take as long as all else that a query does.
 */
export const isWorthFlagging = ({ file, skip }: RowSource): boolean =>
  skip.length > 0 && skip.length < file.rows && file.rows >= LEAST_ROWS;

/** The names of copies, by the rows that they skip: those of gathered files are asked for by each query. */
const names = new WeakMap<readonly number[], string>();

/** What tells the copy without some rows from that without others. */
export const copyName = (skip: readonly number[]): string => {
  const known = names.get(skip);
  if (known !== undefined) return known;
  const name = hash("sha256", encodeSkipped(skip).runs, "hex").slice(0, 32);
  names.set(skip, name);
  return name;
};

/**
 * Fills a copy of a local file, which has all that is wanted, with that and a column that flags the rows that are seen. It is a file of its own,
 * because other queries may see other rows of the same file. One call at a time for a copy.
 */
export const fillFlaggedCopy = async (copy: LocalFile, from: LocalFile, wanted: FileRequest, { file, skip }: RowSource): Promise<void> => {
  if (copy.layout && missingColumns(copy, copy.layout, wanted).length === 0) return;
  await using source = await open(from.path);
  const read = async (at: number, to: number): Promise<Uint8Array> =>
    (await source.read({ buffer: Buffer.alloc(to - at), position: at })).buffer;
  await using handle = await open(copy.path, copy.layout ? "r+" : "w+");
  if (!copy.layout) {
    const metadata = await footerMetadata(wanted, { fetchRange: (_, at, to) => read(at, to), footers: NONE_BESIDE });
    const seen = new Array<boolean>(file.rows).fill(true);
    for (const place of skip) seen[place] = false;
    const end = await addedColumn(metadata, wanted.bytes, { name: SEEN_COLUMN, kind: "boolean", values: seen });
    await writeAt(handle, await read(0, MAGIC_BYTES), 0);
    await writeAt(handle, end, wanted.bytes);
    copy.layout = columnLayout(metadata);
    copy.held += end.length;
  }
  const { layout } = copy;
  const missing = missingColumns(copy, layout, wanted);
  for (const { from: at, to } of missing.flatMap((column): readonly Range[] => layout.get(column) ?? [])) {
    await writeAt(handle, await read(at, to), at);
    copy.held += to - at;
  }
  for (const column of missing) copy.present.add(column);
};

const missingColumns = ({ present }: LocalFile, layout: Layout, { columns }: FileRequest): readonly string[] =>
  (columns === "all" ? [...layout.keys()] : columns).filter((column) => !present.has(column));

const MAGIC_BYTES = 4;
