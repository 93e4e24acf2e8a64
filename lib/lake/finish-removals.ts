import { HOUR_MS } from "../core/time.ts";
import type { Budget } from "../ports/system.ts";
import { type Condition, ConditionFailed } from "../ports/table.ts";
import type { CompactParts } from "./catalogue/parts.ts";
import { forgetPutOff } from "./catalogue/retired.ts";
import type { Removals } from "./catalogue.ts";
import { lakePk, laterKeys, REMOVALS_SK } from "./paths.ts";
import type { Policy } from "./policy.ts";
import { changeRemovals } from "./removal/change-removals.ts";
import { cleanFiles } from "./removal/clean.ts";
import { flattenState } from "./removal/rebuild-persons.ts";
import { type RemovalOutcome, removeRows } from "./remove-rows.ts";

/** Deletes what nothing names, as old as a policy says, of a project. */
export type DeleteOrphans = (policy: Policy) => Promise<void>;

/**
 * So long after a removal began, what is so old and named by nothing goes: it was written by whoever did not know of the removal. No drain and
 * no job takes hours, so what somebody still writes is younger.
 */
const ORPHANS_AFTER_MS = 20 * HOUR_MS;
const ORPHAN_AGE_MS = 8 * HOUR_MS;

/**
 * Finishes what removals of rows left to be done: goes on with those that were cut off, and writes everything anew whose bytes still hold
 * their rows. What that replaces is deleted with its time; then goes, too, what was replaced before and waited for snapshots of open tables,
 * and what drains and jobs that died left of the rows. Nobody is reminded any more once all is done, within a day of the removal.
 */
export const finishRemovals = async (
  parts: CompactParts,
  policy: Policy,
  project: number,
  budget: Budget,
  deleteOrphans: DeleteOrphans,
): Promise<RemovalOutcome> => {
  const inTime = (): boolean => budget.remainingMs() > 0;
  const now = parts.clock.now();
  const removals = await changeRemovals(parts, policy, project, (before) => withoutPassed(before, now));
  if (removals === "removed") return removals;
  for (const { removal } of removals.open) {
    const { outcome } = await removeRows(parts, policy, project, removal, budget);
    if (outcome !== "done") return outcome;
  }
  // Whatever is begun from here on leaves a reminder of its own.
  const settled = await changeRemovals(parts, policy, project, (before) => before);
  if (settled === "removed") return settled;
  if (settled.open.length > 0) return "more";
  const cleaned = await cleanFiles(parts, policy, project, inTime);
  if (cleaned !== "done") return cleaned;
  if (!inTime()) return "more";
  if ((await flattenState(parts, policy, project)) === "removed") return "removed";
  const orphansAt = settled.at + ORPHANS_AFTER_MS;
  if (now >= orphansAt) {
    await forgetPutOff(parts, policy, project);
    await deleteOrphans({ ...policy, orphanAgeMs: Math.min(policy.orphanAgeMs, ORPHAN_AGE_MS) });
  }
  const next = [...(now < orphansAt ? [orphansAt] : []), ...settled.imports.map(({ until }) => until)];
  await setReminder(parts, project, settled.id, next);
  return "done";
};

/** Imports of which no copy can come any more. */
const withoutPassed = (before: Removals, now: number): Removals => {
  const imports = before.imports.filter(({ until }) => until > now);
  return imports.length === before.imports.length ? before : { ...before, imports };
};

/** At the first of some times, or never again. Where something was removed meanwhile there is another reminder. */
const setReminder = async ({ table }: CompactParts, project: number, of: string, times: readonly number[]): Promise<void> => {
  const key = { pk: lakePk(project), sk: REMOVALS_SK };
  const isOfThese: Condition = { kind: "equals", attribute: "of", value: of };
  try {
    if (times.length === 0) await table.remove(key, isOfThese);
    else await table.update(key, { set: laterKeys(project, Math.min(...times), REMOVALS_SK) }, isOfThese);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
};
