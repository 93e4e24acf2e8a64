import { isReadable } from "../../core/formats.ts";
import { pack, unpack } from "../../core/pack.ts";
import { Defect } from "../../core/unreachable.ts";
import type { Item, Query, Table } from "../../ports/table.ts";
import { CATALOGUE_FORMAT, type Commit } from "../catalogue.ts";
import { type Head, parseHead } from "../head.ts";
import { commitSk, dueKeys, HEAD_SK, lakePk } from "../paths.ts";

/** A drain whose commit item would be larger than this is committed in two (an item may have 400 KB). */
export const MAX_COMMIT_BYTES = 300_000;

/**
 * The item of a commit: what it says is packed into one attribute, because units are paid by size; its index keys name lane,
 * time and rows, so that a sweep can mostly decide without reading it. Throws nothing; compare `commitBytes` first.
 */
export const commitItem = (project: number, commit: Commit): Item => {
  const { v, id, at, lane, receivedAt, segments, deltas, over } = commit;
  const rows = segments.reduce((sum, segment) => sum + segment.rows, 0);
  return {
    pk: lakePk(project),
    sk: commitSk(id),
    v,
    at,
    lane,
    body: pack({ segments, deltas, ...(over !== undefined && { over }), ...(receivedAt !== undefined && { receivedAt }) }),
    ...dueKeys(project, { at, lane, rows, id }),
  };
};

/** Bytes of a commit item, nearly. */
export const commitBytes = (item: Item): number => (item.body instanceof Uint8Array ? item.body.length : 0) + 250;

/** The commit of an item. Throws a `Defect` for a format that this program does not know. */
export const decodeCommit = (item: Item): Commit => {
  const { v, at, lane, body } = item;
  if (!isReadable(v, CATALOGUE_FORMAT) || typeof at !== "number" || !(body instanceof Uint8Array))
    throw new Defect(`commit ${item.sk} has a format that this version does not know`);
  return { v, id: item.sk.slice(PREFIX.length), at, lane: lane === "historical" ? "historical" : "live", ...unpackBody(body) };
};

/** Every waiting or recently absorbed commit of a project, oldest id first; from an id on where one is given. Consistent, all pages. */
export const readCommits = async (table: Table, project: number, from?: string): Promise<readonly Commit[]> => {
  const sk = from === undefined ? { prefix: PREFIX } : { from: commitSk(from), to: commitSk(BEHIND_ALL) };
  return (await readItems(table, project, sk)).map(decodeCommit);
};

/**
 * All of these commits, and the head as it was when they had been read, or later: it lies behind them in their partition, with the few
 * small items between them. Consistent, all pages.
 */
export const readCommitsAndHead = async (
  table: Table,
  project: number,
): Promise<{ readonly commits: readonly Commit[]; readonly head: Head }> => {
  const items = await readItems(table, project, { from: PREFIX, to: HEAD_SK });
  const head = items.find(({ sk }) => sk === HEAD_SK);
  return { commits: items.filter(({ sk }) => sk.startsWith(PREFIX)).map(decodeCommit), head: parseHead(project, head) };
};

const readItems = async (table: Table, project: number, sk: NonNullable<Query["sk"]>): Promise<readonly Item[]> => {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const page = await table.query({ pk: lakePk(project), sk, consistent: true, cursor });
    items.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== null);
  return items;
};

const PREFIX = commitSk("");

/** A ULID begins with a digit. */
const BEHIND_ALL = "Z";

/** Only `commitItem` wrote the body, so it has this shape. */
const unpackBody = (body: Uint8Array): Body => unpack(body) as Body;

type Body = Pick<Commit, "segments" | "deltas" | "over" | "receivedAt">;
