import type { Queues } from "../../ports/queues.ts";
import type { Table } from "../../ports/table.ts";
import { askWorker, JOB_FORMAT, type MaterialiseJob } from "./job.ts";

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
    const due = page.items.filter(({ pk, sk }) => !asked.has(pk + sk));
    await askWorker(
      queues,
      due.flatMap(({ pk, sk }) => jobAt(pk, sk)),
    );
    for (const { pk, sk } of due) asked.set(pk + sk, now);
    cursor = page.cursor;
  } while (cursor !== null);
};

/** Where the entity's pattern has what is due. */
const DUE_PK = "materialise";

/** The job that a materialisation's key names. */
const jobAt = (pk: string, sk: string): readonly MaterialiseJob[] => {
  const [, project] = pk.split("#");
  const [, endpoint_id, version] = sk.split("#");
  if (endpoint_id === undefined) return [];
  return [{ v: JOB_FORMAT, kind: "table", project: Number(project), endpoint_id, version: Number(version) }];
};
