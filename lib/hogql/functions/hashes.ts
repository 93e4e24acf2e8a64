import { BOOLEAN, STRING, UUID } from "../types.ts";
import { type FunctionSpec, scalar } from "./spec.ts";

/** Digests are bytes upstream, shown through hex(); here they are their bytes in hexadecimal already, in upper case. */
export const HASHES: readonly FunctionSpec[] = [
  scalar({ name: "MD5", takes: ["text"], type: STRING, sql: ([x]) => `upper(md5(${x}))` }),
  scalar({ name: "SHA1", takes: ["text"], type: STRING, sql: ([x]) => `upper(sha1(${x}))` }),
  scalar({ name: "SHA256", takes: ["text"], type: STRING, sql: ([x]) => `upper(sha256(${x}))` }),
  scalar({ name: "generateUUIDv4", takes: [], type: UUID, sql: () => "uuid()" }),
  scalar({ name: "isUUID", takes: ["text"], type: BOOLEAN, nulls: "never", sql: ([x]) => `(TRY_CAST(${x} AS UUID) IS NOT NULL)` }),
];
