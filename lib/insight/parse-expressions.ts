import { QueryError, withCaret } from "../hogql/errors.ts";
import { AT, type Expr, type Placeholder } from "../hogql/syntax/ast.ts";
import { parseExpression } from "../hogql/syntax/parse.ts";

/** Most expressions of one insight: each takes the parser some 40 ms. */
const MAX_EXPRESSIONS = 50;

/** The tree of each text, by text. An alias of the whole says nothing in an insight and is left out. Throws `QueryError`. */
export const parseExpressions = async (texts: readonly string[]): Promise<Readonly<Record<string, Expr>>> => {
  if (texts.length > MAX_EXPRESSIONS) {
    throw new QueryError("too_complex", `An insight may hold at most ${MAX_EXPRESSIONS} expressions, and this one has ${texts.length}.`);
  }
  const trees: [string, Expr][] = [];
  for (const text of texts) trees.push([text, await treeOf(text)]);
  return Object.fromEntries(trees);
};

const treeOf = async (text: string): Promise<Expr> => {
  try {
    const tree = await parseExpression(text);
    refusePlaceholders(tree);
    return tree.kind === "alias" ? tree.item : tree;
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    throw new QueryError(error.code, withCaret(error, text));
  }
};

/** Walks whatever a node holds: a placeholder may stand anywhere in it. */
const refusePlaceholders = (node: unknown): void => {
  if (typeof node !== "object" || node === null) return;
  if (isPlaceholder(node)) throw new QueryError("placeholder", NO_PLACEHOLDERS, node[AT]);
  Object.values(node).forEach(refusePlaceholders);
};

const NO_PLACEHOLDERS = "An insight has no placeholders: its variables are its dates and its breakdowns.";

/** Nodes of an expression are told apart by their `kind` alone. */
const isPlaceholder = (node: object): node is Placeholder => "kind" in node && node.kind === "placeholder";
