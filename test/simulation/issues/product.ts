import { changeIssueFields } from "../../../functions/error-tracking/issues/issue-changes.ts";
import { knownIssue } from "../../../functions/error-tracking/issues/known-issue.ts";
import type { Issue, WRITABLE_STATUSES } from "../../../lib/error-tracking/issues.ts";
import { mergeIssues } from "../../../lib/error-tracking/merge-issues.ts";
import { ErrorTrackingSettings, SpikeDetectionConfigs } from "../../../lib/error-tracking/settings.ts";
import { settleIssues } from "../../../lib/error-tracking/settle-issues.ts";
import { splitIssue } from "../../../lib/error-tracking/split-issue.ts";
import { trackExceptions } from "../../../lib/error-tracking/track.ts";
import { unmergeIssues } from "../../../lib/error-tracking/unmerge-issues.ts";
import type { EventRow } from "../../../lib/event/event.ts";
import { ApiError } from "../../../lib/http/errors.ts";
import type { Ports } from "../../../lib/ports/ports.ts";
import { put } from "../../../lib/table/store.ts";
import type { Scenario } from "./scenario.ts";
import { PROJECT } from "./stored.ts";

/** What the simulation asks of the product, as its routes and jobs do. The judge knows nothing of this file. */

/** The parts of a world that error tracking works with. */
export type Parts = Pick<Ports, "table" | "objects" | "clock" | "ids" | "queues" | "log">;

const USER = 1;

/** The answer, or null where it is 404. */
const found = async <T>(asked: () => Promise<T>): Promise<T | null> => {
  try {
    return await asked();
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
};

const issue = ({ table }: Parts, id: string): Promise<Issue> => knownIssue(table, PROJECT, id);

export const find = (parts: Parts, id: string): Promise<Issue | null> => found(() => issue(parts, id));

export const merge = (parts: Parts, target: string, ids: readonly string[]) =>
  found(async () => mergeIssues(parts, await issue(parts, target), ids, USER));

export const unmerge = (parts: Parts, target: string, ids: readonly string[]) =>
  found(async () => unmergeIssues(parts, await issue(parts, target), ids, USER));

export const split = (parts: Parts, id: string, fingerprints: readonly string[]) =>
  found(async () =>
    splitIssue(
      parts,
      await issue(parts, id),
      fingerprints.map((fingerprint) => ({ fingerprint })),
      USER,
    ),
  );

export const setStatus = (parts: Parts, id: string, status: (typeof WRITABLE_STATUSES)[number]) =>
  found(async () => changeIssueFields(parts, await issue(parts, id), USER, { status }));

/** What the job does; false where it has to come again. */
export const settle = (parts: Parts): Promise<boolean> => settleIssues(parts, PROJECT, () => true);

export const track = (parts: Parts, rows: readonly { readonly row: EventRow; readonly delivery: string }[]) =>
  trackExceptions(parts, PROJECT, rows);

/** Sets how many exceptions of an issue may be stored in an hour, and of how many in five minutes on they are a spike. */
export const configure = async (parts: Parts, { limit, spike }: Pick<Scenario, "limit" | "spike">): Promise<void> => {
  await put(parts.table, ErrorTrackingSettings, {
    project: PROJECT,
    project_rate_limit_value: null,
    project_rate_limit_bucket_size_minutes: null,
    per_issue_rate_limit_value: limit,
    per_issue_rate_limit_bucket_size_minutes: limit === null ? null : 60,
  });
  await put(parts.table, SpikeDetectionConfigs, { project: PROJECT, snooze_duration_minutes: 1, multiplier: 1, threshold: spike });
};
