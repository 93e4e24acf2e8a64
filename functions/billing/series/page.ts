import { createHash } from "node:crypto";
import * as z from "zod";
import { canonicalJson } from "../../../lib/core/canonical-json.ts";
import { invalid, standardError } from "../../../lib/http/errors.ts";
import { type Buckets, byRank, firstLines, type Line, type Rank } from "./lines.ts";
import { checkSpan, type SeriesQuery, type SeriesRequest } from "./query.ts";

/** Bounds of an answer without paging. */
const MAX_SERIES = 1_000;
const MAX_POINTS = 50_000;
/** Points of a page at most: each stands with its date, and an answer has to pass the gateway. */
const MAX_PAGE_POINTS = 100_000;

/** Series to send, and with paging how many there are in all and where to go on. */
export interface Page<A> {
  readonly lines: readonly Line<A>[];
  readonly paging: { readonly next: string | null; readonly total_count: number } | null;
}

/** Throws 400 for paging without a breakdown by project. */
export const checkPaging = ({ page_size }: SeriesQuery, { byProject }: Pick<SeriesRequest, "byProject">): void => {
  if (page_size !== undefined && !byProject) throw invalid("page_size", "Paging needs a breakdown by project: add `team` to `breakdowns`.");
};

/** The range of the first page goes on through all of them. Throws 400. */
export const withFirstRange = (query: SeriesQuery, request: SeriesRequest): SeriesRequest => {
  if (query.page_size === undefined || query.after === undefined) return request;
  const { from, to } = readCursor(query.after, query);
  checkSpan(from, to);
  return { ...request, from, to };
};

/** The series of one answer. Throws 400 for more than are answered at once. */
export const cutPage = <A>(lines: readonly Line<A>[], query: SeriesQuery, request: SeriesRequest, buckets: Buckets): Page<A> => {
  const points = buckets.dates.length;
  if (query.page_size === undefined) {
    if (lines.length > MAX_SERIES || lines.length * points > MAX_POINTS) throw tooLarge();
    return { lines: lines.toSorted(byRank), paging: null };
  }
  const behind = query.after === undefined ? lines : after(lines, query.after, query);
  const size = Math.min(query.page_size, Math.max(1, Math.floor(MAX_PAGE_POINTS / points)));
  const shown = firstLines(behind, size);
  const last = behind.length > size ? shown.at(-1) : undefined;
  return { lines: shown, paging: { next: last === undefined ? null : cursorAfter(last, query, request), total_count: lines.length } };
};

const after = <A>(lines: readonly Line<A>[], cursor: string, query: SeriesQuery): readonly Line<A>[] => {
  const { rank } = readCursor(cursor, query);
  return lines.filter((line) => byRank(rank, line) < 0);
};

const tooLarge = () =>
  standardError(
    400,
    "invalid_request",
    "usage_breakdown_too_large",
    "This breakdown is too large for one answer. Ask for pages with `page_size`, or narrow it with `top_projects`, `team_ids` or dates.",
  );

/** Where a page ended, and what it was a page of. The range travels along, so that pages asked for around midnight go together. */
const Cursor = z.object({
  v: z.literal(1),
  /** A count, or nano-dollars as text. */
  total: z.union([z.number(), z.string().regex(/^-?\d{1,40}$/)]),
  type: z.string().nullable(),
  whose: z.union([z.int(), z.enum(["other", "organization"])]).nullable(),
  from: z.int(),
  to: z.int(),
  of: z.string(),
});
type Cursor = z.output<typeof Cursor>;

/** The cursor behind the last line of a page. */
const cursorAfter = (
  { total, type, whose }: Rank,
  query: SeriesQuery,
  { from, to }: { readonly from: number; readonly to: number },
): string =>
  Buffer.from(
    JSON.stringify({
      v: 1,
      total: typeof total === "bigint" ? String(total) : total,
      type,
      whose,
      from,
      to,
      of: queryDigest(query),
    } satisfies Cursor),
  ).toString("base64url");

/** Reads a cursor that a client sent. Throws 400 for anything that is no cursor of this very question. */
const readCursor = (text: string, query: SeriesQuery): { readonly from: number; readonly to: number; readonly rank: Rank } => {
  const read = Cursor.safeParse(json(Buffer.from(text, "base64url").toString("utf8")));
  if (!read.success) throw invalid("after", "This is no cursor: send `next` of the page before as it came.");
  if (read.data.of !== queryDigest(query)) throw invalid("after", "This cursor belongs to other parameters. Begin again without it.");
  const { total, type, whose, from, to } = read.data;
  return { from, to, rank: { total: typeof total === "string" ? BigInt(total) : total, type, whose } };
};

const json = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const DIGEST_CHARACTERS = 22;

/** All that decides which series there are; how many are on a page does not. */
const queryDigest = ({ after: _, page_size: __, ...rest }: SeriesQuery): string =>
  createHash("sha256").update(canonicalJson(rest)).digest("base64url").slice(0, DIGEST_CHARACTERS);
