import type { Cte, Expr, Field, Select } from "../../hogql/ast.ts";
import type { PropertyOwner } from "../../hogql/options.ts";
import { type Kind, type Piece, piece } from "./piece.ts";
import type { Statement } from "./statement.ts";
import { behind, follow, type Relation } from "./tables/relation.ts";
import { Unprintable } from "./unprintable.ts";

/** A query within another: its text is asked for once everything that names its columns is printed. */
export interface Printed {
  readonly columns: readonly Column[];
  readonly sql: () => string;
}

/** A column of a query: what the query around it calls it, and its name in the SQL. */
export interface Column {
  readonly name: string;
  readonly as: string;
  /** Puts it in the list, in which some columns stand only once they are named, and says what it holds. */
  use(): ColumnKind;
}

export interface ColumnKind {
  readonly kind: Kind;
  /** Whose properties it is the JSON text of; null where it is none. */
  readonly owners: readonly PropertyOwner[] | null;
  /** Puts that text in the list as ClickHouse reads it, too, and gives its name there; absent where the list has room for nothing more. */
  readonly document?: () => string;
}

/** A name that a SELECT gives. */
export interface Alias {
  readonly item: Expr;
  readonly piece: () => Piece;
  /** It aggregates, so that the name means the column where no aggregate can stand. */
  readonly aggregates: boolean;
}

/** A query or value named by WITH; it sees those before it. */
export interface NamedQuery {
  readonly cte: Cte;
  readonly before: Ctes;
  /** The name and columns of the query, which is printed once, when it is first named. */
  readonly table: () => { readonly name: string; readonly printed: Printed };
}
export type Ctes = ReadonlyMap<string, NamedQuery>;

/** What names mean at one place of a query. */
export interface Scope {
  readonly statement: Statement;
  readonly relations: readonly Relation[];
  /** Aliases of the SELECT and of ARRAY JOIN. */
  readonly aliases: ReadonlyMap<string, Alias>;
  /** Columns that USING has made one of. */
  readonly merged: ReadonlyMap<string, Piece>;
  readonly ctes: Ctes;
  readonly lambda: ReadonlySet<string>;
  readonly noAggregates: boolean;
  readonly windows: Select["windows"];
  /** Columns of the SELECT, for positions. */
  readonly columns: readonly Expr[];
}

export const newScope = (statement: Statement, ctes: Ctes): Scope => ({
  statement,
  relations: [],
  aliases: new Map(),
  merged: new Map(),
  ctes,
  lambda: new Set(),
  noAggregates: false,
  windows: {},
  columns: [],
});

/** Where the name is not to mean the alias: inside its own definition. */
export const withoutAlias = (scope: Scope, name: string): Scope =>
  scope.aliases.has(name) ? { ...scope, aliases: new Map([...scope.aliases].filter(([alias]) => alias !== name)) } : scope;

/**
 * A name as the language resolves it: lambda arguments, then aliases, then columns of the tables. `named` prints a value that WITH has
 * named.
 */
export const fieldPiece = (scope: Scope, { chain }: Field, named: (value: NamedQuery) => Piece): Piece => {
  const { statement } = scope;
  const [first, ...rest] = chain;
  const head = String(first);
  if (scope.lambda.has(head)) return behind(statement, piece(statement.name(head)), rest);
  const alias = scope.aliases.get(head);
  const means = alias?.aggregates && scope.noAggregates && inRelations(scope, chain) !== undefined ? undefined : alias;
  if (means !== undefined && rest.length === 0) return piece(statement.name(head), means.piece().kind);
  const merged = scope.merged.get(head);
  if (merged !== undefined) return behind(statement, merged, rest);
  const found = inRelations(scope, chain);
  if (found !== undefined) return found;
  if (means !== undefined) return behind(statement, piece(statement.name(head), means.piece().kind), rest);
  const value = scope.ctes.get(head);
  if (value?.cte.scalar) return behind(statement, named(value), rest);
  throw new Unprintable(`there is no ${chain.join(".")}`);
};

const inRelations = ({ statement, relations }: Scope, chain: Field["chain"]): Piece | undefined => {
  const named = chain.length > 1 ? relations.find((one) => one.name === chain[0]) : undefined;
  if (named !== undefined) return follow(statement, named.member, chain.slice(1));
  for (const one of relations) {
    const found = follow(statement, one.member, chain);
    if (found !== undefined) return found;
  }
  return undefined;
};
