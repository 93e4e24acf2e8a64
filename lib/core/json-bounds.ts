const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

export interface JsonBounds {
  readonly maxDepth: number;
  /** Commas and openers outside strings: a little more than the number of values. */
  readonly maxValues: number;
}

/**
 * What is too much about a JSON text, found in one pass and no memory, before a parser spends a hundred bytes on each value.
 * Says nothing about whether the text is JSON.
 */
export const beyondBounds = (bytes: Uint8Array, { maxDepth, maxValues }: JsonBounds): "depth" | "values" | undefined => {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case QUOTE:
        at = endOfString(bytes, at);
        break;
      case COMMA:
        values += 1;
        break;
      case OPEN_BRACKET:
      case OPEN_BRACE:
        values += 1;
        depth += 1;
        if (depth > maxDepth) return "depth";
        break;
      case CLOSE_BRACKET:
      case CLOSE_BRACE:
        depth -= 1;
        break;
    }
    if (values > maxValues) return "values";
  }
  return undefined;
};

/** The place of the quote that ends the string which begins at `open`, or the end of the text. */
export const endOfString = (bytes: Uint8Array, open: number): number => {
  for (let close = bytes.indexOf(QUOTE, open + 1); close !== -1; close = bytes.indexOf(QUOTE, close + 1)) {
    let backslashes = 0;
    while (bytes[close - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return close;
  }
  return bytes.length;
};
