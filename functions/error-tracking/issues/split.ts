import type { World } from "../../../lib/app/world.ts";
import { isoMicros } from "../../../lib/core/time.ts";
import { type Fingerprint, Fingerprints } from "../../../lib/error-tracking/fingerprints.ts";
import { type Issue, Issues } from "../../../lib/error-tracking/issues.ts";
import { counting } from "../../../lib/table/paging.ts";
import { counterKey } from "../../../lib/table/partitions.ts";
import { getMany, putting } from "../../../lib/table/store.ts";
import { changeIssue } from "./known-issue.ts";
import {
  earliestFirstSeen,
  fingerprintHomes,
  inTransactions,
  issueFingerprints,
  issueSpikes,
  movingFingerprint,
  removingSpike,
} from "./moved.ts";
import { issueReferences, movingReferences } from "./moved-references.ts";

/** A fingerprint that is to have an issue of its own. */
export interface Part {
  readonly fingerprint: string;
  readonly name?: string | null | undefined;
  readonly description?: string | null | undefined;
}

const UNTITLED = "Untitled issue";

/** No fingerprint is longer. */
const MOST_CHARACTERS = 200;

/**
 * Gives each of an issue's fingerprints that is named an issue of its own, and returns their ids; those of other issues are passed over.
 * With the first fingerprint of an issue that was merged goes what that one was tied to at providers.
 */
export const splitIssue = async (world: World, issue: Issue, parts: readonly Part[]): Promise<readonly string[]> => {
  const { table } = world;
  const { project } = issue;
  const named = new Map(parts.map((part) => [part.fingerprint, part]));
  const keys = [...named.keys()].flatMap((fingerprint) => (fingerprint.length <= MOST_CHARACTERS ? { project, fingerprint } : []));
  const known = keys.length === 0 ? [] : await getMany(table, Fingerprints, keys, { consistent: true });
  const own = known.filter(({ issue_id }) => issue_id === issue.id);
  if (own.length === 0) return [];
  const ids: string[] = [];
  const homes = await fingerprintHomes(table, project, own);
  const merged = Map.groupBy(await issueReferences(table, project, issue.id), ({ home }) => home);
  merged.delete(undefined);
  for (const fingerprint of own) {
    const made = newIssue(world, fingerprint, named.get(fingerprint.fingerprint));
    ids.push(made.id);
    await inTransactions(table, [
      putting(Issues, made),
      ...movingFingerprint(fingerprint, made.id),
      counting(counterKey("issueCount", project), 1),
    ]);
    const home = homes.get(fingerprint.fingerprint);
    await inTransactions(table, await movingReferences(table, merged.get(home) ?? [], made.id, () => undefined));
    merged.delete(home);
  }
  await inTransactions(table, (await issueSpikes(table, project, issue.id)).map(removingSpike));
  const gone = new Set(own.map(({ fingerprint }) => fingerprint));
  const left = (await issueFingerprints(table, project, issue.id)).filter(({ fingerprint }) => !gone.has(fingerprint));
  await changeIssue(table, project, issue.id, { set: { first_seen: earliestFirstSeen(left) ?? issue.first_seen } });
  return ids;
};

const newIssue = ({ ids, clock }: World, { project, first_seen, created_at }: Fingerprint, part: Part | undefined): Issue => ({
  project,
  id: ids.uuid(),
  status: "active",
  severity: null,
  name: part?.name ?? UNTITLED,
  description: part?.description ?? null,
  first_seen: first_seen ?? created_at,
  assignee: null,
  created_at: isoMicros(clock.now()),
});
