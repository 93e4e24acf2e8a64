import { hash } from "node:crypto";

/** Hexadecimal digits of an import's id, and of what tells its requests apart. */
const IMPORT_DIGITS = 16;
const DIGEST_DIGITS = 16;

/** Characters of the name that a client gives an import. */
export const MAX_IMPORT_NAME = 200;

/**
 * The id of an import, by the name that a client gave it: 16 hexadecimal digits. Ids are compared within one project's lake, so the same
 * name in another project is another import.
 */
export const importIdOf = (name: string): string => hash("sha256", `import:${name.toWellFormed()}`, "hex").slice(0, IMPORT_DIGITS);

/** The request id of a request that belongs to an import: the import's id, and 16 digits of a digest of its body. */
export const requestOfImport = (importId: string, digest: string): string => importId + digest.slice(0, DIGEST_DIGITS);

/** The import that a request would belong to. Of a request that was made without one it is nobody's. */
export const importOfRequest = (request: string): string => request.slice(0, IMPORT_DIGITS);

/** Whether a value may name an import. */
export const isImportName = (value: unknown): value is string =>
  typeof value === "string" && value.length > 0 && value.length <= MAX_IMPORT_NAME;
