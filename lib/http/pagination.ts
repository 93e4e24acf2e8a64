import * as z from "zod";
import { jsonTextBytes } from "../core/reply-size.ts";
import type { HttpRequest } from "./request.ts";

/** Rows of a page when the client names no number that counts. */
const DEFAULT_LIMIT = 100;

/** The most rows of a page: an answer stays below what the gateway carries. */
const MAX_LIMIT = 1_000;

const WHOLE = /^\s*\+?\d+\s*$/;

const bounded = (text: string | undefined, otherwise: number, max: number): number => {
  const number = text !== undefined && WHOLE.test(text) ? Number(text) : 0;
  return number > 0 ? Math.min(number, max) : otherwise;
};

/** The query of a paginated list; further parameters by `.extend`. Never an error: what does not count is the default. */
export const PageQuery = z.object({
  limit: z
    .string()
    .optional()
    .transform((limit) => bounded(limit, DEFAULT_LIMIT, MAX_LIMIT))
    .meta({
      type: "integer",
      minimum: 1,
      maximum: MAX_LIMIT,
      description: `Entries of a page; ${DEFAULT_LIMIT} when left out, no number or below 1.`,
    }),
  offset: z
    .string()
    .optional()
    .transform((offset) => bounded(offset, 0, Number.MAX_SAFE_INTEGER))
    .meta({
      type: "integer",
      minimum: 0,
      description: "Entries of the list to pass over before the page begins; 0 when left out.",
    }),
});

/** The query of a list that is read by numbers of pages. Never an error: what does not count is the default. */
export const NumberedPageQuery = z.object({
  limit: z
    .string()
    .optional()
    .transform((limit) => bounded(limit, DEFAULT_LIMIT, DEFAULT_LIMIT))
    .meta({ type: "integer", minimum: 1, maximum: DEFAULT_LIMIT, description: `Entries of a page; ${DEFAULT_LIMIT} when left out.` }),
  page: z
    .string()
    .optional()
    .transform((number) => bounded(number, 1, Number.MAX_SAFE_INTEGER))
    .meta({ type: "integer", minimum: 1, description: "Number of the page; 1 when left out." }),
});

export interface Window {
  readonly limit: number;
  readonly offset: number;
}

/** The reply schema of a paginated list, named after its items where they have a name. */
export const paginated = <S extends z.ZodType>(item: S) => {
  const name = z.globalRegistry.get(item)?.id;
  const list = z.object({ count: z.int(), next: z.url().nullable(), previous: z.url().nullable(), results: z.array(item) });
  return name === undefined ? list : list.meta({ id: `Paginated${name}List` });
};

/** The most bytes of rows in one page, as they are carried; below what a function may answer, however long one row is. */
export const MAX_PAGE_BYTES = 4_000_000;

/**
 * A page as sent, with the addresses of its neighbours: the same address, its other parameters kept, names in order. Rows past
 * `MAX_PAGE_BYTES` are left to the next page, which begins with them. `reached`: where the rows end, if that is before the window's end.
 */
export const page = <T>(
  request: HttpRequest,
  { limit, offset }: Window,
  count: number,
  rows: readonly T[],
  reached: number = offset + limit,
) => {
  const results = withinBytes(rows);
  const end = results.length < rows.length ? offset + results.length : reached;
  return {
    count,
    next: end < count ? address(request, limit, end) : null,
    previous: offset > 0 ? address(request, limit, offset - limit) : null,
    results,
  };
};

/** A numbered page as sent, with the addresses of its neighbours. Its rows are small enough that the most of them fit an answer. */
export const numberedPage = <T>(
  request: HttpRequest,
  { limit, page: number }: { readonly limit: number; readonly page: number },
  count: number,
  rows: readonly T[],
) => ({
  count,
  next:
    number * limit < count
      ? addressOf(request, NUMBERED, [
          ["limit", limit],
          ["page", number + 1],
        ])
      : null,
  previous:
    number > 1
      ? addressOf(request, NUMBERED, [
          ["limit", limit],
          ["page", number - 1],
        ])
      : null,
  results: [...rows],
});

/** As many of the first rows as fit, and at least one. */
const withinBytes = <T>(rows: readonly T[]): T[] => {
  let bytes = 0;
  const beyond = rows.findIndex((row, at) => {
    bytes += jsonTextBytes(JSON.stringify(row));
    return at > 0 && bytes > MAX_PAGE_BYTES;
  });
  return rows.slice(0, beyond < 0 ? rows.length : beyond);
};

const address = (request: HttpRequest, limit: number, offset: number): string =>
  addressOf(request, WINDOWED, [["limit", limit], ...(offset > 0 ? [["offset", offset] as const] : [])]);

/** The request's own address with other values of the parameters that say which page. */
const addressOf = (request: HttpRequest, own: ReadonlySet<string>, values: readonly (readonly [string, number])[]): string => {
  const kept = request.query.filter(([name]) => !own.has(name));
  const pairs: readonly (readonly [string, string])[] = [...kept, ...values.map(([name, value]) => [name, String(value)] as const)];
  const query = new URLSearchParams();
  for (const [name, value] of pairs.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) query.append(name, value);
  return `${request.origin}${request.path}?${query}`;
};

/** The page's own parameters. */
const WINDOWED: ReadonlySet<string> = new Set(["limit", "offset"]);
const NUMBERED: ReadonlySet<string> = new Set(["limit", "page"]);
