import { type Job, jobName, sendJobs } from "../../jobs/jobs.ts";
import type { Queues } from "../../ports/queues.ts";
import type { Table } from "../../ports/table.ts";

/** What a sweeping process asked for lately, and when: losing it costs a few messages sent again. */
type AskedTables = Map<string, number>;

export const askedTables = (): AskedTables => new Map();

/** A request that was not taken up after this is made again. */
const AGAIN_MS = 60_000;

/** Asks the worker for every table that is due. */
export const askDue = async (
  { table, queues, clock }: { readonly table: Table; readonly queues: Queues; readonly clock: { now(): number } },
  asked: AskedTables,
): Promise<void> => {
  const now = clock.now();
  for (const [key, at] of asked) if (now - at >= AGAIN_MS) asked.delete(key);
  let cursor: string | null = null;
  do {
    const page = await table.query({ index: "due", pk: DUE_PK, sk: { to: `${String(now).padStart(16, "0")}#~` }, cursor });
    const due = page.items.flatMap(({ pk, sk }) => jobAt(pk, sk)).filter((job) => !asked.has(jobName(job)));
    await sendJobs(queues, due);
    for (const job of due) asked.set(jobName(job), now);
    cursor = page.cursor;
  } while (cursor !== null);
};

/** Where the entity's pattern has what is due. */
const DUE_PK = "materialise";

/** The job that a materialisation's key names. */
const jobAt = (pk: string, sk: string): readonly Job<"table">[] => {
  const [, project] = pk.split("#");
  const [, endpoint_id, version] = sk.split("#");
  if (endpoint_id === undefined) return [];
  return [{ kind: "table", project: Number(project), endpoint_id, version: Number(version) }];
};
