import { quoteText } from "./quote.ts";

/** What only a program puts in a text for itself: Unicode keeps this code point for that. A text from outside that has it all the same loses it. */
const MARK = "\u{FDD0}";
const [OPENS, CLOSES] = [quoteText(`"${MARK}`), quoteText(`${MARK}"`)];

/** A number, or whatever stands between two, with texts kept whole. */
const TOKEN = quoteText(String.raw`(?:[^"0-9-]|"(?:[^"\\]|\\.)*")+|-?[0-9][0-9.eE+-]*`);

/**
 * A document, by the SQL of its text, as ClickHouse reads it. Its parser takes none with a whole number beyond 64 bits: there such numbers
 * become texts of their digits, with a mark about them. `if` may compute both its branches, so that every other document is an empty one in
 * the second.
 */
export const readableJson = (json: string): string => {
  const refused = `if(isValidJSON(${json}), '', assumeNotNull(${json}))`;
  const marked = `if(match(token, '^-?[0-9]') AND NOT isValidJSON(token), concat(${OPENS}, token, ${CLOSES}), token)`;
  return `if(isValidJSON(${json}), ${json}, arrayStringConcat(arrayMap(token -> ${marked}, extractAll(${refused}, ${TOKEN}))))`;
};

/** A text out of such a document, or all of it, with its numbers as they were. */
export const unmarked = (text: string): string =>
  [OPENS, CLOSES, quoteText(MARK)].reduce((sql, mark) => `replaceAll(${sql}, ${mark}, '')`, text);

/** What JSON out of such a document means as text, as access to a property yields it: of a string what it says, NULL of what is empty. */
export const propertyText = (raw: string): string =>
  `nullIf(${unmarked(`if(startsWith(${raw}, '"'), JSONExtractString(${raw}), if(${raw} = 'null', '', ${raw}))`)}, '')`;
