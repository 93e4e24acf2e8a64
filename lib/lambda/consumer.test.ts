import { expect, it } from "vitest";
import { deliveryOf } from "../../test/support/samples/capture-messages.ts";
import { ingestWorld } from "../../test/support/worlds/ingest-world.ts";
import { consume, consumer } from "./consumer.ts";

it("a batch that throws has everything come again, also what it took from those that came meanwhile", async () => {
  const { world } = await ingestWorld([1]);
  const [first, came, other] = [deliveryOf([]), deliveryOf([]), deliveryOf([])];
  const failing = consumer({
    name: "failing",
    queue: "live",
    uses: {},
    batch: { messages: 10, windowSeconds: 0, maxConcurrency: 1 },
    async handle(_, __, ___, newcomers) {
      expect(newcomers?.take(({ id }) => id === came.id)).toEqual([came]);
      throw new RangeError("no");
    },
  });
  const newcomers = { take: (isWanted: (each: typeof came) => boolean) => [came, other].filter(isWanted) };
  const { failed } = await consume(failing, [first], world, { remainingMs: () => 1_000 }, newcomers);
  expect(failed).toEqual([first.id, came.id]);
});
