import { hash } from "node:crypto";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { cache } from "../../core/cache.ts";
import { isReadable, writtenVersion } from "../../core/formats.ts";
import { Defect } from "../../core/unreachable.ts";
import type { Ast, Expr } from "../../hogql/ast.ts";

/** Trees by the text that they were parsed from. */
export type Expressions = Readonly<Record<string, Expr>>;

/** Bumped when the nodes of the trees change; runs read this one, the one before and the one after. */
const AST_FORMAT = 2;

/** A stored tree is at most this long when decompressed; a longer one was refused when it was saved. */
const MAX_AST_BYTES = 8_388_608;

/** A query has one tree, an insight has one for each expression that it holds as text. */
type StoredAst = { readonly v: number; readonly tree: Ast } | { readonly v: number; readonly expressions: Expressions };

/** The parsed text of a version as its item keeps it. */
export const packAst = (tree: Ast): Uint8Array => pack({ v: writtenVersion(AST_FORMAT), tree });

/** The parsed expressions of an insight's version as its item keeps them. */
export const packExpressions = (expressions: Expressions): Uint8Array => pack({ v: writtenVersion(AST_FORMAT), expressions });

/** The tree that `packAst` packed, of this format, the one before or the one after. */
export const unpackAst = (packed: Uint8Array): Ast => {
  const stored = unpack(packed);
  if (!("tree" in stored)) throw new Defect("the stored trees are not those of a query");
  return stored.tree;
};

/** The trees that `packExpressions` packed, of this format, the one before or the one after. */
export const unpackExpressions = (packed: Uint8Array): Expressions => {
  const stored = unpack(packed);
  if (!("expressions" in stored)) throw new Defect("the stored trees are not those of an insight");
  return stored.expressions;
};

const pack = (stored: StoredAst): Uint8Array => zstdCompressSync(JSON.stringify(stored));

/** Trees that were unpacked before, in characters of their JSON: nobody changes a tree, and a tenant's runs ask for few of them. */
const CAPACITY = 4_000_000;

const unpacked = cache<string, { readonly stored: StoredAst; readonly size: number }>({ capacity: CAPACITY, weigh: ({ size }) => size });

const unpack = (packed: Uint8Array): StoredAst => {
  const name = hash("sha256", packed);
  const known = unpacked.get(name);
  if (known !== undefined) return known.stored;
  const text = zstdDecompressSync(packed, { maxOutputLength: MAX_AST_BYTES }).toString();
  const stored = read(text);
  unpacked.set(name, { stored, size: text.length });
  return stored;
};

const read = (text: string): StoredAst => {
  const stored = storedIn(JSON.parse(text));
  if (stored.v >= AST_FORMAT && isReadable(stored.v, AST_FORMAT)) return stored;
  if (stored.v === AST_FORMAT - 1) return storedIn(JSON.parse(text, renamed));
  throw new Defect(`query trees of format ${stored.v} cannot be read`);
};

/** Format 1 called a number that JSON cannot hold by another name. */
const renamed = (key: string, value: unknown): unknown => (key === "kind" && value === "odd-number" ? "numeric-literal" : value);

/** Only `pack` writes these bytes. */
const storedIn = (parsed: unknown): StoredAst => parsed as StoredAst;
