import { quoteText } from "./quote.ts";

/** Spaces around a number and a plus before it, and the first of each two underscores between its digits. */
const AROUND = quoteText(String.raw`^[\s\v]+\+?|^\+|[\s\v]+$|([0-9])_([0-9])`);
const BETWEEN = quoteText("([0-9])_([0-9])");
const DIGITS = quoteText(String.raw`\1\2`);

/** A text as a number, as the embedded engine reads one, which is what columns of numbers were made by; NULL where it is none. */
export const readNumber = (text: string): string =>
  `accurateCastOrNull(replaceRegexpAll(replaceRegexpAll(${text}, ${AROUND}, ${DIGITS}), ${BETWEEN}, ${DIGITS}), 'Float64')`;
