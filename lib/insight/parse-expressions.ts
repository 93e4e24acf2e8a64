import { cache } from "../core/cache.ts";
import { AT, type Expr, type Placeholder } from "../hogql/ast.ts";
import { QueryError, withCaret } from "../hogql/errors.ts";
import { type ParserWork, parseExpression } from "../hogql/parse.ts";

/** Most expressions of one insight: each takes the parser some 40 ms. */
const MAX_EXPRESSIONS = 50;
/** Most work of the parser for all of them together: one may take as much as a query, but not each. */
const ALL_WORK = 12_000;

/** The tree of each text, by text. An alias of the whole says nothing in an insight and is left out. Throws `QueryError`. */
export const parseExpressions = async (
  all: readonly string[],
  project?: number,
  most = MAX_EXPRESSIONS,
): Promise<Readonly<Record<string, Expr>>> => {
  const texts = [...new Set(all)];
  if (texts.length > most) {
    throw new QueryError("too_complex", `At most ${most} different expressions are read at once, and there are ${texts.length}.`);
  }
  const parsed: [string, Expr][] = [];
  const work: ParserWork = { left: ALL_WORK };
  for (const text of texts) parsed.push([text, await findTree(text, project, work)]);
  return Object.fromEntries(parsed);
};

/** Trees of expressions that were parsed before, by text: they hold nothing of a project. */
const MOST_TREES = 200;
const MOST_KEPT_CHARACTERS = 2_000;
const trees = cache<string, Expr>({ capacity: MOST_TREES });

const findTree = async (text: string, project: number | undefined, work: ParserWork): Promise<Expr> => {
  const known = trees.get(text);
  if (known !== undefined) return known;
  const tree = await parseTree(text, project, work);
  if (text.length <= MOST_KEPT_CHARACTERS) trees.set(text, tree);
  return tree;
};

const parseTree = async (text: string, project: number | undefined, work: ParserWork): Promise<Expr> => {
  try {
    const tree = await parseExpression(text, project, work);
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
