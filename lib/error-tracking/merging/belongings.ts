import type { Table } from "../../ports/table.ts";
import { getMany } from "../../table/store.ts";
import { transactWhatHolds } from "../../table/transact.ts";
import type { ExternalReference } from "../external-references.ts";
import type { Fingerprint } from "../fingerprints.ts";
import { readIssueFingerprints } from "../issue-fingerprints.ts";
import { Issues, MergedIssues } from "../issues.ts";
import type { SpikeEvent } from "../spike-events.ts";
import { readHomes } from "./fingerprint-moves.ts";
import { issueReferences, moveReferencesTo } from "./moved-references.ts";
import { issueSpikes, movingSpike } from "./moved-spikes.ts";

/** Something of an issue, with the issue that it would be of if nothing had been merged. */
export interface Homed<T> {
  readonly what: T;
  readonly home: string;
}

/** All that an issue has, whether it was merged or not. */
export interface Belongings {
  readonly fingerprints: readonly { readonly fingerprint: Fingerprint; readonly home: string }[];
  readonly spikes: readonly Homed<SpikeEvent>[];
  readonly references: readonly Homed<ExternalReference>[];
  readonly homes: ReadonlySet<string>;
}

export const readBelongings = async (table: Table, project: number, id: string): Promise<Belongings> => {
  const [known] = [
    ...(await getMany(table, MergedIssues, [{ project, id }], { consistent: true })),
    ...(await getMany(table, Issues, [{ project, id }], { consistent: true })),
  ];
  const [fingerprints, spikes, references] = await Promise.all([
    readIssueFingerprints(table, { project, id, origin: known?.origin }),
    issueSpikes(table, project, id),
    issueReferences(table, project, id),
  ]);
  const homes = await readHomes(table, project, fingerprints);
  const homed = <T extends { readonly home?: string | undefined }>(what: T): Homed<T> => ({ what, home: what.home ?? id });
  const own = {
    fingerprints: fingerprints.map((fingerprint) => ({ fingerprint, home: homes.get(fingerprint.fingerprint) ?? id })),
    spikes: spikes.map(homed),
    references: references.map(homed),
  };
  return { ...own, homes: new Set(Object.values(own).flatMap((some) => some.map(({ home }) => home))) };
};

type RootOf = (home: string) => string;

/** A home need not be kept in mind by what is there. */
const homeAt = (home: string, root: string): string | undefined => (home === root ? undefined : home);

/** Spikes that are gone by now are left out. */
export const moveSpikes = async (table: Table, spikes: readonly Homed<SpikeEvent>[], rootOf: RootOf): Promise<void> => {
  const writes = spikes.flatMap(({ what, home }) => {
    const root = rootOf(home);
    return root === what.issue_id ? [] : movingSpike(what, root, homeAt(home, root));
  });
  await transactWhatHolds(table, writes);
};

export const moveReferences = async (table: Table, references: readonly Homed<ExternalReference>[], rootOf: RootOf): Promise<void> => {
  const moved = references.filter(({ what, home }) => rootOf(home) !== what.issue_id);
  for (const [root, some] of Map.groupBy(moved, ({ home }) => rootOf(home))) {
    const homes = new Map(some.map(({ what, home }) => [what.id, home]));
    await moveReferencesTo(
      table,
      some.map(({ what }) => what),
      root,
      ({ id }) => homeAt(homes.get(id) ?? root, root),
    );
  }
};
