/** A line of a file, or an element of its list: the bytes of one event. */
export interface FileRecord {
  /** Counted from 1: lines of a text, elements of a list. */
  readonly line: number;
  /** Where in the content the record ends, with what ends it. */
  readonly end: number;
  /** All of it, or its beginning where it is longer than a record may be. */
  readonly bytes: Uint8Array;
  readonly isTooLong: boolean;
}

/** A place between two records: bytes of the content before it, and records. */
export interface Place {
  readonly offset: number;
  readonly line: number;
}

/** Longest record that is looked at; of a longer one the beginning is kept, and nothing else of it is held. */
export const MAX_RECORD_BYTES = 8 * 1024 * 1024;
const KEPT_BYTES = 1024;

/** Finds where records begin and end in chunk after chunk: places of bytes, or -1 where a chunk has none. */
export interface Scanner {
  begin(chunk: Uint8Array, from: number): number;
  /** The place of a record's last byte. */
  end(chunk: Uint8Array, from: number): number;
}

/** Cuts content into records, chunk by chunk, from a place between two of them on. Never holds more than one record and a chunk. */
export interface Splitter {
  feed(chunk: Uint8Array): readonly FileRecord[];
  /** The last record, where nothing ends it. */
  rest(): readonly FileRecord[];
}

export const splitter = (scanner: Scanner, place: Place): Splitter => {
  let { offset, line } = place;
  let isWithin = false;
  let parts: Uint8Array[] = [];
  let held = 0;
  let isTooLong = false;

  const hold = (bytes: Uint8Array): void => {
    held += bytes.length;
    if (!isTooLong) parts.push(bytes);
    if (!isTooLong && held > MAX_RECORD_BYTES) {
      isTooLong = true;
      parts = [Buffer.concat(parts).subarray(0, KEPT_BYTES)];
    }
  };
  const take = (end: number): FileRecord => {
    const [only, ...others] = parts;
    line += 1;
    const record = { line, end, bytes: only !== undefined && others.length === 0 ? only : Buffer.concat(parts), isTooLong };
    [isWithin, parts, held, isTooLong] = [false, [], 0, false];
    return record;
  };

  return {
    feed(chunk) {
      const records: FileRecord[] = [];
      for (let at = 0; at < chunk.length; ) {
        if (!isWithin) {
          const begin = scanner.begin(chunk, at);
          if (begin === -1) break;
          isWithin = true;
          at = begin;
        }
        const end = scanner.end(chunk, at);
        hold(chunk.subarray(at, end === -1 ? chunk.length : end + 1));
        if (end === -1) break;
        records.push(take(offset + end + 1));
        at = end + 1;
      }
      offset += chunk.length;
      return records;
    },
    rest: () => (isWithin && held > 0 ? [take(offset)] : []),
  };
};

const NEWLINE = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Lines of text. */
export const lineScanner = (): Scanner => ({
  begin: (_, from) => from,
  end: (chunk, from) => chunk.indexOf(NEWLINE, from),
});

/** Records of CSV: lines, but for those within quotes. A quote counts where a field begins; elsewhere it is a character like others. */
export const csvScanner = (delimiter: number): Scanner => {
  let state: "begins" | "plain" | "quoted" | "quote in quotes" = "begins";
  return {
    begin(_, from) {
      state = "begins";
      return from;
    },
    end(chunk, from) {
      for (let at = from; at < chunk.length; at += 1) {
        const byte = chunk[at];
        if (state === "quoted") {
          if (byte === QUOTE) state = "quote in quotes";
        } else if (byte === QUOTE) {
          if (state === "begins" || state === "quote in quotes") state = "quoted";
        } else if (byte === NEWLINE) return at;
        else state = byte === delimiter ? "begins" : "plain";
      }
      return -1;
    },
  };
};

/** Where the events of a JSON document stand: one after the other, in a list, or in a list that an object has as `results` or `batch`. */
export type JsonShape = "objects" | "list" | "pages";

const DEPTHS: Readonly<Record<JsonShape, number>> = { objects: 0, list: 1, pages: 2 };
const NAMES: ReadonlySet<string> = new Set(["results", "batch"]);
const LONGEST_NAME = 7;

const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Objects of a JSON document. `isWithin` where reading goes on between two of them. */
export const jsonScanner = (shape: JsonShape, isWithin: boolean): Scanner => {
  const wanted = DEPTHS[shape];
  let depth = isWithin ? wanted : 0;
  let isNamed = shape !== "pages" || isWithin;
  let isText = false;
  let isEscaped = false;
  let name = "";
  let inner = 0;

  /** One step within a text; whether the byte was part of one. */
  const inText = (byte: number): boolean => {
    if (!isText) return false;
    if (isEscaped) isEscaped = false;
    else if (byte === BACKSLASH) isEscaped = true;
    else if (byte === QUOTE) isText = false;
    else if (depth === 1 && name.length <= LONGEST_NAME) name += String.fromCharCode(byte);
    return true;
  };

  return {
    begin(chunk, from) {
      for (let at = from; at < chunk.length; at += 1) {
        const byte = chunk[at] ?? 0;
        if (inText(byte)) continue;
        if (byte === QUOTE) [isText, name] = [true, ""];
        else if (byte === OPEN_OBJECT && depth === wanted && isNamed) {
          inner = 0;
          return at;
        } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
          depth += 1;
          if (shape === "pages" && depth === wanted) isNamed = byte === OPEN_LIST && NAMES.has(name);
        } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
          depth = Math.max(0, depth - 1);
          if (shape === "pages" && depth < wanted) isNamed = false;
        }
      }
      return -1;
    },
    end(chunk, from) {
      for (let at = from; at < chunk.length; at += 1) {
        const byte = chunk[at];
        if (isText) {
          if (isEscaped) isEscaped = false;
          else if (byte === BACKSLASH) isEscaped = true;
          else if (byte === QUOTE) isText = false;
        } else if (byte === QUOTE) isText = true;
        else if (byte === OPEN_OBJECT || byte === OPEN_LIST) inner += 1;
        else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
          inner -= 1;
          if (inner === 0) return at;
        }
      }
      return -1;
    },
  };
};
