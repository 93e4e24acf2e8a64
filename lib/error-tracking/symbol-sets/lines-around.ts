import { type Context, type Line, numbered } from "../frames/context.ts";

/** Lines before and behind, as many as the SDKs of other languages send. */
const LINES = 5;

/** A longer file is one that a build made, too: it would have to be looked through for each frame, and shows nobody anything. */
const MOST_CHARACTERS = 2_000_000;

/** The lines of a file around one of them, counted from 1; null where there is no such line. */
export const linesAround = (content: string | undefined, line: number): Context | null => {
  if (content === undefined || content.length > MOST_CHARACTERS) return null;
  const lines = linesBetween(content, line - LINES, line + LINES);
  const at = lines.findIndex(({ number }) => number === line);
  const own = lines[at];
  return own === undefined ? null : { before: lines.slice(0, at).toReversed(), line: own, after: lines.slice(at + 1) };
};

/** Passes each character once and makes no text of the lines before: a file may be nothing but ends of lines. */
const linesBetween = (content: string, first: number, last: number): Line[] => {
  const lines: Line[] = [];
  let [number, start] = [1, 0];
  for (let at = 0; at <= content.length && number <= last; at += 1) {
    if (at < content.length && !isLineEnd(content.charCodeAt(at))) continue;
    if (number >= first) lines.push(alone(numbered(number, content.slice(start, at))));
    if (content.charCodeAt(at) === RETURN && content.charCodeAt(at + 1) === NEWLINE) at += 1;
    number += 1;
    start = at + 1;
  }
  return lines;
};

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const LINE_SEPARATOR = 0x2028;
const PARAGRAPH_SEPARATOR = 0x2029;

/** Whatever compilers take for the end of a line: their maps count by these. */
const isLineEnd = (code: number): boolean => code === NEWLINE || code === RETURN || code === LINE_SEPARATOR || code === PARAGRAPH_SEPARATOR;

/** The same line in memory of its own: a piece of a text keeps all of that there for as long as the piece is needed. */
const alone = ({ number, line }: Line): Line => ({ number, line: Buffer.from(line, "utf16le").toString("utf16le") });
