import type { FileFacts } from "../catalogue/catalogue.ts";

/** Bounds of distinct_id in a file's facts are cut to this many characters. */
export const MAX_BOUND = 200;

/** More event names than this and a file's facts say "any". */
export const MAX_NAMES = 64;

/** What a row takes besides its texts while rows are sorted. */
export const ROW_BYTES = 300;

/** Where a file does not say, its rows take this many times what they take compressed. */
const USUAL_COMPRESSION = 8;

/** Bytes of a file's rows as they are sorted. */
export const plainBytesOf = ({ plainBytes, bytes, rows }: Pick<FileFacts, "plainBytes" | "bytes" | "rows">): number =>
  plainBytes ?? USUAL_COMPRESSION * bytes + ROW_BYTES * rows;

/** The same of several files. */
export const weightOf = (files: readonly FileFacts[]): number => files.reduce((sum, file) => sum + plainBytesOf(file), 0);

export const rowsOf = (files: readonly FileFacts[]): number => files.reduce((sum, { rows }) => sum + rows, 0);
