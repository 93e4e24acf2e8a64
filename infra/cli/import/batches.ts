import { hash } from "node:crypto";
import { acceptEvent, refusalOf, type Verdict } from "./accept-record.ts";
import { countedDay } from "./counted-day.ts";
import { NoEvent } from "./forms/form.ts";
import type { OpenFile, ReadRecord } from "./open-file.ts";
import type { Place } from "./split.ts";

/** A record that becomes no event. */
export interface Reject {
  readonly line: number;
  readonly reason: string;
  readonly text: string;
}

/** A part of a file, from one place to another, with the events in it as one list. Which records are in one follows from the file alone. */
export interface Batch {
  /** Where the next one begins. */
  readonly to: Place;
  readonly records: number;
  readonly leftOut: number;
  readonly rejects: readonly Reject[];
  /** Events by the day under which they are counted (`countedDay`). */
  readonly days: ReadonlyMap<number, number>;
  readonly events: number;
  /** The line of the first event, which tells its place in the file. */
  readonly first: number;
  /** The JSON of all events as a list; undefined where there is none. */
  readonly text: Buffer | undefined;
  readonly digest: string;
}

/** What one message keeps a drain busy with: half a second, and a sixteenth of what a drain holds. A request is that, and the token around it. */
const MAX_EVENTS = 10_000;
const MAX_BYTES = 2 * 1024 * 1024;
/** Fewer values than a text may have different shapes of, so that nothing has to count those. */
const MAX_MARKS = 150_000;
/** So many records in which hardly any is an event are a part by themselves, and so much of what is refused is held at once. */
const MAX_RECORDS = 100_000;
const MAX_REFUSED_CHARACTERS = 8 * 1024 * 1024;

/**
 * Cuts a file into batches, from a place between two of them on; of a file that is damaged, what stands before that. `received` is when the
 * import began, microseconds since 1970.
 */
export async function* batchesOf(file: OpenFile, place: Place, received: bigint): AsyncGenerator<Batch> {
  let batch = newBatch(place);
  let fault: unknown;
  try {
    for await (const records of file.records(place)) {
      for (const record of records) {
        const verdict = verdictOf(record, received);
        if (batch.records > 0 && !hasRoom(batch, verdict)) {
          yield finished(batch);
          batch = newBatch(batch.to);
        }
        add(batch, record, verdict);
      }
    }
  } catch (thrown) {
    fault = thrown;
  }
  if (batch.records > 0) yield finished(batch);
  if (fault !== undefined) throw fault;
}

/** What becomes of a record. */
export const verdictOf = ({ said, written }: ReadRecord, received: bigint): Verdict => {
  if (said instanceof NoEvent) return { kind: "rejected", reason: said.message };
  try {
    return acceptEvent(said, written, received);
  } catch (thrown) {
    const reason = refusalOf(thrown);
    if (reason === undefined) throw thrown;
    return { kind: "rejected", reason };
  }
};

interface OpenBatch {
  to: Place;
  records: number;
  leftOut: number;
  readonly rejects: Reject[];
  refusedCharacters: number;
  readonly days: Map<number, number>;
  first: number;
  readonly parts: Uint8Array[];
  bytes: number;
  marks: number;
}

const newBatch = (to: Place): OpenBatch => ({
  ...{ to, records: 0, leftOut: 0, rejects: [], refusedCharacters: 0, days: new Map(), first: 0, parts: [], bytes: 0, marks: 0 },
});

const hasRoom = ({ parts, bytes, marks, records, refusedCharacters }: OpenBatch, verdict: Verdict): boolean => {
  if (records >= MAX_RECORDS || refusedCharacters >= MAX_REFUSED_CHARACTERS) return false;
  if (verdict.kind !== "event" || parts.length === 0) return true;
  return parts.length < MAX_EVENTS && bytes + verdict.bytes.length <= MAX_BYTES && marks + verdict.marks <= MAX_MARKS;
};

const add = (batch: OpenBatch, { line, end, text }: ReadRecord, verdict: Verdict): void => {
  batch.to = { offset: end, line };
  batch.records += 1;
  if (verdict.kind === "left out") batch.leftOut += 1;
  else if (verdict.kind === "rejected") {
    const own = text();
    batch.rejects.push({ line, reason: verdict.reason, text: own });
    batch.refusedCharacters += own.length;
  } else {
    if (batch.parts.length === 0) batch.first = line;
    batch.parts.push(verdict.bytes);
    batch.bytes += verdict.bytes.length + 1;
    batch.marks += verdict.marks;
    const day = countedDay(verdict.day);
    batch.days.set(day, (batch.days.get(day) ?? 0) + 1);
  }
};

const finished = ({ to, records, leftOut, rejects, days, first, parts, bytes }: OpenBatch): Batch => {
  const text = parts.length === 0 ? undefined : listOf(parts, bytes);
  return {
    to,
    records,
    leftOut,
    rejects,
    days,
    events: parts.length,
    first,
    text,
    digest: text === undefined ? "" : hash("sha256", text, "hex"),
  };
};

const [OPEN, COMMA, CLOSE] = [0x5b, 0x2c, 0x5d];

const listOf = (parts: readonly Uint8Array[], bytes: number): Buffer => {
  const list = Buffer.allocUnsafeSlow(bytes + 1);
  let at = 0;
  for (const part of parts) {
    list[at] = at === 0 ? OPEN : COMMA;
    list.set(part, at + 1);
    at += part.length + 1;
  }
  list[at] = CLOSE;
  return list;
};
