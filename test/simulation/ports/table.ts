import {
  type Condition,
  ConditionFailed,
  Conflict,
  INDEXES,
  type IndexName,
  type Item,
  type Key,
  type Page,
  type Query,
  type Table,
  type Write,
} from "../../../lib/ports/table.ts";
import { acceptable, changed, frozen, holds, itemAfter } from "../../../lib/table/item-rules.ts";
import { INDEX_LAYOUT } from "../../../lib/table/layout.ts";
import { keyOfWrite, queryCall, readCall, type TableMeter, writeCall } from "../../support/table-meter/meter.ts";
import { indexEntry, itemBytes } from "../../support/table-meter/units.ts";
import { Ordered } from "./ordered.ts";

/** How often each weakness shows, as probabilities; all 0 gives a table that only keeps the port's promises. */
export interface TableFaults {
  /** A call throws before anything happened. */
  readonly throttled: number;
  /** A write is applied and its answer lost. */
  readonly lostAnswer: number;
  /** A single write's answer was lost and the client sent it again, conditions and all. */
  readonly repeated: number;
  /** A read that is not consistent sees an item as it was before its last write. */
  readonly stale: number;
  /** A page ends early, with a cursor. */
  readonly shortPage: number;
  /** Other actors run between two items of a query's page. */
  readonly interleaved: number;
  /** Index entries come up to so many table calls late. */
  readonly indexLagCalls: number;
}

const NO_FAULTS: TableFaults = { throttled: 0, lostAnswer: 0, repeated: 0, stale: 0, shortPage: 0, interleaved: 0, indexLagCalls: 0 };

export interface MemoryTableOptions {
  /** Awaited before each call, between pages and items of a query, and between the items of a transaction becoming visible. */
  readonly step?: (label: string) => Promise<void>;
  /** Numbers in [0, 1), from the simulation's seed. */
  readonly random?: () => number;
  readonly faults?: Partial<TableFaults>;
  readonly meter?: TableMeter;
  /** Told of each transaction at the moment from which single reads see it, whatever becomes of its caller and of the answer. */
  readonly transacted?: (writes: readonly Write[]) => void;
  /** Told of each write, and of each transaction as a whole, at that moment: the items as they were and as they are. */
  readonly changed?: (changes: readonly ItemChange[]) => void;
  /** With it queries see the whole of a transaction a second later, milliseconds. */
  readonly now?: () => number;
}

