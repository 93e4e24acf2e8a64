import type { Field, Select } from "../../../lib/hogql/ast.ts";
import type { LowerOptions } from "../../../lib/hogql/options.ts";
import { type Kind, name, type Piece, piece } from "./piece.ts";
import { property } from "./property.ts";
import type { Column, Relation } from "./relations.ts";

/** What names mean at one place of a query. */
export interface Scope {
  readonly options: LowerOptions;
  readonly relations: readonly Relation[];
  /** Aliases of the SELECT list, of ARRAY JOIN, and values named in WITH. */
  readonly aliases: ReadonlyMap<string, Kind>;
  readonly ctes: ReadonlyMap<string, readonly Column[]>;
  readonly lambda: ReadonlySet<string>;
  readonly outer: Scope | null;
  /** Comparisons stay as they are: ClickHouse joins by plain equalities only. */
  readonly raw: boolean;
  readonly windows: Select["windows"];
}

/** What the printer has no way to say; such a case fails. */
export class Unprintable extends Error {}

/** A name as the language resolves it: lambda arguments, then aliases, then columns of the tables, the nearest first. */
export const fieldPiece = (scope: Scope, node: Field): Piece => {
  const chain = node.chain;
  const [first] = chain;
  const head = String(first);
  if (scope.lambda.has(head)) return behind(piece(name(head)), chain.slice(1));
  for (let at: Scope | null = scope; at !== null; at = at.outer) {
    const found = inScope(at, chain, head);
    if (found !== undefined) return found;
  }
  throw new Unprintable(`there is no ${chain.join(".")}`);
};

const inScope = (scope: Scope, chain: Field["chain"], head: string): Piece | undefined => {
  const alias = scope.aliases.get(head);
  const relation = scope.relations.find((one) => one.name === head);
  if (alias !== undefined && (chain.length === 1 || relation === undefined) && !ofProperties(scope, chain))
    return behind(piece(name(head), alias), chain.slice(1));
  if (relation !== undefined && chain.length > 1) return inRelation(scope, relation, chain.slice(1), true);
  for (const one of scope.relations) {
    const found = inRelation(scope, one, chain, scope.relations.length > 1);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** `properties.a` stays the table's when an alias has the name of the whole. */
const ofProperties = (scope: Scope, chain: Field["chain"]): boolean =>
  chain.length > 1 && scope.relations.some((one) => one.columns.some((column) => column.name === chain[0] && column.json !== undefined));

const inRelation = (scope: Scope, relation: Relation, chain: Field["chain"], qualified: boolean): Piece | undefined => {
  const parts = slotted(scope, chain);
  for (let length = Math.min(parts.length, 2); length >= 1; length--) {
    const wanted = parts.slice(0, length).join(".");
    const column = relation.columns.find((one) => one.name === wanted);
    if (column === undefined) continue;
    const sql = `${qualified ? `${name(relation.name)}.` : ""}${name(column.name)}`;
    const rest = parts.slice(length);
    if (column.json === undefined) return behind(piece(sql, column.kind), rest);
    const json = { column: sql, owner: column.json, path: rest };
    return rest.length === 0 ? { sql, kind: "text", json } : property(json, scope.options);
  }
  return undefined;
};

/** A group's type name stands for its slot. */
const slotted = ({ options }: Scope, chain: Field["chain"]): Field["chain"] => {
  const slot = (options.groupTypes ?? []).indexOf(String(chain[0]));
  return slot < 0 || chain.length < 2 ? chain : [`group_${slot}`, ...chain.slice(1)];
};

/** Elements of tuples and maps by what stands behind a dot. */
const behind = (of: Piece, chain: Field["chain"]): Piece =>
  chain.reduce<Piece>(
    (piece, part) => ({ sql: `tupleElement(${piece.sql}, ${typeof part === "number" ? part : `'${part}'`})`, kind: "other" }),
    of,
  );
