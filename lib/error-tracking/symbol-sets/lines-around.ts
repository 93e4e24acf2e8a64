import { type Context, numbered } from "../frames/context.ts";

/** Lines before and behind, as many as the SDKs of other languages send. */
const LINES = 5;

/** Whatever compilers take for the end of a line: their maps count by these. */
const LINE_END = /\r\n|[\n\r\u2028\u2029]/;

/** The lines of a file around one of them, counted from 1; null where there is no such line. */
export const linesAround = (content: string | undefined, line: number): Context | null => {
  const lines = content?.split(LINE_END, line + LINES);
  const at = lines?.[line - 1];
  if (lines === undefined || at === undefined) return null;
  const first = Math.max(0, line - 1 - LINES);
  return {
    before: lines
      .slice(first, line - 1)
      .map((text, index) => numbered(first + index + 1, text))
      .toReversed(),
    line: numbered(line, at),
    after: lines.slice(line).map((text, index) => numbered(line + index + 1, text)),
  };
};
