import { STATE_ENTRY, type StateFile } from "../../lake/catalogue.ts";
import { foldedFiles } from "../../lake/gathered-files.ts";
import type { Head } from "../../lake/head.ts";
import type { DataFile } from "../avro/schemas.ts";
import { type Bounds, textBounds, uuidBounds } from "../bounds.ts";
import { DISTINCT_ID_FIELDS, type Field, GONE_FIELD, PERSON_FIELDS } from "../columns.ts";
import type { TableName } from "../metadata.ts";
import { writeDeletes } from "./deletes.ts";
import { dataFile, earnedOf } from "./file-entry.ts";
import { type FileGroup, type PublishedTable, type PublishParts, WHOLE_SPEC } from "./tables.ts";

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
    const deletes = folded.replaced.size === 0 ? [] : [await writeDeletes(parts, project, name, folded.replaced)];
    return { files: [...files, ...deletes], columns: earnedOf(folded.files) };
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
