import { parentPort } from "node:worker_threads";
import createParser from "@posthog/hogql-parser";

/** A text to parse: a whole query, or an expression alone. */
export interface ParserOrder {
  readonly id: number;
  readonly kind: "query" | "expression";
  readonly text: string;
}

/** The parser's JSON; null where it gave up with an exception, as it does when its own stack overflows. */
export interface ParserAnswer {
  readonly id: number;
  readonly json: string | null;
}

/**
 * Parses each text that the thread is sent with a parser of its own. One that is kept learns from every text, and what it learnt from
 * calls nested four and eight deep makes it take minutes for calls nested nine deep.
 */
parentPort?.on("message", async ({ id, kind, text }: ParserOrder) => {
  const parser = await createParser();
  parentPort?.postMessage({
    id,
    json: parsed(() => (kind === "query" ? parser.parseSelect(text) : parser.parseExpr(text))),
  } satisfies ParserAnswer);
});

const parsed = (read: () => string): string | null => {
  try {
    return read();
  } catch {
    return null;
  }
};
