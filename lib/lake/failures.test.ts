import { expect, it } from "vitest";
import { memoryTable } from "../../test/simulation/ports/table.ts";
import type { LakeJob } from "../jobs/jobs.ts";
import { allFailing, listFailures, recordFailure } from "./failures.ts";
import { failedSk, failingKeys, lakePk } from "./paths.ts";
import { POLICIES } from "./policy.ts";

it("lists all jobs that fail, also where they are more than one page", async () => {
  const table = memoryTable();
  const paged = { ...table, query: (given: Parameters<typeof table.query>[0]) => table.query({ ...given, limit: 2 }) };
  const parts = { table, clock: { now: () => 1_000 } };
  const partitions = ["2024-01", "2024-02", "2024-03", "2024-04", "2024-05"];
  for (const partition of partitions) {
    const job: LakeJob = { kind: "compact", project: 1, partition, upTo: "", seal: false };
    await recordFailure(parts, POLICIES.local, job, undefined, "out of memory");
  }
  expect((await listFailures(paged, 1)).map(({ job }) => Object(job).partition)).toEqual(partitions);
  expect(await allFailing(paged)).toHaveLength(partitions.length);
});

it("keeps of a long error the beginning, in whole characters, as only those are stored", async () => {
  const table = memoryTable();
  const job: LakeJob = { kind: "compact", project: 1, partition: "2024-01", upTo: "", seal: false };
  await recordFailure({ table, clock: { now: () => 1_000 } }, POLICIES.local, job, undefined, `${"x".repeat(299)}\u{1f600}`);
  expect(await listFailures(table, 1)).toMatchObject([{ error: `${"x".repeat(299)}\ufffd` }]);
});

it("lists some twenty thousand jobs that fail, whoever's, and leaves the others to a later look", async () => {
  const table = memoryTable();
  const sk = failedSk("audit");
  for (let project = 1; project <= 23_000; project += 1) await table.put({ pk: lakePk(project), sk, ...failingKeys(project, 1, sk) });
  const paged = { ...table, query: (given: Parameters<typeof table.query>[0]) => table.query({ ...given, limit: 1_000 }) };
  const failing = await allFailing(paged);
  expect(failing).toHaveLength(20_000);
  expect(failing[0]).toEqual({ project: 1, task: "audit", againAt: 1 });
});
