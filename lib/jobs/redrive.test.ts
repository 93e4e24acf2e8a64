import { expect, it } from "vitest";
import type { Delivery, Outgoing } from "../ports/queues.ts";
import { redrive } from "./redrive.ts";

/** So many dead letters, and a queue that takes those of which `takes` says so. */
const setup = (letters: number, takes: (message: Outgoing) => boolean = () => true) => {
  const dead = Array.from({ length: letters }, (_, index) => ({
    id: `m${index}`,
    body: `body ${index}`,
    attempts: 1,
    receipt: `r${index}`,
  }));
  const hidden = new Set<string>();
  const steps: string[] = [];
  const queue: string[] = [];
  const parts = {
    queues: {
      async send(_: string, messages: readonly Outgoing[]) {
        const taken = messages.filter(takes);
        queue.push(...taken.map(({ body }) => body));
        steps.push(`sent ${taken.length}`);
        return messages.filter((message) => !taken.includes(message)).map(({ id }) => id);
      },
    },
    deadLetters: {
      async receive(_: string, { max }: { readonly max: number }): Promise<readonly (Delivery & { readonly receipt: string })[]> {
        const some = dead.filter(({ id }) => !hidden.has(id)).slice(0, max);
        for (const { id } of some) hidden.add(id);
        return some;
      },
      async acknowledge(_: string, receipts: readonly string[]) {
        steps.push(`removed ${receipts.length}`);
        for (const receipt of receipts) {
          const at = dead.findIndex((each) => each.receipt === receipt);
          dead.splice(at, 1);
        }
      },
    },
  };
  return { parts, dead, queue, steps };
};

it("sends all of them back, each sent before it is removed", async () => {
  const { parts, dead, queue, steps } = setup(23);
  expect(await redrive(parts, "live", 100)).toEqual({ moved: 23, hasMore: false });
  expect([dead.length, new Set(queue).size]).toEqual([0, 23]);
  expect(steps).toEqual(["sent 10", "removed 10", "sent 10", "removed 10", "sent 3", "removed 3"]);
});

it("stops after so many rounds, and says that there may be more", async () => {
  const { parts, dead } = setup(23);
  expect(await redrive(parts, "live", 2)).toEqual({ moved: 20, hasMore: true });
  expect(dead).toHaveLength(3);
});

it("keeps what the queue does not take, and stops where it takes nothing", async () => {
  const { parts, dead, queue } = setup(12, ({ id }) => id === "m3");
  expect(await redrive(parts, "jobs", 100)).toEqual({ moved: 1, hasMore: true });
  expect([dead.length, queue]).toEqual([11, ["body 3"]]);
});
