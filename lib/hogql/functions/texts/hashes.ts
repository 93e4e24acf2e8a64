import { derive } from "../../analysis/expression.ts";
import { QueryError } from "../../errors.ts";
import { type Form, form } from "../../sql/form.ts";
import { ident, type Sql, separated, sql } from "../../sql/fragment.ts";
import { BOOLEAN, isOpen, isText, STRING, typeName, UUID } from "../../types.ts";
import { type FunctionSpec, type Scalar, scalar } from "../spec.ts";

/** Digests are bytes upstream, which `hex` shows. Here a digest by itself is a text already: its bytes in hexadecimal. */
const DIGESTS = {
  md5: form((text) => sql`upper(md5(${text}))`),
  sha1: form((text) => sql`upper(sha1(${text}))`),
  sha256: form((text) => sql`upper(sha256(${text}))`),
};

/** The text of bytes that are given in hexadecimal. DuckDB tries nothing that holds an aggregate, so that the digits get a name. */
export const TEXT_OF_BYTES = form(
  (digits) => sql`coalesce(list_extract(list_transform([${digits}], lambda d: TRY(decode(unhex(d)))), 1), '')`,
);

/** The bytes, in hexadecimal, of a value that was made as bytes; undefined for any other. */
export const digestDigits = (tree: Sql): Sql | undefined => {
  if (Object.values(DIGESTS).some(({ holeOf }) => holeOf(tree) !== undefined)) return tree;
  return TEXT_OF_BYTES.holeOf(tree);
};

const digest = (name: string, { of }: Form): Scalar => ({
  kind: "scalar",
  name,
  takes: ["text"],
  lower: (args, context) => derive(of((args[0] ?? context.known(null, STRING)).tree), STRING, args),
});

/** A whole number of 64 bits. The engine adds the function to DuckDB under the same name. */
const number = (name: string): Scalar => ({
  kind: "scalar",
  name,
  takes: ["any"],
  rest: true,
  lower: (args) => {
    for (const [index, { type, nullable }] of args.entries()) {
      if (isText(type) || isOpen(type)) continue;
      throw new QueryError(
        "illegal_type_of_argument",
        `Argument ${index + 1} of \`${name}\` is ${typeName(type, nullable)}, but must be a text; use toString.`,
      );
    }
    const texts = args.map(({ tree }) => sql`CAST(${tree} AS VARCHAR)`);
    return derive(sql`${ident(name)}(${separated(texts)})`, { kind: "integer", name: "UInt64", wide: true }, args);
  },
});

export const HASHES: readonly FunctionSpec[] = [
  digest("MD5", DIGESTS.md5),
  digest("SHA1", DIGESTS.sha1),
  digest("SHA256", DIGESTS.sha256),
  number("cityHash64"),
  number("farmHash64"),
  number("halfMD5"),
  number("sipHash64"),
  number("xxHash64"),
  scalar({ name: "generateUUIDv4", takes: [], type: UUID, sql: () => sql`uuid()` }),
  scalar({ name: "isUUID", takes: ["text"], type: BOOLEAN, nulls: "never", sql: (x) => sql`(TRY_CAST(${x} AS UUID) IS NOT NULL)` }),
];
