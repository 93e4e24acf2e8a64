import { writtenVersion } from "../core/formats.ts";
import { MINUTE_MS } from "../core/time.ts";
import type { Item, Table } from "../ports/table.ts";
import { CATALOGUE_FORMAT } from "./catalogue.ts";
import { lakePk, PUBLISHED_FOLDER, publishedSk, publishSk, SEGMENT_FOLDER } from "./paths.ts";

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
  v: writtenVersion(CATALOGUE_FORMAT),
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

/** All published tables of a project. */
export const readPublications = async (table: Table, project: number): Promise<readonly Publication[]> => {
  const publications: Publication[] = [];
  let cursor: string | null = null;
  do {
    const page = await table.query({ pk: lakePk(project), sk: { prefix: publishedSk("") }, consistent: true, cursor });
    publications.push(...page.items.map(decodePublication));
    cursor = page.cursor;
  } while (cursor !== null);
  return publications;
};

/** Where nothing is published any more: forgets the tables, so that the next audit finds their objects named by nobody. */
export const forgetPublications = async (table: Table, project: number): Promise<void> => {
  for (const { table: name } of await readPublications(table, project)) await table.remove({ pk: lakePk(project), sk: publishedSk(name) });
};

/** What the clocks of two functions differ by, at most. */
const CLOCKS_DIFFER_MS = 2 * MINUTE_MS;

/** A publication that is not named so long after the head was read is given up, so what it wrote is at most so much younger than that. */
export const PUBLISH_WITHIN_MS = 15 * MINUTE_MS;

/** A head that was longer on its way is read again, so a snapshot names nothing that came later than so long after its head was asked for. */
export const HEAD_WITHIN_MS = MINUTE_MS;

/** A swap retires what it replaces this long, at most, before it takes place. */
interface Swapping {
  readonly swapWithinMs: number;
}

/**
 * Whether a snapshot that is still listed may name an object that was retired at a time: one was made of a head that was read while the
 * object was there. Says yes in doubt, but waiting segments are in no table.
 */
export const mayBeNamed = (publications: readonly Publication[], key: string, retiredAt: number, { swapWithinMs }: Swapping): boolean => {
  if (key.startsWith(SEGMENT_FOLDER)) return false;
  const isMetadata = key.startsWith(PUBLISHED_FOLDER);
  const from = timeInKey(key) - (isMetadata ? PUBLISH_WITHIN_MS : HEAD_WITHIN_MS) - CLOCKS_DIFFER_MS;
  const to = retiredAt + swapWithinMs + CLOCKS_DIFFER_MS;
  return publications.some(({ reads }) => reads.some((read) => from <= read && read <= to));
};

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** The time in the ULID that ends a key's name, milliseconds since 1970; long ago where there is none. */
const timeInKey = (key: string): number => {
  const [, time] = ULID_AT_END.exec(key) ?? [];
  if (time === undefined) return Number.NEGATIVE_INFINITY;
  return [...time].reduce((sum, character) => sum * CROCKFORD.length + CROCKFORD.indexOf(character), 0);
};

const ULID_AT_END = /([0-9A-HJKMNP-TV-Z]{10})[0-9A-HJKMNP-TV-Z]{16}(?:\.[a-z.]+)?$/;
