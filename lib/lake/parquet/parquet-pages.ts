/** Encodes columns of one row group as Parquet data pages. Knows nothing of files, schemas or compression. */

/** A column of values in memory. Nullable kinds take null; typed arrays cannot. `fieldId` is for readers that go by numbers. */
export type Column = { readonly name: string; readonly fieldId?: number } & (
  | { readonly kind: "utf8"; readonly values: readonly (string | null)[]; readonly nullable: boolean; readonly repeats: boolean }
  | { readonly kind: "uuid"; readonly values: readonly string[]; readonly repeats: boolean }
  | { readonly kind: "timestamp" | "int64"; readonly values: BigInt64Array }
  | { readonly kind: "int32"; readonly values: Int32Array }
  | { readonly kind: "boolean"; readonly values: readonly boolean[] }
  | { readonly kind: "double"; readonly values: readonly (number | null)[] }
);

/** One page: definition levels (not compressed, by the format) and values. */
export interface Page {
  readonly rows: number;
  readonly nulls: number;
  readonly levels: Uint8Array;
  readonly values: Uint8Array;
}

export interface ColumnPages {
  /** The dictionary's values and their number; undefined when the pages hold the values themselves. */
  readonly dictionary: { readonly entries: number; readonly bytes: Uint8Array } | undefined;
  readonly pages: readonly Page[];
}

/** A page of text is closed when it holds this much: large enough to compress well, small enough to decompress one at a time. */
const PAGE_BYTES = 1_048_576;

/** A dictionary is given up when, after this many rows, more than half of the values were new. */
const DICTIONARY_TRIAL_ROWS = 2_000;

const UUID_BYTES = 16;
const NO_LEVELS = new Uint8Array(0);

export const encodeColumn = (column: Column, start: number, end: number): ColumnPages => {
  switch (column.kind) {
    case "utf8":
      return encodeText(column.values, start, end, column);
    case "uuid":
      return encodeUuids(column.values, start, end, column.repeats);
    case "boolean":
      return single(end - start, packBits(column.values, start, end));
    case "double":
      return encodeDoubles(column.values, start, end);
    default:
      return single(end - start, rawBytes(column.values.subarray(start, end)));
  }
};

const single = (rows: number, values: Uint8Array): ColumnPages => ({
  dictionary: undefined,
  pages: [{ rows, nulls: 0, levels: NO_LEVELS, values }],
});

/** Little-endian machines only, which all of Node's platforms for us are: the bytes of a typed array are PLAIN as they stand. */
const rawBytes = (values: BigInt64Array | Int32Array | Float64Array): Uint8Array =>
  new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

const packBits = (values: readonly boolean[], start: number, end: number): Uint8Array => {
  const bytes = new Uint8Array((end - start + 7) >> 3);
  for (let i = start; i < end; i++) {
    const at = i - start;
    if (values[i]) bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (1 << (at & 7));
  }
  return bytes;
};

const encodeDoubles = (values: readonly (number | null)[], start: number, end: number): ColumnPages => {
  const numbers = new Float64Array(end - start);
  let present = 0;
  for (let i = start; i < end; i++) {
    const value = values[i];
    if (value !== null && value !== undefined) numbers[present++] = value;
  }
  const nulls = end - start - present;
  const levels = definitionLevels(values, start, end, nulls);
  return { dictionary: undefined, pages: [{ rows: end - start, nulls, levels, values: rawBytes(numbers.subarray(0, present)) }] };
};

interface TextOptions {
  readonly nullable: boolean;
  readonly repeats: boolean;
}

const encodeText = (values: readonly (string | null)[], start: number, end: number, options: TextOptions): ColumnPages => {
  const found = options.repeats ? buildDictionary(values, start, end) : undefined;
  if (found) {
    const { entries, indexes, nulls } = found;
    const levels = options.nullable ? definitionLevels(values, start, end, nulls) : NO_LEVELS;
    const writer = textWriter(entries.length * 24);
    for (const entry of entries) writer.append(entry);
    const page = { rows: end - start, nulls, levels, values: packIndexes(indexes, entries.length) };
    return { dictionary: { entries: entries.length, bytes: writer.take() }, pages: [page] };
  }
  return { dictionary: undefined, pages: plainTextPages(values, start, end, options.nullable) };
};

const plainTextPages = (values: readonly (string | null)[], start: number, end: number, nullable: boolean): Page[] => {
  const pages: Page[] = [];
  const writer = textWriter(Math.min(PAGE_BYTES, plainBytes(values, start, end)) + 65_536);
  let first = start;
  let nulls = 0;
  const close = (next: number): void => {
    const levels = nullable ? definitionLevels(values, first, next, nulls) : NO_LEVELS;
    pages.push({ rows: next - first, nulls, levels, values: writer.take() });
    first = next;
    nulls = 0;
  };
  for (let i = start; i < end; i++) {
    const value = values[i];
    if (value === null || value === undefined) {
      nulls++;
      continue;
    }
    if (writer.append(value) >= PAGE_BYTES) close(i + 1);
  }
  if (first < end) close(end);
  return pages;
};

/** What texts take with their lengths, were each of their characters one byte. */
const plainBytes = (values: readonly (string | null)[], start: number, end: number): number => {
  let bytes = 0;
  for (let i = start; i < end; i++) bytes += 4 + (values[i]?.length ?? 0);
  return bytes;
};

