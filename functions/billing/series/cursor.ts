import { createHash } from "node:crypto";
import * as z from "zod";
import { canonicalJson } from "../../../lib/core/canonical-json.ts";
import { invalid } from "../../../lib/http/errors.ts";
import type { Line, Rank } from "./figures/lines.ts";
import type { SeriesQuery } from "./query.ts";

/** Where a page ended, and what it was a page of. The range travels along, so that pages asked for around midnight go together. */
const Cursor = z.object({
  v: z.literal(1),
  total: z.number(),
  type: z.string().nullable(),
  whose: z.union([z.int(), z.enum(["other", "organization"])]).nullable(),
  from: z.int(),
  to: z.int(),
  of: z.string(),
});
export type Cursor = z.output<typeof Cursor>;

/** The cursor behind the last line of a page. */
export const cursorAfter = (
  { total, type, whose }: Line,
  query: SeriesQuery,
  { from, to }: { readonly from: number; readonly to: number },
): string =>
  Buffer.from(JSON.stringify({ v: 1, total, type, whose, from, to, of: digestOf(query) } satisfies Cursor)).toString("base64url");

/** What a client gave back. Throws 400 for anything that is no cursor of this very question. */
export const readCursor = (text: string, query: SeriesQuery): Cursor & { readonly rank: Rank } => {
  const read = Cursor.safeParse(json(Buffer.from(text, "base64url").toString("utf8")));
  if (!read.success) throw invalid("after", "This is no cursor: send `next` of the page before as it came.");
  if (read.data.of !== digestOf(query)) throw invalid("after", "This cursor belongs to other parameters. Begin again without it.");
  const { total, type, whose } = read.data;
  return { ...read.data, rank: { total, type, whose } };
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
const digestOf = ({ after: _, page_size: __, ...rest }: SeriesQuery): string =>
  createHash("sha256").update(canonicalJson(rest)).digest("base64url").slice(0, DIGEST_CHARACTERS);
