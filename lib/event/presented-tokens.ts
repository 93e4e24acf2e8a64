import type { JsonBounds } from "../core/json-scan.ts";

const [QUOTE, BACKSLASH, OPEN_BRACE] = [0x22, 0x5c, 0x7b];

/** The meaning of a byte outside strings; nearly all mean nothing, so one look-up decides nearly every step. */
const NOTHING = 0;
const STRING = 1;
const COMMA = 2;
const COLON = 3;
const OPEN = 4;
const CLOSE = 5;
const MEANINGS = new Uint8Array(256);
for (const [characters, meaning] of [
  ['"', STRING],
  [",", COMMA],
  [":", COLON],
  ["{[", OPEN],
  ["}]", CLOSE],
] as const)
  for (const character of characters) MEANINGS[character.charCodeAt(0)] = meaning;

/** Names that say something. Of the three of a token, which an envelope or an event has itself, properties have the first one. */
const OTHER = 0;
const TOKEN = 1;
const OTHER_TOKEN = 2;
const PROPERTIES = 3;
const BATCH = 4;
const NAMES = (
  [
    ["token", TOKEN],
    ["$token", OTHER_TOKEN],
    ["api_key", OTHER_TOKEN],
    ["properties", PROPERTIES],
    ["batch", BATCH],
  ] as const
).map(([name, meaning]) => ({ bytes: Buffer.from(name), meaning }));
const NAMES_BY_LENGTH = Array.from({ length: 11 }, (_, length) => NAMES.filter(({ bytes }) => bytes.length === length));

/** No longer text is looked into: no token is, and this is room for one that is refused. */
const MAX_TOKEN_TEXT = 1_000;

export interface PresentedTokens {
  /** Each where an envelope or an event could have it, in their order, each once. */
  readonly tokens: readonly string[];
  /** Whether an envelope names a batch; where all of the tokens that were asked for are found, perhaps only behind them. */
  readonly namesBatch: boolean;
  /** The bound that the text goes beyond: nothing behind that place was looked at. */
  readonly beyond: "depth" | "values" | undefined;
}

const NO_BOUNDS: JsonBounds = { maxDepth: Number.POSITIVE_INFINITY, maxValues: Number.POSITIVE_INFINITY };

/**
 * The first `most` different texts in a request's JSON that may be its token. Found in one pass without reading anything else, also where
 * the text is cut anywhere: `readEnvelope` decides of a whole one. A name that is written with escapes is not found.
 */
export const presentedTokens = (json: Uint8Array, most: number, { maxDepth, maxValues }: JsonBounds = NO_BOUNDS): PresentedTokens => {
  const tokens = new Set<string>();
  let namesBatch = false;
  let beyond: PresentedTokens["beyond"];
  let values = 0;
  /** How deep the objects lie that carry a token: the only one of the text, or those of its list. */
  let own = 0;
  let depth = 0;
  let isInProperties = false;
  let name = OTHER;
  let nameComes = false;
  const { length } = json;
  for (let at = 0; at < length; at++) {
    const meaning = MEANINGS[json[at] ?? 0];
    if (meaning === NOTHING) continue;
    if (meaning === STRING) {
      const open = at;
      // To the quote that ends the string; inline, because as a function of its own it takes half as long again.
      for (at++; at < length; at++) {
        const byte = json[at];
        if (byte === QUOTE) break;
        if (byte === BACKSLASH) at++;
      }
      if (depth === own || (depth === own + 1 && isInProperties)) {
        if (nameComes) {
          name = nameIn(json, open + 1, at);
          if (name === BATCH && own === 1 && depth === own) namesBatch = true;
        } else if (at < length && (name === TOKEN || (name === OTHER_TOKEN && !isInProperties))) {
          const token = textIn(json.subarray(open, at + 1));
          if (token !== undefined) tokens.add(token);
          if (tokens.size === most) break;
        }
      }
      nameComes = false;
    } else if (meaning === COLON) {
      nameComes = false;
    } else if (meaning === COMMA) {
      values++;
      if (values > maxValues) {
        beyond = "values";
        break;
      }
      name = OTHER;
      nameComes = depth === own || (depth === own + 1 && isInProperties);
    } else if (meaning === OPEN) {
      const isObject = json[at] === OPEN_BRACE;
      values++;
      depth++;
      if (values > maxValues || depth > maxDepth) {
        beyond = depth > maxDepth ? "depth" : "values";
        break;
      }
      if (depth === 1) own = isObject ? 1 : 2;
      isInProperties = depth > own && (isInProperties || (depth === own + 1 && isObject && name === PROPERTIES));
      nameComes = isObject;
      if (depth <= own + 1) name = OTHER;
    } else {
      depth--;
      if (depth <= own) isInProperties = false;
      name = OTHER;
      nameComes = false;
    }
  }
  return { tokens: [...tokens], namesBatch, beyond };
};

const NONE: readonly never[] = [];

const nameIn = (json: Uint8Array, from: number, to: number): number => {
  for (const { bytes, meaning } of NAMES_BY_LENGTH[to - from] ?? NONE) {
    let at = 0;
    while (at < bytes.length && json[from + at] === bytes[at]) at++;
    if (at === bytes.length) return meaning;
  }
  return OTHER;
};

const textIn = (quoted: Uint8Array): string | undefined => {
  const json = Buffer.from(quoted.buffer, quoted.byteOffset, quoted.length);
  if (json.length > MAX_TOKEN_TEXT) return json.toString("latin1", 1, MAX_TOKEN_TEXT);
  try {
    const value: unknown = JSON.parse(json.toString());
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
};
