import type { Ast, Expr } from "./ast.ts";
import { QueryError } from "./errors.ts";
import { decode, decodeExpression } from "./syntax/decode.ts";
import { explained } from "./syntax/explain.ts";
import { guardText } from "./syntax/guard-text.ts";
import { parseInThread } from "./syntax/parser-thread.ts";
import { isLittleWork, type ParserWork, spendWork } from "./syntax/parser-work.ts";
import { type Piece, pieces } from "./syntax/pieces.ts";
import { readAnswer } from "./syntax/read-answer.ts";

/**
 * Parses with the language's own parser, in a thread of its own, which is started at the first use; a query takes it 10 to 100 ms.
 * The tree carries positions under a symbol only, so its JSON, which is what gets stored, has none.
 * Throws `QueryError` for whatever is no query, is too long, or uses a form that we do not know. Projects take turns.
 */
export const parse = async (text: string, project?: number): Promise<Ast> => {
  const counted = guardText(text);
  const read = await parsed("query", counted.text, project);
  return inAuthorsWords(text, () => decode(read(), text, counted));
};

/** The same for an expression alone, such as an insight holds as text; `work` is what it and others may take together. */
export const parseExpression = async (text: string, project?: number, work?: ParserWork): Promise<Expr> => {
  const counted = guardText(text);
  const read = await parsed("expression", counted.text, project, work);
  return inAuthorsWords(text, () => decodeExpression(read(), text, counted));
};

/**
 * What the parser makes of a text, piece by piece. Where it refuses one, it is asked for the whole, which has room for a few forms that
 * no piece has.
 */
const parsed = async (kind: Piece["kind"], text: string, project?: number, work?: ParserWork): Promise<() => unknown> => {
  const parts = pieces(kind, text);
  spendWork(
    parts.map((part) => part.text),
    work,
  );
  const answer = await parseInThread(parts, project);
  if (!answer.isRefused || parts.length === 1 || !isLittleWork(text)) return () => readAnswer(text, parts, answer);
  const whole = [{ kind, text, at: 0 }];
  const second = await parseInThread(whole, project);
  return () => readAnswer(text, whole, second);
};

const inAuthorsWords = <T>(text: string, read: () => T): T => {
  try {
    return read();
  } catch (thrown) {
    throw thrown instanceof QueryError ? explained(thrown, text) : thrown;
  }
};
