import * as z from "zod";
import type { Queues } from "../../ports/queues.ts";

/** Version of these messages of the jobs queue; the worker accepts this and the one before. */
export const JOB_FORMAT = 1;

const v = z.int().max(JOB_FORMAT);

/** Make the table of a version anew where it is due, and delete what nothing names. Safe to run twice, late, and beside itself. */
export const MaterialiseJob = z.object({
  v,
  kind: z.literal("table"),
  project: z.int(),
  endpoint_id: z.guid(),
  version: z.int(),
});
export type MaterialiseJob = z.output<typeof MaterialiseJob>;

/** Asks the worker. Losing a request costs time only: what is due stays due, and the sweep looks for it. */
export const askWorker = async (queues: Queues, jobs: readonly MaterialiseJob[]): Promise<void> => {
  if (jobs.length === 0) return;
  await queues.send(
    "jobs",
    jobs.map((job, index) => ({ id: String(index), body: JSON.stringify(job) })),
  );
};
