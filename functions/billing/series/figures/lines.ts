import { USAGE_TYPES } from "../../../../lib/usage/identifiers.ts";
import { type Run, sumBetween } from "../../../../lib/usage/runs.ts";
import type { SeriesRequest } from "../query.ts";
import type { Amounts } from "./amounts.ts";

/** Whom a series is of: a project, those that `top_projects` folds together, the organization itself, or everybody. */
export type Whose = number | "other" | "organization" | null;

/** One series before its points are added up: what it is of, and what it comes to in the whole range. */
export interface Line {
  readonly type: string | null;
  readonly whose: Whose;
  readonly runs: readonly Run[];
  readonly total: number;
}

/** The series of a request, the largest first. */
export const rankedLines = (amounts: readonly Amounts[], request: SeriesRequest): readonly Line[] =>
  [...linesOf(amounts, request)].sort(ranked);

/** The series of a request in no order: of many, few may be shown. One that comes to nothing is left out. */
export const linesOf = (amounts: readonly Amounts[], request: SeriesRequest): readonly Line[] => {
  const folds = request.byProject && request.top !== null ? smallProjects(amounts, request, request.top) : undefined;
  if (request.byType && request.byProject && folds === undefined) return withTotals(amounts.map(ownLine), request);
  const found = new Map<Whose, Map<string | null, Run[]>>();
  for (const { project, type, runs } of amounts) {
    const own = request.byType ? type : null;
    const whose = request.byProject ? (project === null ? "organization" : folds?.has(project) ? "other" : project) : null;
    const lines = found.get(whose) ?? new Map<string | null, Run[]>();
    found.set(whose, lines);
    const known = lines.get(own);
    if (known === undefined) lines.set(own, [...runs]);
    else for (const run of runs) known.push(run);
  }
  const lines = [...found].flatMap(([whose, own]) => [...own].map(([type, runs]) => ({ type, whose, runs })));
  return withTotals(lines, request);
};

/** Without a breakdown there is one series wherever anything was used, also where what was asked for comes to nothing. */
export const withAggregate = (lines: readonly Line[], request: SeriesRequest, isUsed: () => boolean): readonly Line[] =>
  lines.length > 0 || request.byType || request.byProject || !isUsed() ? lines : [{ type: null, whose: null, runs: [], total: 0 }];

/** Amounts are of one project and type already. */
const ownLine = ({ project, type, runs }: Amounts): Omit<Line, "total"> => ({ type, whose: project ?? "organization", runs });

const withTotals = (lines: readonly Omit<Line, "total">[], request: SeriesRequest): readonly Line[] => {
  const counted: Line[] = [];
  for (const { type, whose, runs } of lines) {
    const total = totalOf(runs, request);
    if (total !== 0) counted.push({ type, whose, runs, total });
  }
  return counted;
};

/** The first lines in their order, without putting all of them in order. */
export const firstLines = (lines: readonly Line[], count: number): readonly Line[] => {
  const first: Line[] = [];
  for (const line of lines) {
    const last = first[count - 1];
    if (last !== undefined && ranked(last, line) <= 0) continue;
    first.splice(placeIn(first, line), 0, line);
    if (first.length > count) first.pop();
  }
  return first;
};

const placeIn = (sorted: readonly Line[], line: Line): number => {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = sorted[middle];
    if (other !== undefined && ranked(other, line) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** The order of series: by what they come to, then as types are listed, then by project. */
export const ranked = (one: Rank, other: Rank): number =>
  other.total - one.total || typeRank(one.type) - typeRank(other.type) || text(one.type, other.type) || whoseRank(one) - whoseRank(other);

export type Rank = Pick<Line, "type" | "whose" | "total">;

const TYPE_RANKS = new Map<string, number>(USAGE_TYPES.map((type, at) => [type, at]));

const typeRank = (type: string | null): number => (type === null ? 0 : (TYPE_RANKS.get(type) ?? TYPE_RANKS.size));
const text = (one: string | null, other: string | null): number => (one === other ? 0 : (one ?? "") < (other ?? "") ? -1 : 1);
const whoseRank = ({ whose }: Rank): number => (typeof whose === "number" ? whose : Number.MAX_SAFE_INTEGER - (whose === "other" ? 1 : 0));

const totalOf = (runs: readonly Run[], { from, to }: SeriesRequest): number => {
  let total = 0;
  for (const run of runs) total += sumBetween(run, from, to);
  return total;
};

/** The projects that are not among the largest. */
const smallProjects = (amounts: readonly Amounts[], request: SeriesRequest, top: number): ReadonlySet<number> => {
  const totals = new Map<number, number>();
  for (const { project, runs } of amounts) {
    if (project !== null) totals.set(project, (totals.get(project) ?? 0) + totalOf(runs, request));
  }
  const sorted = [...totals].filter(([, total]) => total !== 0).sort(([one, its], [other, others]) => others - its || one - other);
  return new Set(sorted.slice(top).map(([project]) => project));
};
