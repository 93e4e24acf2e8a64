import type { Cell } from "../../lib/engine/engine.ts";
import { NUMBERS, type NumberName } from "./numbers.ts";

/** One line of a breakdown, with its numbers; costs in nano-dollars. */
export type SpendRow = { readonly label: string } & Readonly<Record<NumberName, number>>;

const PARTS = ["all", "scoped", "product", "tool", "model", "day", "bucket", "size", "trace"] as const;
type Part = (typeof PARTS)[number];

/** The lines of each breakdown, the highest cost first. */
export type SpendRows = Readonly<Record<Part, readonly SpendRow[]>>;

/** Breakdowns whose lines are steps or sizes, told apart by their number. */
const BY_NUMBER: ReadonlySet<string> = new Set<Part>(["day", "bucket", "size"]);

/** The lines of all projects' answers, those of one name added up. */
export const spendRows = (answers: readonly (readonly (readonly Cell[])[])[]): SpendRows => {
  const found = new Map<string, { readonly part: string; readonly row: SpendRow }>();
  for (const [part = "", label, ...numbers] of answers.flat()) {
    const row = readRow(String(label ?? ""), numbers);
    const name = JSON.stringify([part, BY_NUMBER.has(String(part)) ? row.at : row.label]);
    const known = found.get(name);
    found.set(name, { part: String(part), row: known === undefined ? row : addRows(known.row, row, BY_NUMBER.has(String(part))) });
  }
  const of = (part: Part): readonly SpendRow[] =>
    [...found.values()]
      .filter((each) => each.part === part)
      .map(({ row }) => row)
      .sort((a, b) => b.cost - a.cost || (a.label < b.label ? -1 : 1));
  // Every part is there, which `fromEntries` cannot say.
  return Object.fromEntries(PARTS.map((part) => [part, of(part)])) as Record<Part, readonly SpendRow[]>;
};

/** One number for each name: `NUMBERS` holds all of them, which `fromEntries` cannot say. */
const everyNumber = (numberOf: (name: NumberName, at: number) => number): Readonly<Record<NumberName, number>> =>
  Object.fromEntries(NUMBERS.map((name, at) => [name, numberOf(name, at)])) as Record<NumberName, number>;

const readRow = (label: string, cells: readonly Cell[]): SpendRow => ({
  label,
  ...everyNumber((_, at) => {
    const value = cells[at];
    return typeof value === "number" ? value : 0;
  }),
});

/** A trace begins with its first generation; everything else is a sum. */
const addRows = (one: SpendRow, other: SpendRow, sameNumber: boolean): SpendRow => ({
  label: one.label,
  ...everyNumber((name) => (name !== "at" ? one[name] + other[name] : sameNumber ? one.at : Math.min(one.at, other.at))),
});
