import { least } from "../../../core/bigints.ts";
import type { Expression } from "../../analysis/expression.ts";
import { QueryError } from "../../errors.ts";
import { NOTHING, NULL_SQL, numeral, parameter, type Sql, separated, sql } from "../../sql/fragment.ts";
import { type Type, UINT8 } from "../../types.ts";
import type { AggregateCall } from "../spec.ts";
import { MAX_CONDITIONS, MAX_WINDOW, present, stepConditions, timeUnits } from "./sequence-rows.ts";

/** How a row of a funnel stands in a list: one number, its time in the higher bits, and in the lower which steps it may take. */
interface Coding {
  /** The number of a row, which orders rows by their times and rows of one time by their first step; NULL where it takes no step. */
  readonly code: Sql;
  readonly bits: number;
  /** A row may take more than one of the steps. */
  readonly mixed: boolean;
  /** Whether a coded row may take a step, counted from 1. */
  takes(code: Sql, step: number): Sql;
  /** An aggregate of codes that says whether some row may take the first step. */
  readonly starts: (code: Sql) => { readonly body: Sql; readonly holds: Sql };
}

/** Bits of a 64-bit number that the time takes: microseconds to the year 9999, or days. */
const TIMESTAMP_BITS = 58;
const DAY_BITS = 26;
const NUMBER_BITS = 63;

/**
 * How many steps were taken in their order within the window after the first; the steps of one row do not follow each other. Of the
 * rows that may take a step, only the first behind a chain that reached the step before matters, and of those chains only the one that
 * started last: a pair of neighbours in the sorted list of both. So each step looks at neighbours of a sorted list, and never goes
 * through rows one by one.
 */
export const windowFunnel = (call: AggregateCall): Expression => {
  const [time, ...rest] = call.args;
  const [window] = call.params;
  if (typeof window !== "bigint" || window < 0n)
    throw new QueryError("invalid_input", "The window of `windowFunnel` must be a whole number of seconds.");
  const { tree, units } = timeUnits(time, "windowFunnel");
  const steps = stepConditions(rest, MAX_CONDITIONS, "windowFunnel");
  const width = sql`${parameter(least(window, MAX_WINDOW) * units)}::BIGINT`;
  const coding = areApart(rest) ? apart(tree, steps, time?.type) : mixed(tree, steps, time?.type);
  // Said again in the same words, a row's number is computed once.
  const whole = separated([sql`${coding.code} IS NOT NULL`, ...present(call.args)], sql` AND `);
  const { body, holds } = coding.starts(coding.code);
  const started = sql`coalesce(${call.over(body, whole)}${holds}, false)`;
  const rows = sql`coalesce(${call.over(sql`list(${coding.code})`, whole)}, [])`;
  const further = (): Sql => {
    if (steps.length === 2) return secondStep(coding, rows, width);
    const of = (some: Sql): Sql => laterSteps(coding, sql`list_sort(${some})`, width, steps.length);
    return sql`CASE WHEN ${of(firstRows(rows))} = ${numeral(steps.length - 1)} THEN ${numeral(steps.length - 1)} ELSE ${of(rows)} END`;
  };
  const level = steps.length === 1 ? sql`1` : sql`1 + ${further()}`;
  return { tree: sql`CAST(CASE WHEN ${started} THEN ${level} ELSE 0 END AS BIGINT)`, type: UINT8, nullable: false };
};

/** Whether each condition wants other events than the rest, so that none holds of a row of which another one does. */
const areApart = (conditions: readonly Expression[]): boolean => {
  const [bounds] = conditions[0]?.facts?.filter(({ events }) => events !== undefined).map((fact) => fact.bounds) ?? [];
  const names = conditions.map(({ facts }) => facts?.find((fact) => fact.bounds === bounds && fact.events !== undefined)?.events);
  const all = names.flatMap((list) => list ?? []);
  return names.every((list) => list !== undefined) && new Set(all).size === all.length;
};

/** The low bits are the step's number, from 0 on. */
const apart = (time: Sql, steps: readonly Sql[], type: Type | undefined): Coding => {
  const bits = bitsFor(steps.length);
  const step = sql`CASE ${separated(
    steps.map((condition, index) => sql`WHEN ${condition} THEN ${numeral(index)}`),
    sql` `,
  )} END`;
  return {
    code: coded(time, type, bits, step),
    bits,
    mixed: false,
    takes: (code, number) => sql`(${code} & ${numeral(2 ** bits - 1)}) = ${numeral(number - 1)}`,
    starts: (code) => ({ body: sql`min(${code} & ${numeral(2 ** bits - 1)})`, holds: sql` = 0` }),
  };
};

/** The low bits are the number of the first step, and below it one bit for each step. */
const mixed = (time: Sql, steps: readonly Sql[], type: Type | undefined): Coding => {
  const most = steps.length;
  const bit = (number: number): number => 2 ** (most - number);
  const taken = separated(
    steps.map((condition, index) => sql`CASE WHEN ${condition} THEN ${numeral(bit(index + 1))} ELSE 0 END`),
    sql` + `,
  );
  const first = sql`CASE ${separated(
    steps.map((condition, index) => sql`WHEN ${condition} THEN ${numeral(index * 2 ** most)}`),
    sql` `,
  )} END`;
  const low = most > MAX_LISTED ? sql`${first} + ${taken}` : sql`list_extract([${separated(lowBits(most))}], ${taken} + 1)`;
  const bits = most + bitsFor(most);
  return {
    code: coded(time, type, bits, low),
    bits,
    mixed: true,
    takes: (code, number) => sql`(${code} & ${numeral(bit(number))}) <> 0`,
    starts: (code) => ({ body: sql`bool_or((${code} & ${numeral(bit(1))}) <> 0)`, holds: NOTHING }),
  };
};

