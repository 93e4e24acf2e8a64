import { parquetFile } from "../../lake/parquet.ts";
import { publishedKey } from "../../lake/paths.ts";
import type { DataFile } from "../avro/schemas.ts";
import type { TableName } from "../metadata.ts";
import { dataFile } from "./file-entry.ts";
import type { PublishParts } from "./tables.ts";

/** Ids that the format keeps for the columns of files of deleted places. */
const PATH_FIELD = 2_147_483_546;
const POSITION_FIELD = 2_147_483_545;

/** Writes the places, ascending, of rows of files that no longer count: a file of paths and positions, sorted by both. */
export const writeDeletes = async (
  parts: PublishParts,
  project: number,
  table: TableName,
  gone: ReadonlyMap<{ readonly key: string }, readonly number[]>,
): Promise<DataFile> => {
  const places = [...gone].map(([{ key }, at]) => ({ path: parts.objects.uri(key), at })).sort((a, b) => (a.path < b.path ? -1 : 1));
  const paths = places.flatMap(({ path, at }) => at.map(() => path));
  const positions = BigInt64Array.from(
    places.flatMap(({ at }) => at),
    BigInt,
  );
  const { content } = await parquetFile(
    [
      { name: "file_path", fieldId: PATH_FIELD, kind: "utf8", values: paths, nullable: false, repeats: true },
      { name: "pos", fieldId: POSITION_FIELD, kind: "int64", values: positions },
    ],
    paths.length,
    {},
  );
  const key = publishedKey(project, table, "deletes", `${parts.ids.ulid()}.parquet`);
  await parts.objects.put(key, content);
  const bounds = { lower: Buffer.from(paths[0] ?? ""), upper: Buffer.from(paths.at(-1) ?? "") };
  const columns = [
    { id: PATH_FIELD, nulls: 0, bounds },
    { id: POSITION_FIELD, nulls: 0 },
  ];
  return { ...dataFile({ path: parts.objects.uri(key), bytes: content.length, rows: paths.length, columns }), content: 1 };
};
