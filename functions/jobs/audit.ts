import { partitionDays } from "../../lib/event/time-partitions.ts";
import { type Job, sendAllJobs } from "../../lib/jobs/jobs.ts";
import { audit } from "../../lib/lake/audit.ts";
import { STATE_ENTRY } from "../../lib/lake/catalogue.ts";
import { earnedBy, hasNewColumns, readEarned } from "../../lib/lake/earned-properties.ts";
import { readHead } from "../../lib/lake/head.ts";
import type { Policy } from "../../lib/lake/policy.ts";
import { forgetPublications } from "../../lib/lake/published.ts";
import type { Budget } from "../../lib/ports/system.ts";
import { Projects } from "../../lib/projects/projects.ts";
import { get } from "../../lib/table/store.ts";
import { usageJob } from "./usage.ts";
import type { JobWorld } from "./world.ts";

/** Left for the audit when months are removed first. */
const AUDIT_MS = 300_000;

/**
 * Removes the months that a project keeps no longer, deletes what nobody names, and asks for the work that was given up and that nobody
 * reminds of any more.
 */
export const auditJob = async (world: JobWorld, policy: Policy, project: number, budget: Budget): Promise<void> => {
  await removeOld(world, policy, project, budget);
  if (policy.publishEveryMs === null) await forgetPublications(world.table, project);
  const unsealed = await audit(world, policy, project, async () => (await loadPublished()).publishedKeys(world, project));
  const lacking = await lackColumns(world, project);
  const compactJob = (partition: string, seal: boolean): Job<"compact"> => ({ kind: "compact", project, partition, upTo: "", seal });
  await sendAllJobs(world.queues, [
    ...unsealed.map((partition) => compactJob(partition, true)),
    ...lacking.filter((partition) => !unsealed.includes(partition)).map((partition) => compactJob(partition, false)),
  ]);
};

/** The months whose files may lack columns that properties have earned lately, newest first: without traffic nothing else asks for them. */
const lackColumns = async ({ table, clock }: JobWorld, project: number): Promise<readonly string[]> => {
  const now = clock.now();
  if (!hasNewColumns(earnedBy(await readEarned(table, project, now), "event"), now)) return [];
  const { manifests } = await readHead(table, project);
  const partitions = Object.keys(manifests).filter((entry) => entry !== STATE_ENTRY);
  return partitions.sort((a, b) => partitionDays(b)[1] - partitionDays(a)[1]);
};

/** What these months hold is counted first: it stays owed for. */
const removeOld = async (world: JobWorld, policy: Policy, id: number, budget: Budget): Promise<void> => {
  const project = await get(world.table, Projects, { id }, { consistent: true });
  if (project === undefined || project.retention_months === null) return;
  await usageJob(world, policy, { project: id });
  const { removeOldMonths } = await loadRetention();
  const rows = await removeOldMonths(world, policy, project, { remainingMs: () => budget.remainingMs() - AUDIT_MS });
  if (rows > 0) world.log.line("info", "months_removed", { project: id, rows });
};

/** It reads files of rows, and the registry is read by many that never do. */
const loadRetention = () => import("../../lib/erasure/retention.ts");

/** Few stages publish. */
const loadPublished = () => import("../../lib/iceberg/published-keys.ts");
