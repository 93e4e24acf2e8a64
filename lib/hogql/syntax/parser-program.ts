import createParser from "@posthog/hogql-parser";
import { answerOrders } from "../../core/thread.ts";
import type { Piece } from "./pieces.ts";

/** The pieces of a text to parse. */
export interface ParserOrder {
  readonly parts: readonly Pick<Piece, "kind" | "text">[];
}

/** The parser's JSON of each piece, up to the first that it refuses; null where it gave up with an exception, as when its stack overflows. */
export interface ParserAnswer {
  readonly jsons: readonly (string | null)[];
  readonly isRefused: boolean;
}

const parsed = (read: () => string): string | null => {
  try {
    return read();
  } catch {
    return null;
  }
};

/**
 * Parses the texts of an order with a parser of its own. One that is kept learns from every text, and takes the longer for some of the
 * next the more it has learnt.
 */
const parse = async ({ parts }: ParserOrder): Promise<ParserAnswer> => {
  const parser = await createParser();
  const jsons: (string | null)[] = [];
  let isRefused = false;
  for (const { kind, text } of parts) {
    if (isRefused) break;
    const json = parsed(() => (kind === "query" ? parser.parseSelect(text) : parser.parseExpr(text)));
    // Within a text the quotes would be escaped: as a key it is the mark of a refusal.
    isRefused = json === null || json.includes('"error":true');
    jsons.push(json);
  }
  return { jsons, isRefused };
};

// What is loaded and compiled only once is not counted against the text that happens to come first.
await parse({ parts: [{ kind: "expression", text: "1" }] });
answerOrders(parse);
