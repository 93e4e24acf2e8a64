import { zstdCompressSync, zstdDecompressSync } from "node:zlib";

/** A stored tree is at most this long when decompressed; a longer one was refused when it was saved. */
const MAX_AST_BYTES = 8_388_608;

/** The parsed text of a version as its item keeps it. */
export const packAst = (ast: unknown): Uint8Array => zstdCompressSync(JSON.stringify(ast));

/** The tree that `packAst` packed; the caller says which type it packed. */
export const unpackAst = (packed: Uint8Array): unknown =>
  JSON.parse(zstdDecompressSync(packed, { maxOutputLength: MAX_AST_BYTES }).toString());
