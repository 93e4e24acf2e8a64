import { type Head, STATE_ENTRY, type StateFile } from "../../lake/catalogue.ts";
import { type FoldedFiles, foldedFiles } from "../../lake/gathered-files.ts";
import { parquetFile } from "../../lake/parquet.ts";
import { publishedKey } from "../../lake/paths.ts";
import type { DataFile } from "../avro/schemas.ts";
import { type Bounds, textBounds, uuidBounds } from "../bounds.ts";
import { DISTINCT_ID_FIELDS, type Field, GONE_FIELD, PERSON_FIELDS } from "../columns.ts";
import type { TableName } from "../metadata.ts";
import { dataFile } from "./file-entry.ts";
import { type FileGroup, type PublishedTable, type PublishParts, WHOLE_SPEC } from "./tables.ts";

/** Ids that the format keeps for the columns of files of deleted places. */
const PATH_FIELD = 2_147_483_546;
const POSITION_FIELD = 2_147_483_545;

const groups = ({ manifests }: Head): readonly FileGroup[] => {
  const version = manifests[STATE_ENTRY];
  return version === undefined ? [] : [{ entry: STATE_ENTRY, version }];
};

/** Rows by a key, in files whose layers replace rows of those below: the published table deletes what is replaced by its place. */
const stateTable = (
  name: TableName,
  kind: "persons" | "distinctIds",
  fields: readonly Field[],
  keyBounds: (keys: readonly [string, string]) => Bounds,
): PublishedTable => ({
  name,
  fields,
  unlisted: [GONE_FIELD],
  specs: [WHOLE_SPEC],
  groups,
  async files(parts, project, { version }) {
    const folded = await foldedFiles(parts.objects, project, kind, version);
    if (folded === undefined) return undefined;
    const files = folded.files.map((file) => rowsFile(parts, fields, file, keyBounds));
    return folded.replaced.size === 0 ? files : [...files, await writeDeletes(parts, project, name, folded)];
  },
});

/** Persons as far as they are folded. */
export const personsTable = stateTable("persons", "persons", PERSON_FIELDS, uuidBounds);

/** The ids whose person is another than their own hash, which the events' `person_id` may still name. */
export const distinctIdsTable = stateTable("person_distinct_ids", "distinctIds", DISTINCT_ID_FIELDS, textBounds);

/** No column of theirs has nulls, and they are sorted by the first. */
const rowsFile = (
  { objects }: PublishParts,
  fields: readonly Field[],
  { key, bytes, rows, keys }: StateFile,
  keyBounds: (keys: readonly [string, string]) => Bounds,
): DataFile => {
  const bounds = keys && keyBounds(keys);
  const columns = fields.map(({ id }, at) => ({ id, nulls: 0, ...(at === 0 && bounds && { bounds }) }));
  return dataFile({ path: objects.uri(key), bytes, rows, columns });
};

/** Writes the places of rows that are not current: a file of paths and positions, sorted by both. */
const writeDeletes = async (parts: PublishParts, project: number, table: TableName, { replaced }: FoldedFiles): Promise<DataFile> => {
  const places = [...replaced].map(([{ key }, at]) => ({ path: parts.objects.uri(key), at })).sort((a, b) => (a.path < b.path ? -1 : 1));
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
