import { createHash } from "node:crypto";
import { DAY_US } from "../../core/time.ts";
import { Defect } from "../../core/unreachable.ts";
import type { EnginePorts } from "../../engine/engine.ts";
import type { Ast, Expr, Select } from "../../hogql/ast.ts";
import { call, compare, constant, every, field, from, select, some, unionAll } from "../../hogql/build.ts";
import { QueryError } from "../../hogql/errors.ts";
import { LOWERING, lower } from "../../hogql/lower.ts";
import type { EventScan, LoweredQuery } from "../../hogql/lowered-query.ts";
import type { LowerOptions, StoredTable } from "../../hogql/options.ts";
import { INT64 } from "../../hogql/types.ts";
import { within } from "../../insight/dates.ts";
import type { PinnedState } from "../../lake/catalogue.ts";
import type { EngineChoice } from "../definition.ts";
import type { MaterialisedTable } from "../materialisations.ts";
import { pinFor, readsState } from "../query/pin-for.ts";
import { packAst } from "../query/stored-ast.ts";
import { type DayInputs, dayInputs, dayStart, packDays, stretches, unpackDays } from "./days.ts";
import type { MadeTable } from "./runs.ts";
import type { Transform } from "./transform.ts";

/** More rows than these are no table to read in milliseconds, and as many bytes. */
const MAX_ROWS = 5_000_000;
const MAX_BYTES = 268_435_456;

/** Most bytes in an item beside the table: more than this would not fit. */
const MAX_PACKED_BYTES = 100_000;

/** Stretches of days that are made in one statement. */
const MAX_STRETCHES = 20;

