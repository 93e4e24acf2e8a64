import { expect, it } from "vitest";
import { readCommits } from "../../lib/lake/catalogue/commits.ts";
import { sortedBytes } from "../../lib/lake/catalogue.ts";
import { POLICIES } from "../../lib/lake/policy.ts";
import { lakeWorld, SEALED_DAY, someRows } from "../../test/support/worlds/lake-world.ts";
import { compactJob } from "./compact.ts";

it("asks for the usage, for the shares of others, and to go on with its own", async () => {
  const lake = await lakeWorld();
  for (const name of ["a", "b", "c", "d", "e", "f", "g", "h"]) await lake.commit(someRows(1, name, SEALED_DAY));
  const commits = await readCommits(lake.stored, 1);
  const [segment] = commits.flatMap(({ segments }) => segments);
  const sent: unknown[] = [];
  const send = async (_: unknown, messages: readonly { readonly body: string }[]) => {
    sent.push(...messages.map(({ body }) => JSON.parse(body)));
    return [];
  };
  const stepBytes = segment ? 2 * sortedBytes(segment) : 0;
  const policy = { ...POLICIES.deployed, rewriteMinRows: 1, stepBytes, shares: 2, stepsWithinMs: 0, sealAfterMs: Number.POSITIVE_INFINITY };
  const job = { kind: "compact", project: 1, partition: "2026-10", seal: false } as const;
  const world = { ...lake.world, queues: { send } };
  await compactJob(world, policy, { ...job, upTo: commits.at(-1)?.id ?? "" });
  const usage = { v: 2, kind: "usage", project: 1, partition: "2026-10" };
  expect(sent).toEqual([usage, { v: 2, ...job, upTo: commits.at(-1)?.id }]);
  sent.length = 0;
  await compactJob(world, { ...policy, stepsWithinMs: 60_000 }, { ...job, upTo: commits.at(-1)?.id ?? "" });
  expect(sent).toEqual([usage, usage, usage, { v: 2, ...job, upTo: "", share: { at: 1, of: 2 } }]);
});

it("asks for the usage again where its message comes again: it may have ended between gathering and asking", async () => {
  const lake = await lakeWorld();
  await lake.commit(someRows(1, "a", SEALED_DAY));
  const [commit] = await readCommits(lake.stored, 1);
  const job = { kind: "compact", project: 1, partition: "2026-10", seal: false, upTo: commit?.id ?? "" } as const;
  const taken: string[] = [];
  const send = async (_: unknown, messages: readonly { readonly body: string }[]) => {
    taken.push(...messages.map(({ body }) => body));
    return [];
  };
  const ending = async () => {
    throw new Error("ended");
  };
  const policy = { ...POLICIES.deployed, sealAfterMs: Number.POSITIVE_INFINITY };
  await compactJob({ ...lake.world, queues: { send: ending } }, policy, job);
  expect(taken).toEqual([]);
  await compactJob({ ...lake.world, queues: { send } }, policy, job);
  expect(taken.map((body) => JSON.parse(body))).toEqual([{ v: 2, kind: "usage", project: 1, partition: "2026-10" }]);
});
