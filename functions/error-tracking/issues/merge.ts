import { type Issue, Issues } from "../../../lib/error-tracking/issues.ts";
import { ConditionFailed, type Table } from "../../../lib/ports/table.ts";
import { counting } from "../../../lib/table/paging.ts";
import { counterKey } from "../../../lib/table/partitions.ts";
import { getMany, removing } from "../../../lib/table/store.ts";
import { transact } from "../../../lib/table/transact.ts";
import { changeIssue } from "./known-issue.ts";
import { fingerprintHomes, inTransactions, issueFingerprints, issueSpikes, movingFingerprint, movingSpike } from "./moved.ts";
import { issueReferences, movingReferences } from "./moved-references.ts";

/**
 * Makes one issue of several: their fingerprints and spikes lead to the target, so that later exceptions do too, what they are tied to
 * at providers is tied to it, and then they are removed. False when there is nothing to merge. An issue is removed last, so a merge
 * that was cut off is finished by asking again.
 */
export const mergeIssues = async (table: Table, target: Issue, ids: readonly string[]): Promise<boolean> => {
  const { project } = target;
  const others = [...new Set(ids)].filter((id) => id !== target.id);
  const sources =
    others.length === 0
      ? []
      : await getMany(
          table,
          Issues,
          others.map((id) => ({ project, id })),
          { consistent: true },
        );
  if (sources.length === 0) return false;
  for (const { id } of sources) {
    const fingerprints = await issueFingerprints(table, project, id);
    const homes = await fingerprintHomes(table, project, fingerprints);
    const spikes = await issueSpikes(table, project, id);
    const references = await issueReferences(table, project, id);
    await inTransactions(table, [
      ...fingerprints.flatMap((each) => movingFingerprint(each, target.id, homes.get(each.fingerprint) ?? id)),
      ...spikes.map((spike) => movingSpike(spike, target.id)),
      ...(await movingReferences(table, references, target.id, ({ home }) => home ?? id)),
    ]);
  }
  const first_seen = [target, ...sources].map((issue) => issue.first_seen).sort()[0] ?? target.first_seen;
  await changeIssue(table, project, target.id, { set: { first_seen, assignee: target.assignee ?? soleAssignee(sources) } });
  for (const source of sources) await removeIssue(table, source);
  return true;
};

/** The one that all assigned sources share; nobody where they differ. */
const soleAssignee = (sources: readonly Issue[]): Issue["assignee"] => {
  const assignees = new Map(sources.flatMap(({ assignee }) => (assignee === null ? [] : [[`${assignee.type} ${assignee.id}`, assignee]])));
  const [only, ...others] = assignees.values();
  return only !== undefined && others.length === 0 ? only : null;
};

const removeIssue = async (table: Table, { project, id }: Issue): Promise<void> => {
  try {
    await transact(table, [removing(Issues, { project, id }, { kind: "present" }), counting(counterKey("issueCount", project), -1)]);
  } catch (error) {
    // Another call merged it away in the meantime.
    if (!(error instanceof ConditionFailed)) throw error;
  }
};