/** For up to so many steps the low bits stand in a list by the bits of the steps, so that each condition is looked at once. */
const MAX_LISTED = 5;

const lowBits = (steps: number): readonly Sql[] =>
  Array.from({ length: 2 ** steps }, (_, taken) =>
    taken === 0 ? NULL_SQL : numeral((steps - 1 - Math.floor(Math.log2(taken))) * 2 ** steps + taken),
  );

const bitsFor = (numbers: number): number => Math.ceil(Math.log2(numbers));

const coded = (time: Sql, type: Type | undefined, bits: number, low: Sql): Sql => {
  const timeBits = type?.kind === "datetime" ? TIMESTAMP_BITS : type?.kind === "date" ? DAY_BITS : NUMBER_BITS;
  const wide = timeBits + bits > NUMBER_BITS;
  return sql`(${wide ? sql`CAST(${time} AS HUGEINT)` : time} * ${numeral(2 ** bits)} + ${low})`;
};

/** Pairs of neighbours, as structs without names. */
const neighbours = (list: Sql): Sql => sql`list_extract(list_transform([${list}], lambda p: list_zip(p, p[2:], true)), 1)`;

/** Of a group of many rows the first often are enough: what happens among some of the rows, happens. */
const FIRST_ROWS = 128;
const firstRows = (rows: Sql): Sql => sql`list_slice(${rows}, 1, ${numeral(FIRST_ROWS)})`;

/**
 * 1 if some row that takes the first step has one behind it that takes the second, else 0. Most rows come in the order of their times
 * already, so the first are looked at as they come, and only where they have no pair are all sorted and looked through.
 */
const secondStep = ({ takes, bits }: Coding, rows: Sql, width: Sql): Sql => {
  const holds = sql`${takes(sql`z[2]`, 2)} AND ${takes(sql`z[1]`, 1)} AND z[2] >= z[1] AND (z[2] >> ${numeral(bits)}) - (z[1] >> ${numeral(bits)}) <= ${width}`;
  const among = (list: Sql): Sql => sql`list_bool_or(list_transform(${neighbours(list)}, lambda z: ${holds}))`;
  return sql`CASE WHEN ${among(firstRows(rows))} THEN 1 WHEN ${among(sql`list_sort(${rows})`)} THEN 1 ELSE 0 END`;
};

/**
 * How many steps after the first were taken. `l` are the rows; `r` the chains that reached the step before, each by its place `o` in
 * the order of rows and by the time `s` at which it started; `n` counts steps. Where a row may take several steps it takes the later
 * one first, so that it does not follow itself: places are even, and a chain that a row lengthens comes right behind it.
 */
const laterSteps = (coding: Coding, rows: Sql, width: Sql, steps: number): Sql => {
  const { takes, bits } = coding;
  const list = coding.mixed ? sql`list_transform(${rows}, lambda x, i: {'i': CAST(i AS BIGINT), 'x': x})` : rows;
  const code = (row: Sql): Sql => (coding.mixed ? sql`${row}.x` : row);
  const place = (row: Sql): Sql => (coding.mixed ? sql`${row}.i * 2` : row);
  const behind = coding.mixed ? sql` + 1` : NOTHING;
  const time = (row: Sql): Sql => sql`(${code(row)} >> ${numeral(bits)})`;
  const firstTwo = sql`list_filter(b, lambda e: ${takes(code(sql`e`), 1)} OR ${takes(code(sql`e`), 2)})`;
  const second = sql`list_transform(list_filter(${neighbours(firstTwo)}, lambda z: ${takes(code(sql`z[1]`), 1)} AND ${takes(code(sql`z[2]`), 2)} AND ${time(sql`z[2]`)} - ${time(sql`z[1]`)} <= ${width}), lambda z: {'o': ${place(sql`z[2]`)}${behind}, 's': ${time(sql`z[1]`)}, 't': NULL})`;
  const begun = sql`list_transform([${list}], lambda b: {'l': b, 'r': ${second}, 'n': 0})`;
  const numbers = Array.from({ length: steps - 2 }, (_, index) => index + 3);
  const chained = numbers.reduce((before, number) => {
    const marks = sql`list_transform(list_filter(b.l, lambda e: ${takes(code(sql`e`), number)}), lambda e: {'o': ${place(sql`e`)}, 's': NULL, 't': ${time(sql`e`)}})`;
    const found = sql`list_filter(${neighbours(sql`list_sort(list_concat(b.r, ${marks}))`)}, lambda z: z[1].s IS NOT NULL AND z[2].t IS NOT NULL AND z[2].t - z[1].s <= ${width})`;
    const reached = sql`list_transform(${found}, lambda z: {'o': z[2].o${behind}, 's': z[1].s, 't': NULL})`;
    return sql`list_transform(${before}, lambda b: {'l': b.l, 'r': ${reached}, 'n': b.n + ${one(sql`b.r`)}})`;
  }, begun);
  return sql`list_extract(list_transform(${chained}, lambda b: b.n + ${one(sql`b.r`)}), 1)`;
};

const one = (chains: Sql): Sql => sql`CASE WHEN len(${chains}) > 0 THEN 1 ELSE 0 END`;
