import { made } from "../expression.ts";
import { BOOLEAN, STRING, UUID } from "../types.ts";
import { type FunctionSpec, type Scalar, scalar } from "./spec.ts";

/** Digests are bytes upstream, which `hex` shows. Here the digest by itself is a text already: its bytes in hexadecimal. */
const digest = (name: string, duckdb: string): Scalar => ({
  kind: "scalar",
  name,
  takes: ["text"],
  lower: (args, run) => {
    const hex = `upper(${duckdb}(${(args[0] ?? run.known(null, STRING)).sql}))`;
    return { ...made(hex, STRING, args), hex };
  },
});

export const HASHES: readonly FunctionSpec[] = [
  digest("MD5", "md5"),
  digest("SHA1", "sha1"),
  digest("SHA256", "sha256"),
  scalar({ name: "generateUUIDv4", takes: [], type: UUID, sql: () => "uuid()" }),
  scalar({ name: "isUUID", takes: ["text"], type: BOOLEAN, nulls: "never", sql: ([x]) => `(TRY_CAST(${x} AS UUID) IS NOT NULL)` }),
];
