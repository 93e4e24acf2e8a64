import { endOfString } from "../core/json-scan.ts";

const [QUOTE, COMMA, COLON] = [0x22, 0x2c, 0x3a];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Names of a token, where an envelope or an event has it itself; among an event's properties it has the first one. */
const NAMES: readonly string[] = ["token", "$token", "api_key"];
const [IN_PROPERTIES = ""] = NAMES;
const PROPERTIES = "properties";
/** No longer text is looked into: no token is, and this is room for one that is refused. */
const MAX_TOKEN_TEXT = 1_000;

/**
 * The texts in a request's JSON that may be its token, each where an envelope or an event could have it, in their order. Found in one pass
 * without reading anything else, also where the text is cut anywhere: `readEnvelope` decides of a whole one. A name that is written
 * with escapes is not found.
 */
export function* presentedTokens(text: Uint8Array): Generator<string> {
  const json = Buffer.from(text.buffer, text.byteOffset, text.length);
  /** How deep the objects lie that carry a token: the only one of the text, or those of its list. */
  let own = 0;
  let depth = 0;
  let isInProperties = false;
  let name = "";
  let nameComes = false;
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case QUOTE: {
        const end = endOfString(json, at);
        if (depth === own || (depth === own + 1 && isInProperties)) {
          if (nameComes) name = end - at - 1 > PROPERTIES.length ? "" : json.toString("latin1", at + 1, end);
          else if (isTokenName(name, isInProperties) && end < json.length) {
            const token = textIn(json.subarray(at, end + 1));
            if (token !== undefined) yield token;
          }
        }
        nameComes = false;
        at = end;
        break;
      }
      case COLON:
        nameComes = false;
        break;
      case COMMA:
        name = "";
        nameComes = depth === own || (depth === own + 1 && isInProperties);
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET: {
        const isObject = json[at] === OPEN_BRACE;
        depth++;
        if (depth === 1) own = isObject ? 1 : 2;
        isInProperties = depth > own && (isInProperties || (depth === own + 1 && isObject && name === PROPERTIES));
        nameComes = isObject;
        if (depth <= own + 1) name = "";
        break;
      }
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth--;
        if (depth <= own) isInProperties = false;
        name = "";
        nameComes = false;
        break;
    }
  }
}

const isTokenName = (name: string, isInProperties: boolean): boolean => (isInProperties ? name === IN_PROPERTIES : NAMES.includes(name));

const textIn = (json: Buffer): string | undefined => {
  if (json.length > MAX_TOKEN_TEXT) return json.toString("latin1", 1, MAX_TOKEN_TEXT);
  try {
    const value: unknown = JSON.parse(json.toString());
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
};
