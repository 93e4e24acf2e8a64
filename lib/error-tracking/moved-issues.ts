import { QueryError } from "../hogql/errors.ts";
import type { MovedIssues } from "../hogql/options.ts";
import { rowList } from "../hogql/row-list.ts";
import type { Table } from "../ports/table.ts";
import { pages } from "../table/store.ts";
import { MovedFingerprints } from "./fingerprints.ts";
import { MergedIssues } from "./issues.ts";
import { chainOf } from "./merging/merge-chains.ts";

/** Moved fingerprints and merged issues that one query goes by, together: they are read and put into a file for it. */
const MOST = 250_000;

/**
 * Where stored events lead now, as the language reads it. Fingerprints are read before the issues that were merged, so that an issue
 * merged in between is followed: what was moved since is found by the issue that it was moved from. Throws `QueryError` where they are
 * more than a query can go by.
 */
export const readMovedIssues = async (table: Table, project: number): Promise<MovedIssues> => {
  const fingerprints: (readonly [string, string])[] = [];
  for await (const some of pages(table, MovedFingerprints, "key", { project }, { consistent: true })) {
    for (const { fingerprint, issue_id } of some) fingerprints.push([fingerprint, issue_id]);
    check(fingerprints.length);
  }
  const into = new Map<string, string>();
  for await (const some of pages(table, MergedIssues, "key", { project }, { consistent: true })) {
    for (const { id, merged_into } of some) into.set(id, merged_into);
    check(fingerprints.length + into.size);
  }
  return {
    fingerprints: pairs(fingerprints.map(([fingerprint, issue]) => [fingerprint, follow(into, issue)])),
    issues: pairs([...into.keys()].map((id) => [id, follow(into, id)])),
  };
};

const check = (count: number): void => {
  if (count > MOST) throw new QueryError("query_too_large", TOO_MANY);
};

const TOO_MANY = `Merging and splitting issues has moved more than ${MOST} fingerprints and issues of this project, which is more than a query can follow. Ask by \`properties.$exception_fingerprint\` instead of the issue.`;

const follow = (into: ReadonlyMap<string, string>, id: string): string => chainOf(into, id).at(-1) ?? id;

const pairs = (all: readonly (readonly [string, string])[]) =>
  rowList([
    { name: "source", kind: "text", values: all.map(([source]) => source) },
    { name: "target", kind: "text", values: all.map(([, target]) => target) },
  ]);
