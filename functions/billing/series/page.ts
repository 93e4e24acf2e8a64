import { invalid, standardError } from "../../../lib/http/errors.ts";
import { cursorAfter, readCursor } from "./cursor.ts";
import type { Buckets } from "./figures/buckets.ts";
import { firstLines, type Line, ranked } from "./figures/lines.ts";
import { checkSpan, type SeriesQuery, type SeriesRequest } from "./query.ts";

/** What is answered at once without paging. */
const MAX_SERIES = 1_000;
const MAX_POINTS = 50_000;
/** Points of a page at most: each stands with its date, and an answer has to pass the gateway. */
const MAX_PAGE_POINTS = 100_000;

/** Series to send, and with paging how many there are in all and where to go on. */
export interface Page {
  readonly lines: readonly Line[];
  readonly paging: { readonly next: string | null; readonly total_count: number } | null;
}

/** Throws 400 for paging without a breakdown by project. */
export const checkPaging = ({ page_size }: SeriesQuery, { byProject }: Pick<SeriesRequest, "byProject">): void => {
  if (page_size !== undefined && !byProject) throw invalid("page_size", "Paging needs a breakdown by project: add `team` to `breakdowns`.");
};

/** The range of the first page goes on through all of them. Throws 400. */
export const continued = (query: SeriesQuery, request: SeriesRequest): SeriesRequest => {
  if (query.page_size === undefined || query.after === undefined) return request;
  const { from, to } = readCursor(query.after, query);
  checkSpan(from, to);
  return { ...request, from, to };
};

/** The series of one answer. Throws 400 for more than are answered at once. */
export const pageOf = (lines: readonly Line[], query: SeriesQuery, request: SeriesRequest, buckets: Buckets): Page => {
  const points = buckets.dates.length;
  if (query.page_size === undefined) {
    if (lines.length > MAX_SERIES || lines.length * points > MAX_POINTS) throw tooLarge();
    return { lines: lines.toSorted(ranked), paging: null };
  }
  const behind = query.after === undefined ? lines : after(lines, query.after, query);
  const size = Math.min(query.page_size, Math.max(1, Math.floor(MAX_PAGE_POINTS / points)));
  const shown = firstLines(behind, size);
  const last = behind.length > size ? shown.at(-1) : undefined;
  return { lines: shown, paging: { next: last === undefined ? null : cursorAfter(last, query, request), total_count: lines.length } };
};

const after = (lines: readonly Line[], cursor: string, query: SeriesQuery): readonly Line[] => {
  const { rank } = readCursor(cursor, query);
  return lines.filter((line) => ranked(rank, line) < 0);
};

const tooLarge = () =>
  standardError(
    400,
    "invalid_request",
    "usage_breakdown_too_large",
    "This breakdown is too large for one answer. Ask for pages with `page_size`, or narrow it with `top_projects`, `team_ids` or dates.",
  );