/** An item before a write and after it; undefined where there is none. */
export interface ItemChange {
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/** Thrown by an injected fault; `applied` says whether the write was done, which the code under test cannot know. */
export class TableFault extends Error {
  override readonly name = "TableFault";
  readonly applied: boolean;
  constructor(applied: boolean) {
    super("the table did not answer");
    this.applied = applied;
  }
}

export interface MemoryTable extends Table {
  /** Lets every late index entry arrive and ends the faults from here on: for checks after the storm. */
  settle(): void;
  /** Every item as single reads see it, for checks. */
  everything(): readonly Item[];
  /** One of them. */
  now(key: Key): Item | undefined;
}

/** DynamoDB's limits. */
const PAGE_BYTES = 1_048_576;
const MAX_ITEM_BYTES = 409_600;
const MAX_WRITES = 100;

/** How many table calls later an item reads the same everywhere. */
const STALE_CALLS = 20;

/** How many table calls later queries see a whole transaction although its caller was stopped in the middle and never goes on. */
const FLIGHT_CALLS = 20;
const FLIGHT_MS = 1_000;

/** An item as single reads see it, as queries see it, and as it was before its last write. */
interface Slot extends Key {
  now: Item | undefined;
  seen: Item | undefined;
  before: Item | undefined;
  writtenAt: number;
  /** Part of a transaction that queries do not see whole yet: other writers meet it. */
  inFlight: boolean;
  /** When that was written, where there is a clock. */
  writtenMs: number;
  /** When the last of its index changes is due: later ones of this item come no earlier. */
  indexDue: number;
}

interface LateEntry {
  readonly due: number;
  readonly slot: Slot;
  readonly item: Item | undefined;
}

/**
 * A table in memory, as weak as DynamoDB: single reads and writes are atomic and transactions too, but a query runs over items
 * that change while it reads, may see part of a transaction, and indexes lag. Everything else it does wrong comes from `faults`.
 */
export const memoryTable = (options: MemoryTableOptions = {}): MemoryTable => {
  const { random = () => 0.5, meter, step } = options;
  let faults = { ...NO_FAULTS, ...options.faults };
  let calls = 0;
  const slots = new Map<string, Ordered<Slot>>();
  const indexes: Record<IndexName, Map<string, Ordered<Item>>> = { gsi1: new Map(), gsi2: new Map(), due: new Map() };
  const placed = new Map<Slot, Item>();
  const late: LateEntry[] = [];
  const flights = new Set<Slot>();

  const happens = (rate: number): boolean => rate > 0 && random() < rate;

  const begin = async (label: string): Promise<void> => {
    if (step) await step(`table ${label}`);
    calls += 1;
    arrive(calls);
    const seenFrom = (options.now?.() ?? 0) - FLIGHT_MS;
    for (const slot of flights) if (calls - slot.writtenAt > FLIGHT_CALLS || slot.writtenMs < seenFrom) show(slot);
    if (happens(faults.throttled)) throw new TableFault(false);
  };

  const slotAt = (key: Key): Slot | undefined => slots.get(key.pk)?.at(key.sk);

  const slotFor = (key: Key): Slot => {
    const partition = slots.get(key.pk) ?? new Ordered<Slot>();
    slots.set(key.pk, partition);
    const found = partition.at(key.sk);
    if (found) return found;
    const slot: Slot = {
      pk: key.pk,
      sk: key.sk,
      now: undefined,
      seen: undefined,
      before: undefined,
      writtenAt: 0,
      inFlight: false,
      writtenMs: 0,
      indexDue: 0,
    };
    partition.add(key.sk, slot);
    return slot;
  };

  /** Puts an item's index entries where they belong now, and takes the old ones away. */
  const place = (slot: Slot, item: Item | undefined): void => {
    const old = placed.get(slot);
    for (const name of INDEXES) {
      const layout = INDEX_LAYOUT[name];
      const was = old && indexEntry(layout, old);
      if (was) indexes[name].get(String(was[layout.pk]))?.delete(indexKey(name, was));
      const is = item && indexEntry(layout, item);
      if (!is) continue;
      const pk = String(is[layout.pk]);
      const partition = indexes[name].get(pk) ?? new Ordered<Item>();
      indexes[name].set(pk, partition);
      partition.add(indexKey(name, is), is);
    }
    if (item) placed.set(slot, item);
    else placed.delete(slot);
  };

  const arrive = (until: number): void => {
    if (late.length === 0) return;
    const due = late.filter((entry) => entry.due <= until);
    if (due.length === 0) return;
    late.splice(0, late.length, ...late.filter((entry) => entry.due > until));
    for (const entry of due) place(entry.slot, entry.item);
  };

  /** Makes what single reads see visible to queries, and sends the index entries on their way. */
  const show = (slot: Slot): void => {
    slot.seen = slot.now;
    slot.inFlight = false;
    flights.delete(slot);
    const immediate = faults.indexLagCalls === 0;
    // A slot that late index entries or stale reads may still ask for stays, empty.
    if (slot.now === undefined && immediate && faults.stale === 0) slots.get(slot.pk)?.delete(slot.sk);
    if (immediate) {
      place(slot, slot.now);
      return;
    }
    slot.indexDue = Math.max(slot.indexDue, calls + Math.floor(random() * (faults.indexLagCalls + 1)));
    late.push({ due: slot.indexDue, slot, item: slot.now });
  };

  const write = (slot: Slot, item: Item | undefined): void => {
    slot.before = slot.now;
    slot.now = item;
    slot.writtenAt = calls;
    slot.writtenMs = options.now?.() ?? 0;
  };

  /** What a read that is not consistent may see. */
  const staleOr = (slot: Slot | undefined, item: Item | undefined): Item | undefined =>
    slot && calls - slot.writtenAt < STALE_CALLS && happens(faults.stale) ? slot.before : item;

  const single = async (
    kind: "put" | "update" | "remove",
    key: Key,
    when: Condition | undefined,
    next: (item: Item | undefined) => Item | undefined,
  ): Promise<Item | undefined> => {
    await begin(kind);
    const apply = (): Item | undefined => {
      const before = slotAt(key)?.now;
      if (slotAt(key)?.inFlight) throw new Conflict("a transaction is at the item");
      if (!holds(before, when)) {
        meter?.record(writeCall(kind, [[before, before]]));
        throw new ConditionFailed([0], before);
      }
      const after = next(before);
      if (after) withinLimits(after);
      const slot = slotFor(key);
      write(slot, after);
      show(slot);
      options.changed?.([{ before, after }]);
      meter?.record(writeCall(kind, [[before, after]]));
      return after;
    };
    let after = apply();
    if (happens(faults.repeated)) {
      if (step) await step(`table ${kind} again`);
      after = apply();
    }
    if (happens(faults.lostAnswer)) throw new TableFault(true);
    return after;
  };

  return {
    async get(key, readOptions) {
      await begin("get");
      const slot = slotAt(key);
      const consistent = readOptions?.consistent ?? false;
      const item = consistent ? slot?.now : staleOr(slot, slot?.now);
      meter?.record(readCall("get", [item], consistent));
      return item;
    },

    async getMany(keys, readOptions) {
      await begin("getMany");
      const consistent = readOptions?.consistent ?? false;
      const distinct = [...new Map(keys.map((key) => [JSON.stringify([key.pk, key.sk]), key])).values()];
      const items: (Item | undefined)[] = [];
      for (const key of distinct) {
        if (step && happens(faults.interleaved)) await step("table getMany item");
        const slot = slotAt(key);
        items.push(consistent ? slot?.now : staleOr(slot, slot?.now));
      }
      meter?.record(readCall("getMany", items, consistent));
      return items.filter((item) => item !== undefined);
    },

    async put(item, when) {
      const copy = frozen(item);
      await single("put", copy, when, () => copy);
    },

    async update(key, change, when) {
      const after = await single("update", key, when, (before) => changed(key, before, change));
      return after ?? Object.freeze({ ...key });
    },

    async remove(key, when) {
      await single("remove", key, when, () => undefined);
    },

    async query(query: Query): Promise<Page> {
      if (query.consistent && query.index !== undefined) throw new TypeError("an index has no consistent reads");
      if (query.limit !== undefined && query.limit < 1) throw new TypeError("a page has at least one item");
      await begin(query.cursor ? "query page" : "query");
      const items: Item[] = [];
      let bytes = 0;
      let cursor: string | null = query.cursor ?? null;
      for (;;) {
        if (step && happens(faults.interleaved)) await step("table query item");
        const found = query.index === undefined ? nextInTable(query, cursor) : nextInIndex(query, query.index, cursor);
        if (!found) {
          cursor = null;
          break;
        }
        cursor = found.at;
        if (found.item) {
          items.push(found.item);
          bytes += itemBytes(found.item);
        }
        if (items.length === query.limit || bytes >= PAGE_BYTES || happens(faults.shortPage)) break;
      }
      meter?.record(queryCall(items, query.consistent ?? false));
      return { items: query.countOnly ? [] : items, count: items.length, cursor };
    },

    async transact(writes) {
      if (writes.length === 0) return;
      if (writes.length > MAX_WRITES) throw new TypeError("too many writes in one transaction");
      await begin("transact");
      const keys = writes.map(keyOfWrite);
      if (new Set(keys.map((key) => JSON.stringify([key.pk, key.sk]))).size !== keys.length) {
        throw new TypeError("a transaction names an item twice");
      }
      const before = keys.map((key) => slotAt(key)?.now);
      const failed = writes.flatMap((each, at) => (holds(before[at], each.when) ? [] : [at]));
      if (failed.length > 0) {
        meter?.record(
          writeCall(
            "transact",
            before.map((item) => [item, item]),
          ),
        );
        throw new ConditionFailed(failed);
      }
      if (keys.some((key) => slotAt(key)?.inFlight)) throw new Conflict("another transaction is at one of the items");
      const after = writes.map((each, at) => itemAfter(each, before[at]));
      for (const item of after) if (item) withinLimits(item);
      meter?.record(
        writeCall(
          "transact",
          before.map((item, at) => [item, after[at]]),
        ),
      );
      const touched = writes.flatMap((each, at) => {
        if (each.kind === "check") return [];
        const slot = slotFor(each.kind === "put" ? each.item : each.key);
        write(slot, after[at]);
        slot.inFlight = step !== undefined;
        if (slot.inFlight) flights.add(slot);
        return [slot];
      });
      options.transacted?.(writes);
      options.changed?.(writes.map((_, at) => ({ before: before[at], after: after[at] })));
      try {
        for (const slot of step ? shuffled(touched, random) : touched) {
          if (step) await step("table transact item");
          show(slot);
        }
      } finally {
        // An actor that is killed here has committed all the same.
        for (const slot of touched) if (slot.inFlight) show(slot);
      }
      if (happens(faults.lostAnswer)) throw new TableFault(true);
    },

    settle() {
      for (const slot of flights) show(slot);
      arrive(Number.POSITIVE_INFINITY);
      faults = NO_FAULTS;
    },

    now: (key) => slotAt(key)?.now,

    everything: () => [...slots.values()].flatMap((partition) => partition.values().flatMap((slot) => slot.now ?? [])),
  };

  function nextInTable(query: Query, cursor: string | null): { readonly at: string; readonly item: Item | undefined } | undefined {
    const found = slots.get(query.pk)?.next(cursor, query.descending ?? false, bounds(query));
    if (!found) return undefined;
    const [at, slot] = found;
    return { at, item: query.consistent ? slot.seen : staleOr(slot, slot.seen) };
  }

  function nextInIndex(query: Query, index: IndexName, cursor: string | null): { readonly at: string; readonly item: Item } | undefined {
    const { from, to } = bounds(query);
    const found = indexes[index].get(query.pk)?.next(cursor, query.descending ?? false, { from, to: to + TABLE_KEY_END });
    return found && { at: found[0], item: found[1] };
  }
};

/** Separates an index's sort key from the table's key behind it; no key of ours holds it. */
const SEPARATOR = "\u0000";
const TABLE_KEY_END = `${SEPARATOR}\u{10ffff}`;
const LAST = "\u{10ffff}";

const indexKey = (name: IndexName, entry: Item): string =>
  `${String(entry[INDEX_LAYOUT[name].sk])}${SEPARATOR}${entry.pk}${SEPARATOR}${entry.sk}`;

const bounds = ({ sk }: Query): { readonly from: string; readonly to: string } => {
  if (sk === undefined) return { from: "", to: LAST };
  if ("prefix" in sk) return { from: sk.prefix, to: sk.prefix + LAST };
  return { from: sk.from ?? "", to: sk.to ?? LAST };
};

const withinLimits = (item: Item): void => {
  acceptable(item);
  if (itemBytes(item) > MAX_ITEM_BYTES) throw new TypeError("an item is larger than 400 KB");
};

const shuffled = <T>(all: readonly T[], random: () => number): readonly T[] =>
  all
    .map((each) => ({ each, at: random() }))
    .sort((left, right) => left.at - right.at)
    .map(({ each }) => each);
