import { createHash } from "node:crypto";

/** A column of a list of rows; times are microseconds since 1970. */
export type ListColumn = { readonly name: string } & (
  | { readonly kind: "text"; readonly values: readonly (string | null)[] }
  | { readonly kind: "time"; readonly values: BigInt64Array }
);

/** Rows that go along with a query, for a table that no file of the lake holds. */
export interface RowList {
  /** Of all that is in it: equal lists have equal ones. */
  readonly digest: string;
  readonly rows: number;
  readonly columns: readonly ListColumn[];
}

/** The rows with these columns, all of one length. */
export const rowList = (columns: readonly ListColumn[]): RowList => {
  const hash = createHash("sha256");
  for (const { name, values } of columns) {
    hash.update(`${name}\n${values.length}\n`);
    hash.update(
      values instanceof BigInt64Array ? new Uint8Array(values.buffer, values.byteOffset, values.byteLength) : JSON.stringify(values),
    );
  }
  return { digest: hash.digest("hex"), rows: columns[0]?.values.length ?? 0, columns };
};
