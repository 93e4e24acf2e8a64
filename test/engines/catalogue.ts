import type { TableName } from "./columns.ts";
import type { Lake } from "./lake.ts";
import type { Catalogue } from "./readers/reader.ts";

/** The part of a table's description that says what may be read. */
interface Description {
  readonly metadata: {
    readonly "current-snapshot-id": number;
    readonly snapshots: readonly { readonly "snapshot-id": number; readonly "timestamp-ms": number }[];
  };
}

/** What the catalogue says of a table: ids of its newest snapshot, and of all that readers may go back to. */
export interface TableState {
  readonly current: string;
  readonly all: readonly string[];
}

/** The address, key and names by which engines attach. */
export const catalogueOf = ({ origin, personalKey, project }: Lake): Catalogue => ({
  uri: `${origin}/iceberg`,
  token: personalKey,
  namespace: `project_${project}`,
});

/** Asks the catalogue as an engine does. */
export const tableState = async ({ uri, token, namespace }: Catalogue, table: TableName): Promise<TableState> => {
  const reply = await fetch(`${uri}/v1/namespaces/${namespace}/tables/${table}`, { headers: { authorization: `Bearer ${token}` } });
  if (!reply.ok) throw new Error(`the catalogue answered ${reply.status} for ${table}: ${await reply.text()}`);
  const text = await reply.text();
  // Ids of snapshots are larger than what a double holds.
  const quoted = text.replaceAll(/("(?:current-snapshot-id|snapshot-id)"\s*:\s*)(\d+)/g, '$1"$2"');
  const { metadata } = JSON.parse(quoted) as Description;
  return { current: String(metadata["current-snapshot-id"]), all: metadata.snapshots.map((one) => String(one["snapshot-id"])) };
};
