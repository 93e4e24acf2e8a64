import { DAY_US } from "../../lib/core/time.ts";
import type { Random } from "../simulation/random.ts";
import type { AcceptedRow } from "./accepted.ts";
import type { Filter, Literal } from "./readers/reader.ts";

/** Conditions of the kinds that statistics and partitions prune by, drawn so that most of them leave some of the rows. */
export const randomFilters = (random: Random, rows: readonly AcceptedRow[]): readonly Filter[] => {
  const row = rows[random.int(0, rows.length - 1)];
  if (row === undefined) return [];
  const time = BigInt(String(row.timestamp));
  const day = time - (((time % DAY_US) + DAY_US) % DAY_US);
  const id = String(row.distinct_id);
  const [first = ""] = id;
  const ofDay: readonly Filter[] = [
    { column: "timestamp", is: ">=", value: { time: day } },
    { column: "timestamp", is: "<", value: { time: day + DAY_US } },
  ];
  const ofId: Filter = { column: "distinct_id", is: "=", value: id };
  const kinds: readonly [readonly Filter[], ...(readonly Filter[])[]] = [
    ofDay,
    [ofId],
    [...ofDay, ofId],
    [{ column: "distinct_id", is: "starts with", value: first }],
    [{ column: "distinct_id", is: ">=", value: id }],
    [{ column: "distinct_id", is: "<=", value: id }],
    [{ column: "event", is: "=", value: String(row.event) }, ...ofDay],
    [{ column: "event", is: "!=", value: String(row.event) }],
    [{ column: "timestamp", is: "=", value: { time } }],
    [{ column: "timestamp", is: "<", value: { time: 0n } }],
    [{ column: "timestamp", is: "<=", value: { time } }],
    [{ column: "timestamp", is: ">", value: { time } }],
    [{ column: "created_at", is: ">", value: { time: BigInt(String(row.created_at)) } }],
    [{ column: "hot_ai_product", is: "null" }],
    [{ column: "hot_ai_product", is: "not null" }],
    [{ column: "hot_ai_input_tokens", is: ">", value: 0 }],
    [{ column: "hot_ai_total_cost_usd", is: "<=", value: 0.5 }],
    [{ column: "hot_utm_source", is: "=", value: "ä" }],
    [{ column: "session_id", is: "null" }, ...ofDay],
  ];
  return random.pick(kinds);
};

/** Whether a row meets all conditions, as SQL has it: nothing is true of a missing value but that it is missing. */
export const meets = (row: AcceptedRow, filters: readonly Filter[]): boolean =>
  filters.every((filter) => isTrue(row[filter.column] ?? null, filter));

const isTrue = (value: AcceptedRow[string], filter: Filter): boolean => {
  if (filter.is === "null") return value === null;
  if (value === null) return false;
  if (filter.is === "not null") return true;
  if (filter.is === "starts with") return String(value).startsWith(filter.value);
  return ORDERS[filter.is](compare(value, filter.value));
};

/** What is true of a value that stands before (-1), at (0) or behind (1) another. */
const ORDERS: Readonly<Record<Extract<Filter, { value: Literal }>["is"], (order: number) => boolean>> = {
  "=": (order) => order === 0,
  "!=": (order) => order !== 0,
  "<": (order) => order < 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  ">=": (order) => order >= 0,
  "starts with": () => false,
};

/** Texts by their bytes in UTF-8, which is the order of every engine. */
const compare = (value: AcceptedRow[string], literal: Literal): number => {
  if (typeof literal === "string") return Buffer.compare(Buffer.from(String(value)), Buffer.from(literal));
  if (typeof literal === "number") return Number(value) - literal;
  const time = BigInt(String(value));
  return time < literal.time ? -1 : time > literal.time ? 1 : 0;
};
