import { writtenVersion } from "../core/formats.ts";
import { HOUR_MS } from "../core/time.ts";
import { jobText, type LakeJob, lakeTask, readLakeJob } from "../jobs/jobs.ts";
import type { Ports } from "../ports/ports.ts";
import type { Item, Table } from "../ports/table.ts";
import { CATALOGUE_FORMAT } from "./catalogue.ts";
import { FAILING_PK, failedSk, failingKeys, lakePk, projectOfPk } from "./paths.ts";
import type { Policy } from "./policy.ts";

/** The record of a job from its first failure until it succeeds. Written only where one fails. */
export interface Failure {
  readonly job: LakeJob;
  /** Times it was tried in vain, and when for the first and the last time. */
  readonly attempts: number;
  readonly since: number;
  readonly at: number;
  /** When the sweep asks for it again: ever later. */
  readonly againAt: number;
  readonly error: string;
}

/** A job that fails is asked for again once in this time at least. */
const LONGEST_PAUSE_MS = HOUR_MS;

/** As much of an error as an operator needs to see. */
const MAX_ERROR = 300;

type FailureParts = Pick<Ports, "table" | "clock">;

/** The record of a job that failed and has not succeeded since. */
export const readFailure = async (table: Table, job: LakeJob): Promise<Failure | undefined> => {
  const item = await table.get(failureKey(job), { consistent: true });
  return item && decodeFailure(item);
};

/** Remembers that a job failed. A failure before the time of the next attempt is of the same attempt, brought by another message. */
export const recordFailure = async (
  { table, clock }: FailureParts,
  policy: Policy,
  job: LakeJob,
  before: Failure | undefined,
  error: string,
): Promise<Failure> => {
  const now = clock.now();
  const isNew = before === undefined || now >= before.againAt;
  const attempts = (before?.attempts ?? 0) + (isNew ? 1 : 0);
  const againAt = isNew ? now + Math.min(policy.resendMs * 2 ** attempts, LONGEST_PAUSE_MS) : before.againAt;
  const failure: Failure = {
    job,
    attempts,
    since: before?.since ?? now,
    at: now,
    againAt,
    error: error.slice(0, MAX_ERROR).toWellFormed(),
  };
  await table.put(failureItem(failure));
  return failure;
};

export const forgetFailure = (table: Table, job: LakeJob): Promise<void> => table.remove(failureKey(job));

/** The jobs of a project that fail. */
export const listFailures = async (table: Table, project: number): Promise<readonly Failure[]> => {
  const failures: Failure[] = [];
  let cursor: string | null = null;
  do {
    const page = await table.query({ pk: lakePk(project), sk: { prefix: failedSk("") }, consistent: true, cursor });
    failures.push(...page.items.map(decodeFailure));
    cursor = page.cursor;
  } while (cursor !== null);
  return failures;
};

/** Some jobs of a project that fail, in the order of their names: one call. */
export const someFailures = async (table: Table, project: number, most: number): Promise<readonly Failure[]> => {
  const { items } = await table.query({ pk: lakePk(project), sk: { prefix: failedSk("") }, limit: most });
  return items.map(decodeFailure);
};

/** A job that fails, as the index shows it: enough to leave it alone until its time. */
export interface Failing {
  readonly project: number;
  readonly task: string;
  readonly againAt: number;
}

/** Every job that fails, whatever its project, the one whose time comes next first. The index lags. */
export const allFailing = async (table: Table): Promise<readonly Failing[]> => {
  const failing: Failing[] = [];
  let cursor: string | null = null;
  do {
    const page = await table.query({ index: "due", pk: FAILING_PK, cursor });
    for (const { pk, sk, duesk } of page.items)
      failing.push({ project: projectOfPk(pk), task: sk.slice(failedSk("").length), againAt: Number.parseInt(String(duesk), 10) });
    cursor = page.cursor;
  } while (cursor !== null && failing.length < MOST_FAILING);
  return failing;
};

/** Bounds a sweep's memory where everything fails: the others come once these succeed or wait. */
const MOST_FAILING = 20_000;

/** The failure behind an entry of the index; undefined when the job has succeeded meanwhile. */
export const readFailing = async (table: Table, { project, task }: Failing): Promise<Failure | undefined> => {
  const item = await table.get({ pk: lakePk(project), sk: failedSk(task) }, { consistent: true });
  return item && decodeFailure(item);
};

const failureKey = (job: LakeJob): { readonly pk: string; readonly sk: string } => ({
  pk: lakePk(job.project),
  sk: failedSk(lakeTask(job)),
});

const failureItem = ({ job, attempts, since, at, againAt, error }: Failure): Item => {
  const key = failureKey(job);
  return {
    ...key,
    v: writtenVersion(CATALOGUE_FORMAT),
    job: jobText(job),
    attempts,
    since,
    at,
    error,
    ...failingKeys(job.project, againAt, key.sk),
  };
};

/** Only `failureItem` makes these items. */
const decodeFailure = ({ job, attempts, since, at, error, duesk }: Item): Failure => ({
  job: readLakeJob(String(job)),
  attempts: Number(attempts),
  since: Number(since),
  at: Number(at),
  againAt: Number.parseInt(String(duesk), 10),
  error: String(error),
});
