import * as z from "zod";
import { asciiJson } from "../core/ascii-json.ts";
import { isReadable, writtenVersion } from "../core/formats.ts";
import type { Queues } from "../ports/queues.ts";

/** Version of the messages of the jobs queue; the worker accepts this one, the one before and the one after. */
const JOB_FORMAT = 2;

const project = z.int();

/** The jobs of the lake. Each is safe to run twice, late, and beside itself. */
const LakeJobSchema = z.discriminatedUnion("kind", [
  z.object({
    ...{ kind: z.literal("compact"), project, partition: z.string(), upTo: z.string(), seal: z.boolean() },
    /** Which of several shares of the merges; all of them where it is left out, as a worker of the release before does. */
    share: z.object({ at: z.int(), of: z.int() }).optional(),
  }),
  /** Fold the deltas of gathered commits, those up to `upTo` among them, into the state. */
  z.object({ kind: z.literal("fold"), project, upTo: z.string() }),
  /** Bring what the project's manifests count, or the one of a partition, into its organization's usage. */
  z.object({ kind: z.literal("usage"), project, partition: z.string().optional() }),
  z.object({ kind: z.literal("audit"), project }),
  /** Compare the usage of the day before with the rows of the lake. */
  z.object({ kind: z.literal("recount"), project }),
  /** Publish the project's tables as its head says they are. */
  z.object({ kind: z.literal("publish"), project }),
  /** Finish removals of rows: what was cut off, and what their bytes are still in. */
  z.object({ kind: z.literal("remove-rows"), project }),
  /** Delete the data of a removed project. */
  z.object({ kind: z.literal("remove"), project }),
]);
export type LakeJob = z.output<typeof LakeJobSchema>;

const JobSchema = z.discriminatedUnion("kind", [
  LakeJobSchema,
  /** Delete what nothing names of the tables of a version. Safe to run twice, late, and beside itself. */
  z.object({ kind: z.literal("table"), project, endpoint_id: z.guid(), version: z.int() }),
  /** Move what merging issues has left to be moved. Safe to run twice, late, and beside itself. */
  z.object({ kind: z.literal("settle-issues"), project }),
  /** Resolve stored frames of these chunks, whose source maps came late. Safe to run twice, late, and beside itself. */
  z.object({ kind: z.literal("resolve-frames"), project, refs: z.array(z.string()) }),
  /** Delete what belonged to a removed organization. */
  z.object({ kind: z.literal("remove-organization"), organization: z.guid() }),
]);
type AnyJob = z.output<typeof JobSchema>;

/** A message of the jobs queue; `Job<"table">` is one of that kind. */
export type Job<Kind extends AnyJob["kind"] = AnyJob["kind"]> = Extract<AnyJob, { kind: Kind }>;

const Versioned = z.object({ v: z.int().refine((version) => isReadable(version, JOB_FORMAT)) });

/** How a message let others go first. */
const PassesSchema = z.object({
  /** How often it waited. */
  waits: z.int(),
  /** When it went behind the others, milliseconds since 1970; null where it waited since. */
  behindAt: z.int().nullable(),
});
export type Passes = z.output<typeof PassesSchema>;

/** The text of the message that asks for a job. */
export const jobText = (job: Job): string => asciiJson({ v: writtenVersion(JOB_FORMAT), ...job });

/** The text of one that let others go first. */
export const passedText = (job: Job, passes: Passes): string => asciiJson({ v: writtenVersion(JOB_FORMAT), ...job, passes });

/** The job that a message asks for. Throws where it asks for none of this release. */
export const readJob = (text: string): Job => {
  const message = JSON.parse(text);
  Versioned.parse(message);
  return JobSchema.parse(message);
};

/** How the message of a job let others go first so far. */
export const readPasses = (text: string): Passes => z.object({ passes: PassesSchema.default(NO_PASSES) }).parse(JSON.parse(text)).passes;

const NO_PASSES: Passes = { waits: 0, behindAt: null };

/** The job of the lake that a text of `jobText` asks for, as the lake keeps it of one that failed. */
export const readLakeJob = (text: string): LakeJob => {
  const message = JSON.parse(text);
  Versioned.parse(message);
  return LakeJobSchema.parse(message);
};

/** Tells the jobs of one project apart: two that ask for the same have the same. It is part of the key of a job that failed. */
export const lakeTask = (job: LakeJob): string => {
  const partition = "partition" in job ? job.partition : undefined;
  if (partition === undefined) return job.kind;
  // The first share gathers, too: it goes on where all of the work did.
  const share = job.kind === "compact" && job.share !== undefined && job.share.at > 0 ? `/${job.share.at}` : "";
  return `${job.kind}/${partition}${share}`;
};

/** Tells all jobs apart: a job that was asked for a short while ago is not asked for again under its name. */
export const jobName = (job: Job): string => {
  if (job.kind === "remove-organization") return `${job.kind}/${job.organization}`;
  if (job.kind === "settle-issues") return `${job.project}/${job.kind}`;
  if (job.kind === "resolve-frames") return `${job.project}/${job.kind}/${job.refs.join()}`;
  if (job.kind === "table") return `${job.project}/${job.kind}/${job.endpoint_id}/${job.version}`;
  return `${job.project}/${lakeTask(job)}`;
};

/** Asks the worker for jobs. Returns those that the queue has not confirmed; they may come all the same. */
export const sendJobs = async <J extends Job>(queues: Queues, jobs: readonly J[]): Promise<readonly J[]> => {
  if (jobs.length === 0) return [];
  const unsent = new Set(
    await queues.send(
      "jobs",
      jobs.map((job, at) => ({ id: String(at), body: jobText(job) })),
    ),
  );
  return jobs.filter((_, at) => unsent.has(String(at)));
};

/** Asks the worker for jobs, and throws where the queue does not take all of them. */
export const sendAllJobs = async (queues: Queues, jobs: readonly Job[]): Promise<void> => {
  const unsent = await sendJobs(queues, jobs);
  if (unsent.length > 0) throw new Error(`the queue did not take the requests for ${unsent.map(jobName).join(", ")}`);
};
