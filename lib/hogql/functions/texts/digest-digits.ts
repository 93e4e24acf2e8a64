import { form } from "../../sql/form.ts";
import { type Sql, sql } from "../../sql/fragment.ts";

/** Digests are bytes upstream, which `hex` shows. Here a digest by itself is a text already: its bytes in hexadecimal. */
export const DIGESTS = {
  md5: form((text) => sql`upper(md5(${text}))`),
  sha1: form((text) => sql`upper(sha1(${text}))`),
  sha256: form((text) => sql`upper(sha256(${text}))`),
};

/** The text of bytes that are given in hexadecimal. */
export const TEXT_OF_BYTES = form((digits) => sql`coalesce(TRY(decode(unhex(${digits}))), '')`);

/** The bytes, in hexadecimal, of a value that was made as bytes; undefined for any other. */
export const digestDigits = (tree: Sql): Sql | undefined => {
  if (Object.values(DIGESTS).some(({ holeOf }) => holeOf(tree) !== undefined)) return tree;
  return TEXT_OF_BYTES.holeOf(tree);
};
