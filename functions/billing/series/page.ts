import * as z from "zod";
import type { World } from "../../../lib/app/world.ts";
import type { BillingGrant } from "../../../lib/auth/billing-access.ts";
import { jsonDigest } from "../../../lib/core/canonical-json.ts";
import { invalid, standardError } from "../../../lib/http/errors.ts";
import { type Amounts, type Buckets, knownSeries, type Line, ranked, type Series, type Whose } from "./lines.ts";
import { keepOrder, readOrder, type SeriesOrder } from "./order.ts";
import { checkSpan, type Measure, type SeriesQuery, type SeriesRequest } from "./query.ts";
import { isIn, type Scope } from "./scope.ts";

/** Bounds of an answer without paging. */
const MAX_SERIES = 1_000;
const MAX_POINTS = 50_000;
/** Points of a page at most: each stands with its date, and an answer has to pass the gateway. */
const MAX_PAGE_POINTS = 100_000;

/** Series to send, and with paging how many there are in all and where to go on. */
export interface Page<A> {
  readonly series: readonly Series<A>[];
  readonly paging: { readonly next: string | null; readonly total_count: number } | null;
}

/** Who asks what. */
export interface Question {
  readonly measure: Measure;
  readonly query: SeriesQuery;
  readonly grant: BillingGrant;
}

/** Where a further page goes on: a place in the order of the first one, with that one's range. */
export interface Continuation extends Pick<SeriesRequest, "from" | "to"> {
  readonly order: SeriesOrder;
  readonly place: number;
}

type Parts = Pick<World, "objects">;

/** Throws 400 for paging without a breakdown by project. */
export const checkPaging = ({ page_size }: SeriesQuery, { byProject }: Pick<SeriesRequest, "byProject">): void => {
  if (page_size !== undefined && !byProject) throw invalid("page_size", "Paging needs a breakdown by project: add `team` to `breakdowns`.");
};

/** The series of an answer without paging. Throws 400 for more than are answered at once. */
export const wholeAnswer = <A>(lines: readonly Line<A>[], { dates }: Buckets): Page<A> => {
  if (lines.length > MAX_SERIES || lines.length * dates.length > MAX_POINTS) throw tooLarge();
  return { series: ranked(lines), paging: null };
};

const tooLarge = () =>
  standardError(
    400,
    "invalid_request",
    "usage_breakdown_too_large",
    "This breakdown is too large for one answer. Ask for pages with `page_size`, or narrow it with `top_projects`, `team_ids` or dates.",
  );

/** The first page of many series. Where they do not all fit, it fixes the order of those after it. */
export const firstPage = async <A>(
  parts: Parts,
  question: Question,
  request: SeriesRequest,
  lines: readonly Line<A>[],
  size: number,
): Promise<Page<A>> => {
  const all = ranked(lines);
  const paging = { next: null, total_count: all.length };
  if (all.length <= size) return { series: all, paging };
  const order = await keepOrder(parts, question.grant.organization.id, questionDigest(question, request), all);
  return { series: all.slice(0, size), paging: { ...paging, next: cursorAt({ ...request, order, place: size }) } };
};

/** The page at a place of the order that the first one fixed, with the figures of now. */
export const furtherPage = <A>(amounts: readonly Amounts<A>[], request: SeriesRequest, at: Continuation, size: number): Page<A> => {
  const { order, place } = at;
  const largest = new Set(order.whose.filter((whose) => typeof whose === "number"));
  const end = place + size;
  return {
    series: knownSeries(amounts, request, order.slice(place, end), largest),
    paging: { next: end < order.length ? cursorAt({ ...at, place: end }) : null, total_count: order.length },
  };
};

/** Series of a page, at most. */
export const pageSize = (asked: number, { dates }: Buckets): number =>
  Math.min(asked, Math.max(1, Math.floor(MAX_PAGE_POINTS / dates.length)));

/** Where the page that a query asks for goes on; undefined for a first one. Throws 400 for anything that is no cursor of this very question. */
export const findContinuation = async (parts: Parts, question: Question, scope: Scope): Promise<Continuation | undefined> => {
  const { query, grant } = question;
  if (query.page_size === undefined || query.after === undefined) return undefined;
  const { order: name, place, seal, ...range } = readCursor(query.after);
  checkSpan(range.from, range.to);
  const order = await readOrder(parts, grant.organization.id, name);
  if (order === undefined) throw invalid("after", "The pages of this cursor are no longer kept. Begin again without it.");
  if (order.question !== questionDigest(question, range))
    throw invalid("after", "This cursor belongs to other parameters. Begin again without it.");
  if (order.seal(place) !== seal) throw noCursor();
  // What somebody may see can shrink between two pages.
  if (!order.whose.every((whose) => isVisible(whose, scope)))
    throw invalid("after", "Some projects of these pages are no longer shown to you. Begin again without it.");
  return { ...range, order, place };
};

const isVisible = (whose: Whose, scope: Scope): boolean =>
  typeof whose === "number" ? isIn(scope, whose) : whose !== "organization" || scope === "all";

/** The range travels along, so that pages asked for around midnight go together. */
const Cursor = z.object({
  v: z.literal(2),
  order: z.string().regex(/^[0-9a-f]{32}$/),
  place: z.int().min(0),
  from: z.int(),
  to: z.int(),
  seal: z.string(),
});
type Cursor = z.output<typeof Cursor>;

const cursorAt = ({ order, place, from, to }: Continuation): string => {
  const cursor: Cursor = { v: 2, order: order.name, place, from, to, seal: order.seal(place) };
  return Buffer.from(JSON.stringify(cursor)).toString("base64url");
};

const readCursor = (text: string): Cursor => {
  const read = Cursor.safeParse(json(Buffer.from(text, "base64url").toString("utf8")));
  if (!read.success) throw noCursor();
  return read.data;
};

const noCursor = () => invalid("after", "This is no cursor: send `next` of the page before as it came.");

const json = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** All that decides which series there are, and for whom; how many are on a page does not. */
const questionDigest = ({ measure, query, grant }: Question, { from, to }: Pick<SeriesRequest, "from" | "to">): string => {
  const { after: _, page_size: __, ...asked } = query;
  return jsonDigest({ organization: grant.organization.id, viewer: viewer(grant), measure, asked, from, to });
};

/** Everybody with full access sees the same; others see what is theirs. */
const viewer = ({ access, caller }: BillingGrant) =>
  access === "full" ? access : { user: caller.user.id, teams: caller.key.scoped_teams.toSorted((one, other) => one - other) };