/** For whom and when a table is made, and under which key. */
export interface Making {
  readonly key: string;
  readonly options: Omit<LowerOptions, "variables" | "page">;
  readonly before: MaterialisedTable | null;
  readonly engine: EngineChoice;
  readonly timeMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Makes a version's table from the events as they are now; of one that is made of days, only those days anew whose files changed. */
export const makeTable = async (world: EnginePorts, transform: Transform, making: Making): Promise<MadeTable> => {
  const options = { ...making.options, variables: {}, page: null, maxRows: MAX_ROWS + 1, defaultRows: MAX_ROWS + 1 };
  const whole = lower(transform.table, options).lowered;
  const pinned = await pinFor(world, options.project, [whole]);
  const days = daysToMake(transform, whole, pinned, making);
  const query =
    days === null ? whole : lower(daysQuery(transform, days, making), { ...options, tables: previous(transform, making) }).lowered;
  const { timeMs, engine, signal } = making;
  const { rows, bytes } = await world.engine.write(query, pinned, { timeMs, engine, signal }, making.key);
  if (rows > MAX_ROWS || bytes > MAX_BYTES) {
    await world.objects.remove([making.key]);
    throw new QueryError("query_too_large", TOO_LARGE);
  }
  return {
    kind: "rows",
    key: making.key,
    bytes,
    rows,
    columns: JSON.stringify(transform.columns),
    read: packAst(transform.read),
    variables: [...transform.variables],
    as_of: options.now,
    timezone: options.timezone,
    ...(days === null ? {} : packed(days)),
  };
};

const TOO_LARGE = `The table would have more than ${MAX_ROWS} rows or 256 MB. Select fewer columns, or group by fewer values.`;

interface Days {
  readonly definition: string;
  readonly inputs: DayInputs;
  readonly changed: readonly number[];
  /** Days of the table before that are kept as they are. */
  readonly kept: readonly number[];
}

const packed = ({ definition, inputs }: Days): { readonly pieces?: Uint8Array } => {
  const pieces = packDays(definition, inputs);
  return pieces.length > MAX_PACKED_BYTES ? {} : { pieces };
};

/** Null where the table is not made of days. */
const daysToMake = (transform: Transform, whole: LoweredQuery, pinned: PinnedState, { before, options }: Making): Days | null => {
  const scan = whole.scans.find((each): each is EventScan => each.kind === "events");
  if (transform.pieces === null || scan === undefined || !standsStill(transform, options)) return null;
  const inputs = dayInputs(pinned, scan, options.timezone, readsState([whole]));
  if (inputs === null) return null;
  const { timezone, values = null, filters = null, moved, issues } = options;
  const lists = [moved?.fingerprints.digest, moved?.issues.digest, issues?.digest];
  const parts = [LOWERING, transform.table, transform.columns, timezone, values, filters, lists];
  const definition = createHash("sha256").update(JSON.stringify(parts)).digest("base64");
  const known = unpackDays(before?.pieces, definition);
  const isKept = (day: number): boolean => inputs.get(day) === known.get(day);
  const changed = [...inputs.keys()].filter((day) => !isKept(day));
  return { definition, inputs, changed, kept: [...inputs.keys()].filter(isKept) };
};

/** Whether the moment moves no more than the first and last day: else a day's rows may change though its events do not. */
const standsStill = ({ table }: Transform, options: Making["options"]): boolean => {
  const textAt = (now: number): string => {
    const { sql, parameters } = lower(table, { ...options, now, variables: {}, page: null }).lowered;
    return JSON.stringify([sql, parameters.map(String)]);
  };
  return textAt(options.now) === textAt(options.now + Number(DAY_US / 1000n) + 1);
};

/** The name of the table before in the query that makes the next one. */
const PREVIOUS = "table_before";
const DAY_COLUMN = "day_of_piece";

const previous = ({ columns }: Transform, { before }: Making): ReadonlyMap<string, StoredTable> => {
  if (before === null) return new Map();
  const own = [...columns, { name: DAY_COLUMN, type: INT64, nullable: false }];
  return new Map([[PREVIOUS, { key: before.key, bytes: before.bytes, columns: own }]]);
};

/** Rows of the table before for the days that are kept, and of the events for the others. */
const daysQuery = ({ table, columns, plan }: Transform, { changed, kept }: Days, { options }: Making): Ast => {
  if (table.kind === "set" || plan === null) throw new Defect("only a query that was divided is made of days");
  const { isGrouped } = plan.flat;
  const runs = stretches(changed, MAX_STRETCHES);
  const isMade = (day: number): boolean => runs.some(([first, last]) => day >= first && day <= last);
  const made = dayByDay(runs).map(([first, last]) =>
    stretchQuery(table, isGrouped, first === last ? constantDay(first) : DAY, {
      from: dayStart(first, options.timezone),
      to: dayStart(last + 1, options.timezone),
    }),
  );
  const staying = stretches(
    kept.filter((day) => !isMade(day)),
    kept.length,
  );
  if (staying.length > 0) made.push(keptQuery(columns, staying));
  const [only, ...more] = made.length > 0 ? made : [stretchQuery(table, isGrouped, DAY, { from: 0n, to: 0n })];
  if (only === undefined) throw new Defect("a table is made of one stretch of days at least");
  return more.length === 0 ? only : unionAll(only, more);
};

/** The number of the day since 1970, by the project's clock. */
const DAY: Expr = call(
  "toInt",
  call("dateDiff", constant("day"), call("toDate", constant("1970-01-01")), call("toDate", field("timestamp"))),
);

/** A call, because a bare number in GROUP BY is the place of a column. */
const constantDay = (day: number): Expr => call("toInt", constant(day));

/** Days that are made each by itself: an hourly refresh makes today, a daily one yesterday too. */
const MAX_SINGLE_DAYS = 3;

/** A day by itself says its number without the column of times, which for most tables is the largest that they would read. */
const dayByDay = (runs: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] => {
  const days = runs.flatMap(([first, last]) =>
    Array.from({ length: Math.min(last - first, MAX_SINGLE_DAYS) + 1 }, (_, at) => [first + at, first + at] as const),
  );
  return days.length > MAX_SINGLE_DAYS ? runs : days;
};

const stretchQuery = (table: Select, isGrouped: boolean, day: Expr, range: { readonly from: bigint; readonly to: bigint }): Select => ({
  ...table,
  columns: [...table.columns, call("assumeNotNull", day)],
  where: every([...(table.where === null ? [] : [table.where]), ...within(range)]),
  groupBy: isGrouped ? [...(table.groupBy === null || table.groupBy === "all" ? [] : table.groupBy), day] : null,
});

const keptQuery = (columns: Transform["columns"], staying: readonly (readonly [number, number])[]): Select =>
  select([...columns.map(({ name }) => field(PREVIOUS, name)), field(PREVIOUS, DAY_COLUMN)], {
    from: from(PREVIOUS),
    where: some(
      staying.map(([first, last]) =>
        every([compare(">=", field(PREVIOUS, DAY_COLUMN), constant(first)), compare("<=", field(PREVIOUS, DAY_COLUMN), constant(last))]),
      ),
    ),
  });
