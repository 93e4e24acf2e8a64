import { Defect } from "../../core/unreachable.ts";
import { QueryError } from "../errors.ts";
import type { EventColumn, Parameter, StateScan } from "../lowered.ts";
import type { Expr } from "../syntax/ast.ts";
import { type Zone, zoneOf } from "../time/zone.ts";
import type { Expression, Known } from "./expression.ts";
import { type Extracts, newExtraction } from "./extraction.ts";
import { type EventBounds, type EventDraft, rangeOf, type ScanDraft, type StateDraft, unbounded } from "./scans.ts";
import { BOOLEAN, FLOAT, NULL, STRING, type Type, UINT8, UINT16, UINT32, UINT64 } from "./types.ts";

export type PropertyType = "String" | "Numeric" | "Boolean" | "DateTime";
/** Whose property it is; groups by slot. */
export type PropertyOwner = "event" | "person" | "group_0" | "group_1" | "group_2" | "group_3" | "group_4";

/** What `{filters}`, `{filters.dateRange.from}` and `{filters.dateRange.to}` stand for, over the table of the query they are in. */
export interface FilterExpressions {
  readonly condition: Expr;
  /** NULL when there is no such bound. */
  readonly from: Expr | null;
  readonly to: Expr | null;
}

/** What a query is lowered for. */
export interface LowerOptions {
  readonly project: number;
  /** IANA name. */
  readonly timezone: string;
  /** Milliseconds since 1970: what `now()` is. */
  readonly now: number;
  /** By code_name: a value for every variable the query uses. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** The stored query's `values`: what `{name}` stands for. */
  readonly values?: Readonly<Record<string, unknown>> | null;
  /** What `{filters}` stands for: when absent, for true. */
  readonly filters?: FilterExpressions;
  readonly propertyType?: (owner: PropertyOwner, name: string) => PropertyType | undefined;
  /** Names of the group types, by slot. */
  readonly groupTypes?: readonly string[];
  readonly page: { readonly limit: number; readonly offset: number } | null;
  /** Most rows that a run may return, and how many it does when the text has no LIMIT. */
  readonly maxRows?: number;
  readonly defaultRows?: number;
  /** The query is only checked: its variables have no values yet. */
  readonly checking?: true;
}

/** Most relations of one query, after every CTE has been put in where it is used. */
const MAX_SCANS = 64;

/** Most queries, subqueries and uses of a CTE: two uses of the one before, again and again, double each time. */
const MAX_QUERIES = 256;

/** Deepest chain of expressions, through the aliases and values that they name. */
const MAX_CHAIN = 600;

/** Most parts of one query, after every alias and CTE has been put in where it is used: names that name others twice grow without bound. */
const MAX_PARTS = 100_000;
/** Longest text of one part, and of all parts together, in characters; a part counts again in each part that holds it. */
const MAX_TEXT = 2_000_000;
const MAX_TEXTS = 50_000_000;

/** The state of one lowering: parameters, scans and texts that are settled last. Used once. */
export interface Run {
  readonly options: LowerOptions;
  readonly zone: Zone;
  /** Text that stands for a value. Equal values share a parameter, so that equal expressions have equal text. */
  bind(value: Parameter): string;
  /** A constant of the query. */
  known(value: Known, type: Type): Expression;
  events(follows?: EventBounds): EventDraft;
  state(kind: StateScan["kind"]): StateDraft;
  fresh(prefix: string): string;
  /** Counts a query that is lowered. Throws `QueryError` when they are too many. */
  countQuery(): void;
  /** Lowers an expression one step deeper. Throws `QueryError` when the chain is too long. */
  within(lower: () => Expression): Expression;
  /** What is read from the JSON of a table that stands in FROM as `from` says. */
  extracts(name: string, table: string, joined: boolean): Extracts;
  /** The text of a condition of WHERE. */
  asFilter(sql: string): string;
  /** Counts a part of the query, and hands back its text unless that has grown too long. Throws `QueryError`. */
  grown(sql: string): string;
  /** Text that depends on what is only known once all is lowered, such as a scan's range. */
  defer(key: string, text: () => string): string;
  /** How many deferred texts stand in one another within this text. */
  deferredDepth(sql: string): number;
  /** The bounds as known so far, those it follows included. */
  rangeOf(bounds: EventBounds): EventBounds;
  /** A number that tells these bounds from others of this run. */
  numberOf(bounds: EventBounds): number;
  /** Replaces what was deferred, and numbers the parameters that are left. */
  settle(sql: string): { readonly sql: string; readonly parameters: readonly Parameter[] };
  readonly scans: readonly ScanDraft[];
  /** code_names that the query used. */
  readonly variables: Set<string>;
  /** Notes that the result depends on the time of the run. */
  askNow(): bigint;
  readonly askedNow: () => boolean;
}

