import type { Table } from "../../ports/table.ts";
import { getMany } from "../../table/store.ts";
import { transactWhatHolds } from "../../table/transact.ts";
import type { ExternalReference } from "../external-references.ts";
import type { Fingerprint } from "../fingerprints.ts";
import { readIssueFingerprints } from "../issue-fingerprints.ts";
import { Issues, MergedIssues } from "../issues.ts";
import type { SpikeEvent } from "../spike-events.ts";
import { readOriginalIssues } from "./fingerprint-moves.ts";
import { issueReferences, moveReferencesTo } from "./moved-references.ts";
import { issueSpikes, movingSpike } from "./moved-spikes.ts";

/** A record of an issue, with its original issue: the one that it would be of if nothing had been merged. */
export interface WithOriginal<T> {
  readonly record: T;
  readonly original: string;
}

/** The records of an issue, whether it was merged or not, and their original issues. */
export interface RelatedRecords {
  readonly fingerprints: readonly { readonly fingerprint: Fingerprint; readonly original: string }[];
  readonly spikes: readonly WithOriginal<SpikeEvent>[];
  readonly references: readonly WithOriginal<ExternalReference>[];
  readonly originals: ReadonlySet<string>;
}

export const readRelatedRecords = async (table: Table, project: number, id: string): Promise<RelatedRecords> => {
  const [known] = [
    ...(await getMany(table, MergedIssues, [{ project, id }], { consistent: true })),
    ...(await getMany(table, Issues, [{ project, id }], { consistent: true })),
  ];
  const [fingerprints, spikes, references] = await Promise.all([
    readIssueFingerprints(table, { project, id, origin: known?.origin }),
    issueSpikes(table, project, id),
    issueReferences(table, project, id),
  ]);
  const originals = await readOriginalIssues(table, project, fingerprints);
  const withOriginal = <T extends { readonly home?: string | undefined }>(record: T): WithOriginal<T> => ({
    record,
    original: record.home ?? id,
  });
  const own = {
    fingerprints: fingerprints.map((fingerprint) => ({ fingerprint, original: originals.get(fingerprint.fingerprint) ?? id })),
    spikes: spikes.map(withOriginal),
    references: references.map(withOriginal),
  };
  return { ...own, originals: new Set(Object.values(own).flatMap((some) => some.map(({ original }) => original))) };
};

type RootOf = (original: string) => string;

/** What is at its original issue remembers none. */
const rememberedOriginal = (original: string, root: string): string | undefined => (original === root ? undefined : original);

/** Spikes that are gone by now are left out. */
export const moveSpikes = async (table: Table, spikes: readonly WithOriginal<SpikeEvent>[], rootOf: RootOf): Promise<void> => {
  const writes = spikes.flatMap(({ record, original }) => {
    const root = rootOf(original);
    return root === record.issue_id ? [] : movingSpike(record, root, rememberedOriginal(original, root));
  });
  await transactWhatHolds(table, writes);
};

export const moveReferences = async (
  table: Table,
  references: readonly WithOriginal<ExternalReference>[],
  rootOf: RootOf,
): Promise<void> => {
  const moved = references.filter(({ record, original }) => rootOf(original) !== record.issue_id);
  for (const [root, some] of Map.groupBy(moved, ({ original }) => rootOf(original))) {
    const originals = new Map(some.map(({ record, original }) => [record.id, original]));
    await moveReferencesTo(
      table,
      some.map(({ record }) => record),
      root,
      ({ id }) => rememberedOriginal(originals.get(id) ?? root, root),
    );
  }
};
