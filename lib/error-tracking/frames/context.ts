import type { RawFrame } from "./raw-frame.ts";

export interface Line {
  readonly number: number;
  readonly line: string;
}

/** The lines around the one that a frame is at; `before` begins with the nearest. */
export interface Context {
  readonly before: readonly Line[];
  readonly line: Line;
  readonly after: readonly Line[];
}

const MOST_CHARACTERS = 300;
const CUT = "…";

/** The source around a frame, where the client sent it. */
export const sourceContext = ({ contextLine, lineno, preContext, postContext }: RawFrame): Context | null => {
  if (contextLine === undefined || lineno === undefined) return null;
  return {
    before: preContext.toReversed().map((text, index) => numbered(Math.max(0, lineno - index - 1), text)),
    line: numbered(lineno, contextLine),
    after: postContext.map((text, index) => numbered(lineno + index + 1, text)),
  };
};

/** A line of source, cut where it is long. */
export const numbered = (number: number, text: string): Line => ({ number, line: cut(text) });

const cut = (line: string): string => {
  if (line.length <= MOST_CHARACTERS) return line;
  // The first so many characters take up to two units each.
  const characters = Array.from(line.slice(0, 2 * MOST_CHARACTERS + 1));
  return characters.length <= MOST_CHARACTERS ? line : characters.slice(0, MOST_CHARACTERS).join("") + CUT;
};
