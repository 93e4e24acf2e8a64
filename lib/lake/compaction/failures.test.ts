import { expect, it } from "vitest";
import { memoryTable } from "../../../test/simulation/ports/table.ts";
import { POLICIES } from "../catalogue/policy.ts";
import { allFailing, failuresOf, recordFailure } from "./failures.ts";
import type { LakeJob } from "./jobs.ts";

it("lists all jobs that fail, also where they are more than one page", async () => {
  const table = memoryTable();
  const paged = { ...table, query: (given: Parameters<typeof table.query>[0]) => table.query({ ...given, limit: 2 }) };
  const parts = { table, clock: { now: () => 1_000 } };
  const partitions = ["2024-01", "2024-02", "2024-03", "2024-04", "2024-05"];
  for (const partition of partitions) {
    const job: LakeJob = { v: 1, kind: "compact", project: 1, partition, upTo: "", seal: false };
    await recordFailure(parts, POLICIES.local, job, undefined, "out of memory");
  }
  expect((await failuresOf(paged, 1)).map(({ job }) => Object(job).partition)).toEqual(partitions);
  expect(await allFailing(paged)).toHaveLength(partitions.length);
});
