import { DAY_US } from "../../core/time.ts";
import type { EarnedColumn } from "../../event/earned-properties.ts";
import type { EventScan, Scan, StateScan } from "../lowered-query.ts";
import type { StoredTable } from "../options.ts";
import type { RowList } from "../row-list.ts";
import type { Identifier } from "../sql/fragment.ts";

/** Bounds on the events that a query needs of one scan. Narrowed while lowering; only sound bounds are ever put in. */
export interface EventBounds {
  from: bigint | null;
  to: bigint | null;
  events: readonly string[] | null;
  distinctIds: readonly string[] | null;
}

/** A scan of a query that is being lowered. Which columns it reads is what the query's tree says in the end. */
export type PartialScan = PartialEventScan | PartialStateScan | PartialTableScan | PartialListScan;

export interface PartialEventScan {
  readonly kind: "events";
  readonly name: Identifier;
  readonly bounds: EventBounds;
  /** By their names, the columns of earned properties that were asked for. */
  readonly earned: Map<string, EarnedColumn>;
  /** Conditions on the time were left to the scan, which keeps to its bounds by itself. */
  bounded: boolean;
  first: EventScan["first"];
  /** The scan reads the sessions of these bounds' events: their range, widened. */
  readonly follows: EventBounds | null;
}

export interface PartialStateScan {
  readonly kind: StateScan["kind"];
  readonly name: Identifier;
  readonly earned: Map<string, EarnedColumn>;
}

export interface PartialTableScan {
  readonly kind: "table";
  readonly name: Identifier;
  readonly table: StoredTable;
}

export interface PartialListScan {
  readonly kind: "list";
  readonly name: Identifier;
  readonly list: RowList;
}

export const newBounds = (): EventBounds => ({ from: null, to: null, events: null, distinctIds: null });

/** A session lasts at most a day, so its events lie within a day of any of them. */
const SESSION_WIDENING_US = DAY_US;

/** The finished form, once the whole query is lowered: `columns` are those that its tree names. */
export const completeScan = (draft: PartialScan, columns: readonly string[]): Scan => {
  if (draft.kind === "table") return { kind: "table", name: draft.name.text, columns, key: draft.table.key, bytes: draft.table.bytes };
  if (draft.kind === "list") return { kind: "list", name: draft.name.text, columns, list: draft.list };
  const own = columns.filter((name) => !draft.earned.has(name));
  const asked = columns.flatMap((name) => draft.earned.get(name) ?? []);
  const earned = asked.length > 0 && { earned: asked };
  if (draft.kind !== "events") return { kind: draft.kind, name: draft.name.text, columns: own, ...earned };
  const { from, to, events, distinctIds } = effectiveBounds(draft);
  const scan = { kind: "events", name: draft.name.text, from, to, events, distinctIds, columns: eventColumns(own) } as const;
  return { ...scan, ...earned, ...(draft.bounded && { boundsAreExact: true }), ...(draft.first && { first: draft.first }) };
};

/** Names of columns of an event scan, those of earned properties aside: those of `eventColumn`, which takes no others. */
const eventColumns = (names: readonly string[]): EventScan["columns"] => names as EventScan["columns"];

/** The bounds of a scan, with those it follows. */
export const effectiveBounds = (draft: PartialEventScan): EventBounds => {
  const { bounds, follows } = draft;
  if (follows === null) return bounds;
  const from = follows.from === null ? null : follows.from - SESSION_WIDENING_US;
  const to = follows.to === null ? null : follows.to + SESSION_WIDENING_US;
  return { ...bounds, from: later(bounds.from, from), to: earlier(bounds.to, to) };
};

const later = (a: bigint | null, b: bigint | null): bigint | null => (a === null ? b : b === null || a > b ? a : b);
const earlier = (a: bigint | null, b: bigint | null): bigint | null => (a === null ? b : b === null || a < b ? a : b);
