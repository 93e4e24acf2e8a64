import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { Defect } from "../core/unreachable.ts";
import type { Ast } from "../hogql/ast.ts";

/** Bumped when the nodes of the tree change; runs read this and the one before. */
const AST_FORMAT = 1;

/** A stored tree is at most this long when decompressed; a longer one was refused when it was saved. */
const MAX_AST_BYTES = 8_388_608;

interface Stored {
  readonly v: number;
  readonly tree: Ast;
}

/** The parsed text of a version as its item keeps it. */
export const packAst = (tree: Ast): Uint8Array => zstdCompressSync(JSON.stringify({ v: AST_FORMAT, tree } satisfies Stored));

/** The tree that `packAst` packed, of this format or the one before. */
export const unpackAst = (packed: Uint8Array): Ast => {
  const { v, tree } = storedIn(JSON.parse(zstdDecompressSync(packed, { maxOutputLength: MAX_AST_BYTES }).toString()));
  if (v !== AST_FORMAT && v !== AST_FORMAT - 1) throw new Defect(`a query tree of format ${v} cannot be read`);
  return tree;
};

/** Only `packAst` writes these bytes. */
const storedIn = (parsed: unknown): Stored => parsed as Stored;
