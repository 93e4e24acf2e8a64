import { systemIds } from "../../lib/app/system.ts";
import { type Fingerprint, Fingerprints } from "../../lib/error-tracking/fingerprints.ts";
import { Issues } from "../../lib/error-tracking/issues.ts";
import { mergeIssues } from "../../lib/error-tracking/merge-issues.ts";
import { settleIssues } from "../../lib/error-tracking/settle-issues.ts";
import { trackExceptions } from "../../lib/error-tracking/track.ts";
import type { Table } from "../../lib/ports/table.ts";
import { pages } from "../../lib/table/store.ts";
import { memoryTable } from "../simulation/ports/table.ts";
import { keptLog } from "../support/kept-log.ts";
import { memoryObjects } from "../support/memory-objects.ts";
import { anEventRow } from "../support/samples/event-rows.ts";
import { type Figure, median, type Part } from "./figures.ts";
import { slowTable } from "./slow-table.ts";

const PROJECT = 1;
/** As many as one request names at most. */
const MERGED = 1_000;
const READ_MS = 5;
const TRANSACTION_MS = 14;
const ROUNDS = 3;
const MOST_S = 10;

/** A request that merges a thousand issues, each of which has a fingerprint, over a table as slow as when deployed. */
export const mergingPart: Part = {
  name: "issues.merge_thousand",
  seconds: 30,
  measures: ["lib/error-tracking"],
  async run(): Promise<readonly Figure[]> {
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await oneRound());
    const { reads, transactions, isFinished, allMovedS } = rounds[0] ?? (await oneRound());
    const how = isFinished ? "all moved by then" : `it goes on in the background, all moved after ${allMovedS.toFixed(1)} s`;
    return [
      {
        name: "issues.merge_thousand_s",
        value: median(rounds.map(({ answeredS }) => answeredS)),
        unit: "s",
        baseline: `${MERGED} issues in one request, ${READ_MS} ms a read and ${TRANSACTION_MS} ms a transaction: ${reads} reads, ${transactions} transactions, ${how}, median of ${ROUNDS}; at most ${MOST_S}`,
      },
    ];
  },
};

interface Round {
  readonly answeredS: number;
  readonly allMovedS: number;
  readonly isFinished: boolean;
  readonly reads: number;
  readonly transactions: number;
}

const oneRound = async (): Promise<Round> => {
  const clock = { now: () => Date.now() };
  const stored = memoryTable();
  const calls = { reads: 0, transactions: 0 };
  const table = slowTable(stored, (call, items) => {
    if (call === "transact") calls.transactions += 1;
    else calls.reads += batchesOf(call, items);
    return after(call === "transact" ? TRANSACTION_MS : READ_MS * Math.ceil(batchesOf(call, items) / PARALLEL_BATCHES));
  });
  const parts = { table, objects: memoryObjects(), clock, ids: systemIds(clock), log: keptLog(), queues: { send: async () => [] } };
  await makeIssues({ ...parts, table: stored });
  const [target, ...sources] = await allOf(stored);
  if (target === undefined) throw new Error("no issue was made");
  const began = performance.now();
  const { success, finished } = await mergeIssues(
    parts,
    target,
    sources.map(({ id }) => id),
    null,
  );
  const answeredS = (performance.now() - began) / 1_000;
  const counted = { ...calls };
  if (!finished) while (!(await settleIssues(parts, PROJECT, () => true)));
  const allMovedS = (performance.now() - began) / 1_000;
  const fingerprints = await fingerprintsOf(stored);
  const isRight = fingerprints.length === MERGED + 1 && fingerprints.every(({ issue_id }) => issue_id === target.id);
  if (!success || !isRight || (await allOf(stored)).length !== 1) throw new Error("they are not one issue");
  return { answeredS, allMovedS, isFinished: finished, ...counted };
};

/** DynamoDB takes so many keys in one call, and the adapter makes so many calls at once. */
const KEYS_PER_BATCH = 100;
const PARALLEL_BATCHES = 4;

const batchesOf = (call: keyof Table, items: number): number => (call === "getMany" ? Math.ceil(items / KEYS_PER_BATCH) : 1);

const after = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

const makeIssues = async (parts: Parameters<typeof trackExceptions>[0]): Promise<void> => {
  const rows = Array.from({ length: MERGED + 1 }, (_, at) => {
    const properties = JSON.stringify({ $exception_list: [{ type: "Error", value: "it failed" }], $exception_fingerprint: `kind-${at}` });
    const uuid = `0195a000-0000-7000-8000-${String(at).padStart(12, "0")}`;
    return { row: anEventRow({ event: "$exception", uuid, properties }), delivery: "request:0" };
  });
  await trackExceptions(parts, PROJECT, rows);
};

const allOf = async (table: Table) => {
  const all = [];
  for await (const some of pages(table, Issues, "key", { project: PROJECT })) all.push(...some);
  return all;
};

const fingerprintsOf = async (table: Table): Promise<readonly Fingerprint[]> => {
  const all: Fingerprint[] = [];
  for await (const some of pages(table, Fingerprints, "key", { project: PROJECT })) all.push(...some);
  return all;
};
