import { endOfString } from "./json-bounds.ts";

const [QUOTE, COMMA, COLON] = [0x22, 0x2c, 0x3a];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * The text that a JSON object has under a name, the last one, found in one pass and without reading anything else of it. A name that
 * is written with escapes is not found. Says nothing about whether the rest is JSON.
 */
export const textField = (bytes: Uint8Array, name: string): string | undefined => {
  const json = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let depth = 0;
  let found: string | undefined;
  /** What the next string at the top is: a name, the value of the wanted one, or that of another. */
  let next: "name" | "wanted" | "other" = "other";
  let isNamed = false;
  for (let at = 0; at < json.length; at += 1) {
    switch (json[at]) {
      case QUOTE: {
        const end = endOfString(json, at);
        if (depth === 1 && next === "name") isNamed = end - at - 1 === name.length && json.toString("latin1", at + 1, end) === name;
        if (depth === 1 && next === "wanted") found = textIn(json.subarray(at, end + 1));
        at = end;
        break;
      }
      case COLON:
        if (depth === 1) next = isNamed ? "wanted" : "other";
        break;
      case COMMA:
        if (depth === 1) next = "name";
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        depth += 1;
        next = depth === 1 && json[at] === OPEN_BRACE ? "name" : "other";
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth -= 1;
        break;
    }
  }
  return found;
};

const textIn = (json: Buffer): string | undefined => {
  try {
    const value: unknown = JSON.parse(json.toString());
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
};
