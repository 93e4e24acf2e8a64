import type { Clock } from "../ports/system.ts";
import { ConditionFailed, Conflict, type Key, type Table, type Value, type Write } from "../ports/table.ts";
import { transact } from "./transact.ts";
import { unlessOvertaken } from "./versions.ts";

/**
 * A list that may have so many items, and the item of the table that keeps its length. Whoever adds to it counts in the same
 * transaction, on condition that there is room: so many at once make exactly as many as may be, and one that dies leaves nothing half.
 */
export interface BoundedList {
  readonly counter: Key;
  readonly most: number;
  /** What somebody is told who wants one more. */
  readonly full: string;
  /** How many items there are, by reading them: for a list that an earlier release began, which kept no length. */
  readonly recount: (table: Table) => Promise<number>;
}

interface Parts {
  readonly table: Table;
  readonly clock: Clock;
}

/** The list has as many items as it may. A request that wanted one more is answered 400 with the message. */
export class ListFull extends Error {
  override readonly name = "ListFull";
}

/** Tries while others add to the same list; the port waits between its own. */
const TRIES = 12;

/** A length that nobody has changed for so long can be held to the items themselves, which an index may show late. */
const SETTLED_MS = 60_000;

/**
 * Adds an item to a list: runs the writes that make it as one transaction with its count. Throws `ListFull`, and `ConditionFailed` with the
 * positions of the writes that failed.
 */
export const addToList = async (parts: Parts, list: BoundedList, writes: readonly Write[]): Promise<void> => {
  const counted = { ...lengthChange(parts, list, 1), when: { kind: "less", attribute: "count", value: list.most } } as const;
  for (let tries = 1; ; tries += 1) {
    try {
      return await parts.table.transact([...writes, counted]);
    } catch (error) {
      if (tries === TRIES || !(error instanceof Conflict || isOnlyAt(error, writes.length))) throw error;
      if (!(error instanceof Conflict) && !(await hasRoom(parts, list))) throw new ListFull(list.full);
    }
  }
};

/** Throws `ListFull` where a list has no room: before something that cannot be undone is done for an item of it. */
export const checkRoom = async (parts: Parts, list: BoundedList): Promise<void> => {
  if (!(await hasRoom(parts, list))) throw new ListFull(list.full);
};

/** Takes an item from a list: runs the writes that remove it as one transaction with its count. Throws `ConditionFailed`. */
export const takeFromList = async (parts: Parts, list: BoundedList, writes: readonly Write[]): Promise<void> =>
  transact(parts.table, [...writes, await countingIn(parts, list, -1)]);

/**
 * The write by which a transaction that adds or removes `by` items of a list counts them. It keeps to no bound: for what is taken, and
 * for what the operator adds.
 */
export const countingIn = async (parts: Parts, list: BoundedList, by: number): Promise<Write> => {
  const kept = await readLength(parts.table, list);
  if (kept.count === undefined) await keepLength(parts, list, kept);
  return lengthChange(parts, list, by);
};

const lengthChange = ({ clock }: Parts, { counter }: BoundedList, by: number) =>
  ({ kind: "update", key: counter, change: { add: { count: by }, set: { at: clock.now() } } }) as const;

const isOnlyAt = (error: unknown, position: number): boolean =>
  error instanceof ConditionFailed && error.failed.every((each) => each === position);

/**
 * Whether to try again, after a list looked full. One that has kept no length yet is counted first, and so is a length that was kept for
 * a while: something may have been removed by who did not count, such as an earlier release.
 */
const hasRoom = async (parts: Parts, list: BoundedList): Promise<boolean> => {
  const kept = await readLength(parts.table, list);
  const { count, at = 0 } = kept;
  if (count !== undefined && count < list.most) return true;
  if (count !== undefined && parts.clock.now() - at < SETTLED_MS) return false;
  const there = await keepLength(parts, list, kept);
  return there === undefined || there < list.most;
};

/** A length as it is kept, and when it was changed last; that of an earlier release does not say when. */
interface KeptLength {
  readonly count: number | undefined;
  readonly at: number | undefined;
}

const readLength = async (table: Table, { counter }: BoundedList): Promise<KeptLength> => {
  const kept = await table.get(counter, { consistent: true });
  return { count: numeric(kept?.count), at: numeric(kept?.at) };
};

const numeric = (value: Value | undefined): number | undefined => (typeof value === "number" ? value : undefined);

/** Keeps the length that the list has now and gives it; undefined where another length was kept since `before` was read. */
const keepLength = async ({ table, clock }: Parts, list: BoundedList, before: KeptLength): Promise<number | undefined> => {
  const count = await list.recount(table);
  const asBefore = (["count", "at"] as const).map((attribute) => {
    const value = before[attribute];
    return value === undefined ? ({ kind: "lacks", attribute } as const) : ({ kind: "equals", attribute, value } as const);
  });
  const isKept = await unlessOvertaken(() =>
    table.update(list.counter, { set: { count, at: clock.now() } }, { kind: "all", of: asBefore }),
  );
  return isKept ? count : undefined;
};
