import type { Item, Table } from "../ports/table.ts";
import { CATALOGUE_FORMAT } from "./catalogue.ts";
import { lakePk, publishedSk, publishSk } from "./paths.ts";

/** Where a published table stands: one item, changed only on condition of what it said before. */
export interface Publication {
  readonly table: string;
  /** Key of the object that describes the table. */
  readonly metadata: string;
  readonly snapshot: number;
  /** Milliseconds since 1970: when it was published. */
  readonly at: number;
  /** A digest of what the newest snapshot was made from. */
  readonly state: string;
  /** When the head was read of which each snapshot was made, oldest first: a snapshot names no file that was gone before or came after. */
  readonly reads: readonly number[];
}

/** One published table of a project; undefined where none was published yet. */
export const readPublication = async (table: Table, project: number, name: string): Promise<Publication | undefined> => {
  const item = await table.get({ pk: lakePk(project), sk: publishedSk(name) }, { consistent: true });
  return item && decodePublication(item);
};

export const publicationItem = (project: number, { table, metadata, snapshot, at, state, reads }: Publication): Item => ({
  pk: lakePk(project),
  sk: publishedSk(table),
  v: CATALOGUE_FORMAT,
  metadata,
  snapshot,
  at,
  state,
  reads,
});

/** Only `publicationItem` makes these items. */
const decodePublication = ({ sk, metadata, snapshot, at, state, reads }: Item): Publication => ({
  table: sk.slice(publishedSk("").length),
  metadata: String(metadata),
  snapshot: Number(snapshot),
  at: Number(at),
  state: String(state),
  reads: Array.isArray(reads) ? reads.map(Number) : [],
});

/** Takes away the marks of swaps that wait to be published. Whoever does so has to read the head afterwards. */
export const takePublishMarks = async (table: Table, project: number): Promise<void> => {
  const { items } = await table.query({ pk: lakePk(project), sk: { prefix: publishSk("") }, consistent: true });
  for (const { pk, sk } of items) await table.remove({ pk, sk });
};
