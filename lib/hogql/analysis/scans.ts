import type { EventColumn, Scan, StateScan } from "../lowered.ts";

/** What a query is known to need of the events of one scan. Narrowed while lowering; only sound bounds are ever put in. */
export interface EventBounds {
  from: bigint | null;
  to: bigint | null;
  events: readonly string[] | null;
  distinctIds: readonly string[] | null;
}

/** A scan under construction: columns are added as expressions name them. */
export type ScanDraft = EventDraft | StateDraft;

export interface EventDraft {
  readonly kind: "events";
  readonly name: string;
  readonly columns: Set<EventColumn>;
  readonly bounds: EventBounds;
  /** The name the scan has in the text, once conditions on its time were left to the scan; null while all stand in the text. */
  bounded: string | null;
  /** The scan reads the sessions of these bounds' events: their range, widened. */
  readonly follows: EventBounds | null;
}

export interface StateDraft {
  readonly kind: StateScan["kind"];
  readonly name: string;
  readonly columns: Set<string>;
}

export const unbounded = (): EventBounds => ({ from: null, to: null, events: null, distinctIds: null });

/** A session lasts at most a day, so its events lie within a day of any of them. */
const SESSION_WIDENING_US = 86_400_000_000n;

/** The finished form; called once the whole query is lowered. `sql` is its text, in which a column may have come to stand nowhere. */
export const finished = (draft: ScanDraft, sql: string): Scan => {
  if (draft.kind !== "events") return { kind: draft.kind, name: draft.name, columns: [...draft.columns] };
  const { from, to, events, distinctIds } = rangeOf(draft);
  const scan = { kind: "events", name: draft.name, from, to, events, distinctIds } as const;
  if (draft.bounded === null) return { ...scan, columns: [...draft.columns] };
  const timeIsRead = new RegExp(`\\b${draft.bounded}\\.timestamp\\b`).test(sql);
  const columns = [...draft.columns].filter((column) => column !== "timestamp" || timeIsRead);
  return { ...scan, columns, boundsAreExact: true };
};

/** The bounds of a scan, with those it follows. */
export const rangeOf = (draft: EventDraft): EventBounds => {
  const { bounds, follows } = draft;
  if (follows === null) return bounds;
  const from = follows.from === null ? null : follows.from - SESSION_WIDENING_US;
  const to = follows.to === null ? null : follows.to + SESSION_WIDENING_US;
  return { ...bounds, from: later(bounds.from, from), to: earlier(bounds.to, to) };
};

export const later = (a: bigint | null, b: bigint | null): bigint | null => (a === null ? b : b === null || a > b ? a : b);
export const earlier = (a: bigint | null, b: bigint | null): bigint | null => (a === null ? b : b === null || a < b ? a : b);