/** Length-prefixed UTF-8 texts in one growing buffer; `append` returns the bytes so far. */
const textWriter = (capacity: number): { append(text: string): number; take(): Uint8Array } => {
  let buffer: Buffer = Buffer.allocUnsafe(Math.max(capacity, 1_024));
  let at = 0;
  return {
    append(text) {
      const most = at + 4 + text.length * 3;
      if (most > buffer.length) buffer = grown(buffer, at, most);
      const bytes = text.length === 0 ? 0 : buffer.write(text, at + 4);
      buffer.writeUInt32LE(bytes, at);
      at += 4 + bytes;
      return at;
    },
    take() {
      const taken = Buffer.from(buffer.subarray(0, at));
      at = 0;
      return taken;
    },
  };
};

const grown = (buffer: Buffer, used: number, needed: number): Buffer => {
  const larger = Buffer.allocUnsafe(Math.max(needed, buffer.length * 2));
  buffer.copy(larger, 0, 0, used);
  return larger;
};

const encodeUuids = (values: readonly string[], start: number, end: number, repeats: boolean): ColumnPages => {
  const found = repeats ? buildDictionary(values, start, end) : undefined;
  if (found) {
    const bytes = uuidBytes(found.entries, 0, found.entries.length);
    const page = { rows: end - start, nulls: 0, levels: NO_LEVELS, values: packIndexes(found.indexes, found.entries.length) };
    return { dictionary: { entries: found.entries.length, bytes }, pages: [page] };
  }
  return single(end - start, uuidBytes(values, start, end));
};

const HEX = new Uint8Array(128);
for (let digit = 0; digit < 16; digit++) {
  HEX[digit.toString(16).charCodeAt(0)] = digit;
  HEX[digit.toString(16).toUpperCase().charCodeAt(0)] = digit;
}

/** Text positions of a UUID's 16 bytes, the hyphens skipped. */
const UUID_AT = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];

const uuidBytes = (values: readonly string[], start: number, end: number): Uint8Array => {
  const bytes = new Uint8Array((end - start) * UUID_BYTES);
  let at = 0;
  for (let i = start; i < end; i++) {
    const text = values[i] ?? "";
    for (let place = 0; place < UUID_BYTES; place++) {
      const from = UUID_AT[place] ?? 0;
      bytes[at++] = ((HEX[text.charCodeAt(from)] ?? 0) << 4) | (HEX[text.charCodeAt(from + 1)] ?? 0);
    }
  }
  return bytes;
};

interface Dictionary {
  readonly entries: readonly string[];
  /** One per value that is not null. */
  readonly indexes: Uint32Array;
  readonly nulls: number;
}

/** The distinct values in order of appearance; undefined when they repeat too seldom to be worth it. */
const buildDictionary = (values: readonly (string | null)[], start: number, end: number): Dictionary | undefined => {
  const places = new Map<string, number>();
  const entries: string[] = [];
  const indexes = new Uint32Array(end - start);
  let present = 0;
  let last: string | null | undefined;
  let lastPlace = 0;
  for (let i = start; i < end; i++) {
    const value = values[i];
    if (value === null || value === undefined) continue;
    if (value !== last) {
      last = value;
      const place = places.get(value);
      lastPlace = place ?? entries.length;
      if (place === undefined) {
        places.set(value, lastPlace);
        entries.push(value);
        if (present > DICTIONARY_TRIAL_ROWS && entries.length * 2 > present) return undefined;
      }
    }
    indexes[present++] = lastPlace;
  }
  return { entries, indexes: indexes.subarray(0, present), nulls: end - start - present };
};

/** Dictionary indexes as one bit width byte and one bit-packed run, or a repeat run when there is a single entry. */
const packIndexes = (indexes: Uint32Array, entries: number): Uint8Array => {
  if (indexes.length === 0) return Uint8Array.of(1);
  if (entries === 1) return Uint8Array.from([1, ...varint(indexes.length * 2), 0]);
  const width = 32 - Math.clz32(entries - 1);
  const groups = (indexes.length + 7) >> 3;
  const header = varint(groups * 2 + 1);
  const bytes = new Uint8Array(1 + header.length + groups * width);
  bytes[0] = width;
  bytes.set(header, 1);
  let at = 1 + header.length;
  let held = 0;
  let bits = 0;
  for (const index of indexes) {
    held |= index << bits;
    bits += width;
    while (bits >= 8) {
      bytes[at++] = held;
      held >>>= 8;
      bits -= 8;
    }
  }
  if (bits > 0) bytes[at] = held;
  return bytes;
};

/** Which values are there: one run when all or none are, else a bit for each. */
const definitionLevels = (values: readonly unknown[], start: number, end: number, nulls: number): Uint8Array => {
  const rows = end - start;
  if (nulls === 0) return Uint8Array.from([...varint(rows * 2), 1]);
  if (nulls === rows) return Uint8Array.from([...varint(rows * 2), 0]);
  const groups = (rows + 7) >> 3;
  const header = varint(groups * 2 + 1);
  const bytes = new Uint8Array(header.length + groups);
  bytes.set(header);
  for (let i = 0; i < rows; i++) {
    const value = values[start + i];
    if (value === null || value === undefined) continue;
    const at = header.length + (i >> 3);
    bytes[at] = (bytes[at] ?? 0) | (1 << (i & 7));
  }
  return bytes;
};

const varint = (value: number): number[] => {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  bytes.push(rest);
  return bytes;
};
