import type { Field } from "../../../hogql/ast.ts";
import type { Piece } from "../piece.ts";
import { property } from "../property.ts";
import type { Statement } from "../statement.ts";

/** What a name means after a relation: a value, or something that has members in turn, such as `person`. */
export type Member = { readonly kind: "value"; readonly piece: Piece } | { readonly kind: "members"; readonly of: Members };
export type Members = (name: string) => Member | undefined;

export const value = (piece: Piece): Member => ({ kind: "value", piece });

/** Something after FROM, by the name that the query knows it by. */
export interface Relation {
  readonly name: string | null;
  readonly member: Members;
  /** Columns of `*`. */
  readonly star: readonly string[];
  /** The SQL after FROM or JOIN, asked for once everything that names columns is printed. */
  from(): string;
}

/** The value that a chain of names leads to; undefined where a name on the way is none. */
export const follow = (statement: Statement, members: Members, chain: Field["chain"]): Piece | undefined => {
  const [first, ...rest] = chain;
  const member = members(String(first));
  if (member === undefined) return undefined;
  if (member.kind === "members") return rest.length === 0 ? undefined : follow(statement, member.of, rest);
  return behind(statement, member.piece, rest);
};

/** What stands behind a value: properties of JSON text, elements of tuples and maps. */
export const behind = (statement: Statement, of: Piece, chain: Field["chain"]): Piece => {
  if (chain.length === 0) return of.json === undefined ? of : { ...of, sql: of.json.column() };
  if (of.json !== undefined) return property(statement, { ...of.json, path: [...of.json.path, ...chain] });
  return chain.reduce<Piece>(
    ({ sql }, part) => ({ sql: `tupleElement(${sql}, ${typeof part === "number" ? part : statement.text(part)})`, kind: "other" }),
    of,
  );
};
