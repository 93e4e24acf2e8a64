import { invalid } from "../../lib/http/errors.ts";
import { type ArrivalMark, SEEN_CHARACTERS } from "../../lib/lake/arrivals.ts";

/** A mark as clients carry it, in letters that an address takes as they are. */
export const cursorText = (project: number, { at, from, seen }: ArrivalMark): string =>
  [VERSION, project, at.toString(36), from, seen.join("")].join(".");

const VERSION = "1";

const CURSOR = new RegExp(
  `^${VERSION}\\.(\\d{1,15})\\.([0-9a-z]{1,10})\\.([0-9A-Za-z]{0,26})\\.((?:[0-9A-Za-z]{${SEEN_CHARACTERS}}){0,500})$`,
);

/** The mark of a cursor of this project. Throws 400 for anything else. */
export const readCursor = (project: number, text: string): ArrivalMark => {
  const [, owner, at = "", from = "", seen = ""] = CURSOR.exec(text) ?? [];
  if (owner === undefined) throw invalid("after", "This is no cursor: send `next` of the answer before as it came, or leave it out.");
  if (Number(owner) !== project) throw invalid("after", "This cursor is of another project. Begin again without it.");
  return { at: Number.parseInt(at, 36), from, seen: seen.match(NAME) ?? [] };
};

const NAME = new RegExp(`.{${SEEN_CHARACTERS}}`, "g");