export const newRun = (options: LowerOptions): Run => {
  const parameters: Parameter[] = [];
  const numbers = new Map<string, number>();
  const deferred: (() => string)[] = [];
  const settled = new Map<string, string>();
  const deferredKeys = new Map<string, number>();
  const depths: number[] = [];
  const deferredDepth = (sql: string): number => {
    let depth = 0;
    for (const [, index] of sql.matchAll(/@(\d+)@/g)) depth = Math.max(depth, depths[Number(index)] ?? 0);
    return depth;
  };
  const scans: ScanDraft[] = [];
  const counts = new Map<string, number>();
  let asked = false;
  const extraction = newExtraction();
  let queries = 0;
  let chain = 0;
  let parts = 0;
  let texts = 0;
  const bind = (value: Parameter): string => {
    const key = `${typeof value}:${String(value)}`;
    const number = numbers.get(key) ?? parameters.push(value) - 1;
    numbers.set(key, number);
    return `$${number}$`;
  };
  const add = <D extends ScanDraft>(draft: D): D => {
    if (scans.length >= MAX_SCANS) throw new QueryError("too_complex", `The query reads more than ${MAX_SCANS} tables.`);
    scans.push(draft);
    return draft;
  };
  const settleDeferred = (sql: string): string =>
    sql.replace(/@(\d+)@/g, (_, index: string) => {
      const text = deferred[Number(index)];
      if (text === undefined) throw new Defect("a deferred text is missing");
      const known = settled.get(index) ?? settleDeferred(text());
      settled.set(index, known);
      return known;
    });
  const fresh = (prefix: string): string => {
    const count = (counts.get(prefix) ?? 0) + 1;
    counts.set(prefix, count);
    return `${prefix}${count}`;
  };
  const grown = (sql: string): string => {
    parts += 1;
    texts += sql.length;
    if (parts > MAX_PARTS || sql.length > MAX_TEXT || texts > MAX_TEXTS) {
      throw new QueryError("too_complex", "The query is too long once its aliases and WITH queries are put in where they are used.");
    }
    return sql;
  };
  return {
    options,
    zone: zoneOf(options.timezone),
    bind,
    known: (value, type) => ({ sql: constantSql(bind, value, type), type, nullable: value === null, known: value }),
    events: (follows) =>
      add({
        kind: "events",
        name: fresh("scan_"),
        columns: new Set<EventColumn>(),
        bounds: unbounded(),
        bounded: null,
        follows: follows ?? null,
      }),
    state: (kind) => add({ kind, name: fresh("scan_"), columns: new Set<string>() }),
    fresh,
    countQuery: () => {
      queries += 1;
      if (queries > MAX_QUERIES)
        throw new QueryError("too_complex", `The query has more than ${MAX_QUERIES} subqueries, those of its CTEs counted at each use.`);
    },
    within: (lower) => {
      if (chain >= MAX_CHAIN)
        throw new QueryError("too_complex", `An expression of the query is more than ${MAX_CHAIN} steps deep, its aliases counted.`);
      chain += 1;
      const lowered = lower();
      chain -= 1;
      return lowered;
    },
    extracts: (name, table, joined) => extraction.open(name, table, joined),
    asFilter: (sql) => extraction.alone(sql),
    grown,
    defer: (key, text) => {
      const index = deferredKeys.get(key) ?? deferred.push(text) - 1;
      deferredKeys.set(key, index);
      depths[index] ??= 1 + deferredDepth(key);
      return `@${index}@`;
    },
    deferredDepth,
    rangeOf: (bounds) => {
      const draft = scans.find((scan) => scan.kind === "events" && scan.bounds === bounds);
      return draft?.kind === "events" ? rangeOf(draft) : bounds;
    },
    numberOf: (bounds) => scans.findIndex((scan) => scan.kind === "events" && scan.bounds === bounds),
    settle: (sql) => {
      const used: Parameter[] = [];
      const renumbered = new Map<string, number>();
      const text = grown(extraction.settle(settleDeferred(sql))).replace(/\$(\d+)\$/g, (_, index: string) => {
        const known = renumbered.get(index) ?? used.push(parameters[Number(index)] ?? null);
        renumbered.set(index, known);
        return `$${known}`;
      });
      return { sql: text, parameters: used };
    },
    scans,
    variables: new Set(),
    askNow: () => {
      asked = true;
      return BigInt(Math.floor(options.now)) * 1000n;
    },
    askedNow: () => asked,
  };
};

const constantSql = (bind: (value: Parameter) => string, value: Known, type: Type): string => {
  if (value === null) return "NULL";
  if (typeof value === "boolean") return value ? "true" : "false";
  switch (type.kind) {
    case "date":
      return `(DATE '1970-01-01' + ${bind(value)}::INTEGER)`;
    case "datetime":
      return `make_timestamptz(${bind(value)}::BIGINT)`;
    case "float":
      return `${bind(value)}::DOUBLE`;
    case "integer":
      return `${bind(value)}::${type.wide ? "UBIGINT" : "BIGINT"}`;
    case "interval":
      return `${bind(value)}::BIGINT`;
    case "uuid":
      return `${bind(value)}::UUID`;
    default:
      return `${bind(value)}::VARCHAR`;
  }
};

/** The constant that a literal of the text, or a plain JSON value, stands for. */
export const literal = (run: Run, value: string | number | boolean | null): Expression => {
  if (value === null) return run.known(null, NULL);
  if (typeof value === "string") return run.known(value, STRING);
  if (typeof value === "boolean") return run.known(value, BOOLEAN);
  if (!Number.isSafeInteger(value)) return run.known(value, FLOAT);
  return run.known(BigInt(value), integerType(BigInt(value)));
};

/** The narrowest type of ClickHouse that holds the integer. */
export const integerType = (value: bigint): Type => {
  if (value < 0n) {
    const bits = value >= -128n ? 8 : value >= -32768n ? 16 : value >= -2147483648n ? 32 : 64;
    return { kind: "integer", name: `Int${bits}` };
  }
  if (value < 256n) return UINT8;
  if (value < 65536n) return UINT16;
  if (value < 4294967296n) return UINT32;
  return value > 9223372036854775807n ? { ...UINT64, kind: "integer", name: "UInt64", wide: true } : UINT64;
};
