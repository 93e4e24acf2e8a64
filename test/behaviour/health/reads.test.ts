import { beforeEach, expect, it } from "vitest";
import { health } from "../../../functions/health/routes.ts";
import type { QueueName } from "../../../lib/ports/queues.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { aHousehold, apiWorld, ask } from "../../support/worlds/api-world.ts";

let waiting = 0;
const looked: QueueName[] = [];
const objects = memoryObjects();
const queueDepths = {
  async read(queue: QueueName) {
    looked.push(queue);
    return { waiting: queue === "live" ? waiting : 0, inFlight: 0, deadLetters: 0 };
  },
};
const { world, calls } = apiWorld({ objects, queueDepths });
const { key } = await aHousehold(world, 1);

beforeEach(() => {
  looked.length = 0;
});

/** Reads of the project's own part of the catalogue, and of the index of all projects. */
const reads = async () => {
  calls.length = 0;
  const { status, json } = await ask(health, world, "GET", "/api/projects/1/health/", { key });
  const of = (partition: string) => calls.filter(({ pk }) => pk.includes(`"pk":"${partition}`)).map(({ name }) => name);
  return { status, summary: Object(json).summary, own: of("lake#").sort(), index: of("due#").length, looked: [...looked] };
};

it("a look takes four reads of the table and one of each lane, and writes nothing of the project", async () => {
  const own = ["get", "get", "query", "query"];
  const summary = "All events are stored, and nothing waits.";
  expect(await reads()).toEqual({ status: 200, summary, own, index: 0, looked: ["live", "historical", "jobs"] });
  expect(objects.counts.requests).toBe(0);
});

it("only while live messages wait, the index is looked at, too: one read of each of its shards", async () => {
  waiting = 1;
  expect(await reads()).toMatchObject({ status: 200, summary: expect.stringContaining("Live events wait"), index: 16 });
});
