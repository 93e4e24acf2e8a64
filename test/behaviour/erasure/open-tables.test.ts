import { expect, it } from "vitest";
import { dispatch } from "../../../functions/jobs/dispatch.ts";
import { sweeping } from "../../../functions/sweep/schedule.ts";
import { beginErasure, finishErasure } from "../../../lib/erasure/erase.ts";
import { readParquet } from "../../../lib/lake/parquet.ts";
import { POLICIES, policyOf } from "../../../lib/lake/policy.ts";
import { readPublication } from "../../../lib/lake/published.ts";
import { Projects } from "../../../lib/projects/projects.ts";
import { require } from "../../../lib/table/store.ts";
import { anEngine } from "../../support/engine.ts";
import { readTable } from "../../support/iceberg/read-table.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { noReaders } from "../../support/no-readers.ts";
import { endpointWorld } from "../../support/worlds/endpoint-world.ts";

const SETTINGS = { compaction: "local", publish: "iceberg" } as const;
const ENOUGH = { remainingMs: () => 900_000 };
const MINUTE_MS = 60_000;

const objects = memoryObjects();
const engine = anEngine(objects);

/** A project whose tables are published, and minutes of its sweep and of the jobs that this asks for. */
const publishedProject = async () => {
  const one = await endpointWorld(objects, engine());
  const asked: string[] = [];
  const world = {
    ...one.world,
    ...noReaders,
    config: { ...one.world.config, ...SETTINGS },
    deadLetters: { receive: async () => [], acknowledge: async () => undefined },
    queues: {
      send: async (_: string, messages: readonly { readonly body: string }[]) => {
        asked.push(...messages.map(({ body }) => body));
        return [];
      },
    },
  };
  return {
    one,
    world,
    async minutes(count: number): Promise<void> {
      for (let left = count; left > 0; left -= 1) {
        one.time.now += MINUTE_MS;
        await sweeping.run(world, ENOUGH);
        for (let body = asked.shift(); body !== undefined; body = asked.shift())
          expect(await dispatch(world, policyOf(SETTINGS), { id: "1", body, attempts: 1 }, ENOUGH)).toBe(true);
      }
    },
    /** Whose events the newest snapshot has. */
    async people(): Promise<readonly unknown[]> {
      const published = await readPublication(world.table, 1, "events");
      const { current } = readTable((key) => objects.contents.get(key), published?.metadata ?? "");
      const rows = await Promise.all(current.files.map(async ({ key }) => readParquet((await objects.get(key)) ?? new Uint8Array())));
      return rows
        .flat()
        .map(({ distinct_id }) => distinct_id)
        .sort();
    },
  };
};

it("whom a command erased is soon in no open table, though the command does not know that there are any", async () => {
  const { one, world, minutes, people } = await publishedProject();
  await one.send(["ana", "ana", "bob"].map((distinct_id) => ({ event: "seen", distinct_id, at: one.time.now, properties: {} })));
  await minutes(3);
  expect(await people()).toEqual(["ana", "ana", "bob"]);
  const project = await require(world.table, Projects, { id: 1 });
  const begun = await beginErasure(world, POLICIES.local, project, { distinctId: "ana" });
  if (begun === undefined) throw new Error("nobody was erased");
  await finishErasure(world, project, begun.erasure);
  await minutes(2);
  expect(await people()).toEqual(["bob"]);
});
