import { QueryError } from "../errors.ts";
import type { StateScan } from "../lowered-query.ts";
import type { LowerOptions, StoredTable } from "../options.ts";
import type { RowList } from "../row-list.ts";
import { type Identifier, ident } from "../sql/fragment.ts";
import { timeZone, type Zone } from "../time-zone.ts";
import type { Type } from "../types.ts";
import { known } from "./constants.ts";
import type { ConstantValue, Expression } from "./expression.ts";
import { type Limits, newLimits } from "./limits.ts";
import {
  type EventBounds,
  effectiveBounds,
  newBounds,
  type PartialEventScan,
  type PartialListScan,
  type PartialScan,
  type PartialStateScan,
  type PartialTableScan,
} from "./scans.ts";

/** Most relations of one query, after every CTE has been put in where it is used. */
const MAX_SCANS = 64;

/** The state of one lowering: what it is for, what it may take, and what it has found that the query reads. Used once. */
export interface LoweringContext extends Limits, PartialScans {
  readonly options: LowerOptions;
  readonly zone: Zone;
  /** A constant of the query. */
  known(value: ConstantValue, type: Type): Expression;
  /** A name that no other relation of the query has. */
  alias(prefix: string): Identifier;
  /** code_names that the query used. */
  readonly variables: Set<string>;
  /** Notes that the result depends on the time of the run. */
  askNow(): bigint;
  readonly askedNow: () => boolean;
}

interface PartialScans {
  events(follows?: EventBounds): PartialEventScan;
  state(kind: StateScan["kind"]): PartialStateScan;
  table(table: StoredTable): PartialTableScan;
  list(list: RowList): PartialListScan;
  /** The bounds as known so far, those it follows included. */
  effectiveBounds(bounds: EventBounds): EventBounds;
  readonly scans: readonly PartialScan[];
}

export const newContext = (options: LowerOptions): LoweringContext => {
  const alias = newAliases();
  return {
    options,
    zone: timeZone(options.timezone),
    known,
    alias,
    variables: new Set(),
    ...newLimits(),
    ...newPartialScans(alias),
    ...newClock(options.now),
  };
};

const newAliases = (): LoweringContext["alias"] => {
  const counts = new Map<string, number>();
  return (prefix) => {
    const count = (counts.get(prefix) ?? 0) + 1;
    counts.set(prefix, count);
    return ident(`${prefix}${count}`);
  };
};

const newPartialScans = (alias: LoweringContext["alias"]): PartialScans => {
  const scans: PartialScan[] = [];
  const add = <D extends PartialScan>(draft: D): D => {
    if (scans.length >= MAX_SCANS) throw new QueryError("too_complex", `The query reads more than ${MAX_SCANS} tables.`);
    scans.push(draft);
    return draft;
  };
  return {
    scans,
    events: (follows) =>
      add({
        kind: "events",
        name: alias("scan_"),
        bounds: newBounds(),
        earned: new Map(),
        bounded: false,
        first: undefined,
        follows: follows ?? null,
      }),
    state: (kind) => add({ kind, name: alias("scan_"), earned: new Map() }),
    table: (table) => add({ kind: "table", name: alias("scan_"), table }),
    list: (list) => add({ kind: "list", name: alias("scan_"), list }),
    effectiveBounds: (bounds) => {
      const draft = scans.find((scan) => scan.kind === "events" && scan.bounds === bounds);
      return draft?.kind === "events" ? effectiveBounds(draft) : bounds;
    },
  };
};

const newClock = (now: number): Pick<LoweringContext, "askNow" | "askedNow"> => {
  let asked = false;
  return {
    askNow: () => {
      asked = true;
      return BigInt(Math.floor(now)) * 1000n;
    },
    askedNow: () => asked,
  };
};
