import * as z from "zod";

/** Version of the messages of the jobs queue; the worker accepts this and the one before. */
export const JOB_FORMAT = 1;

const project = z.int();
const v = z.int().max(JOB_FORMAT);

/** What the lake asks of the jobs worker. Each job is safe to run twice, late, and beside itself. */
export const LakeJob = z.discriminatedUnion("kind", [
  z.object({ v, kind: z.literal("compact"), project, partition: z.string(), upTo: z.string(), seal: z.boolean() }),
  /** Fold the deltas of gathered commits, those up to `upTo` among them, into the state. */
  z.object({ v, kind: z.literal("fold"), project, upTo: z.string() }),
  /** Bring what the project's manifests count, or the one of a partition, into its organization's usage. */
  z.object({ v, kind: z.literal("usage"), project, partition: z.string().optional() }),
  z.object({ v, kind: z.literal("audit"), project }),
  /** Compare the usage of the day before with the rows of the lake. */
  z.object({ v, kind: z.literal("recount"), project }),
  /** Delete the data of a removed project. */
  z.object({ v, kind: z.literal("remove"), project }),
]);
export type LakeJob = z.output<typeof LakeJob>;

/** What is the same for two messages that ask for the same of one project. */
export const taskOf = (job: LakeJob): string => {
  const partition = "partition" in job ? job.partition : undefined;
  return partition === undefined ? job.kind : `${job.kind}/${partition}`;
};

/** What is the same for two messages that ask for the same: the sweep does not send it again at once. */
export const jobName = (job: LakeJob): string => `${job.project}/${taskOf(job)}`;
