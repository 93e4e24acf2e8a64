import { Defect } from "../../core/unreachable.ts";
import { quoteName, quoteText } from "../sql/quote.ts";
import { readableJson } from "../sql/readable-json.ts";

/** How ClickHouse reads the lake: alone, or by all machines of a cluster. */
export interface LakeReader {
  /** Empty where one server reads all. */
  readonly cluster: string;
}

/** A column as ClickHouse is told to read it. */
export type ColumnTypes = ReadonlyMap<string, string>;

/** The named collection that has the address of the lake and the right to read it: neither stands in any text of ours. */
const COLLECTION = "lake";

/** Names that stand in one list: ClickHouse takes no more of them unless it is told to. */
const MOST_NAMES = 1_000;

/** Keys of our own making, in which nothing has a meaning for SQL or for lists of names. */
const KEY = /^[A-Za-z0-9_./=-]+$/;

/**
 * Table functions that read these columns of files: all of them give all rows. A file that is not there is an error, and a list of names is
 * none of patterns, so nothing but the named files is read. Each begins with the first folder of its keys, which is what rights are given by.
 */
export const readFiles = ({ cluster }: LakeReader, keys: readonly string[], columns: ColumnTypes): readonly string[] => {
  const place = cluster === "" ? "s3(" : `s3Cluster(${quoteText(cluster)}, `;
  const structure = quoteText([...columns].map(([name, type]) => `${quoteName(name)} ${type}`).join(", "));
  return [...Map.groupBy(keys, firstFolder)].flatMap(([folder, own]) =>
    inLists(own.map((key) => key.slice(folder.length))).map(
      (names) => `${place}${COLLECTION}, filename = ${quoteText(folder + names)}, format = 'Parquet', structure = ${structure})`,
    ),
  );
};

/** Rows of files, by the SQL behind FROM, with properties that ClickHouse reads whatever numbers they hold. */
export const withReadableJson = (rows: string): string => `(SELECT * REPLACE (${readableJson("properties")} AS properties) FROM ${rows})`;

/** The last part of a key, which `_file` is where a file is read. */
export const fileName = (key: string): string => key.slice(key.lastIndexOf("/") + 1);

const firstFolder = (key: string): string => {
  if (!KEY.test(key)) throw new Defect(`the object key ${key} has characters that no key of ours has`);
  return key.slice(0, key.indexOf("/") + 1);
};

/** Lists with braces: one within the other would find nothing. */
const inLists = (names: readonly string[]): readonly string[] => {
  const lists: string[] = [];
  for (let from = 0; from < names.length; from += MOST_NAMES) {
    const some = names.slice(from, from + MOST_NAMES);
    lists.push(some.length === 1 ? some.join() : `{${some.join(",")}}`);
  }
  return lists;
};
