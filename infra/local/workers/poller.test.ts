import { describe, expect, test } from "vitest";
import type { Delivery, QueueSource, VisibilityChange } from "../../../lib/ports/queues.ts";
import { keptLog } from "../../../test/support/kept-log.ts";
import { eventually } from "../../../test/support/processes/platform.ts";
import { poll } from "./poller.ts";

type Message = Delivery & { readonly receipt: string };

/** A queue in memory that hands out what is in it, ten at a time, and remembers what was acknowledged. */
const aSource = (bodies: readonly string[]) => {
  const waiting: Message[] = bodies.map((body, index) => ({ id: `m${index}`, receipt: `r${index}`, body, attempts: 1 }));
  const acknowledged: string[] = [];
  const later: VisibilityChange[] = [];
  const source: QueueSource = {
    async receive(_queue, { max, waitMs }) {
      if (waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, Math.min(waitMs, 20)));
      return waiting.splice(0, Math.min(max, 10));
    },
    async acknowledge(_queue, receipts) {
      acknowledged.push(...receipts);
    },
    async changeVisibility(_queue, messages) {
      later.push(...messages);
    },
  };
  return { source, acknowledged, later };
};

const MEGABYTE = "x".repeat(1_000_000);

describe("the local poller", () => {
  test("gathers messages into batches of at most six megabytes and loses none", async () => {
    const { source, acknowledged } = aSource(Array.from({ length: 25 }, () => MEGABYTE));
    const batches: number[] = [];
    const consume = async (batch: readonly Delivery[]) => {
      batches.push(batch.length);
      return { failed: [] };
    };
    const poller = poll(source, { queue: "live", consume }, keptLog());
    await eventually(() => expect(acknowledged).toHaveLength(25));
    await poller.stop();
    expect(Math.max(...batches)).toBe(6);
    expect(batches.reduce((sum, size) => sum + size, 0)).toBe(25);
    expect(new Set(acknowledged).size).toBe(25);
  });

  test("says that it does not keep up where more than a megabyte waits at the end of a batch, and only there", async () => {
    for (const [bodies, falls] of [
      [["1", "2", "3"], false],
      [Array.from({ length: 9 }, () => MEGABYTE), true],
    ] as const) {
      const { source, acknowledged } = aSource(bodies);
      let behind = 0;
      const consume = () => new Promise<{ failed: readonly string[] }>((resolve) => setTimeout(resolve, 50, { failed: [] }));
      const poller = poll(source, { queue: "live", maxMessages: 3, consume, behind: () => behind++ }, keptLog());
      await eventually(() => expect(acknowledged).toHaveLength(bodies.length));
      await poller.stop();
      expect(behind > 0).toBe(falls);
    }
  });

  test("deletes only what the consumer did not return as failed, and puts that off for some seconds", async () => {
    const { source, acknowledged, later } = aSource(["good", "bad", "good"]);
    const consume = async (batch: readonly Delivery[]) => ({ failed: batch.filter(({ body }) => body === "bad").map(({ id }) => id) });
    const poller = poll(source, { queue: "live", consume }, keptLog());
    await eventually(() => expect(acknowledged.toSorted()).toEqual(["r0", "r2"]));
    await poller.stop();
    expect(acknowledged).toHaveLength(2);
    expect(later).toEqual([{ receipt: "r1", afterMs: 5_000 }]);
  });

  test("hands what comes meanwhile to a batch that wants it, whose result is theirs, too", async () => {
    const { source, acknowledged, later } = aSource(["first", ...Array.from({ length: 10 }, () => MEGABYTE), "late", "late and bad"]);
    const taken: string[][] = [];
    const consume: Parameters<typeof poll>[1]["consume"] = async (batch, _, newcomers) => {
      const came: Delivery[] = [];
      // Both lie behind more than a batch has room for.
      if (taken.length === 0)
        await eventually(async () => {
          came.push(...newcomers.take(({ body }) => body.startsWith("late")));
          expect(came).toHaveLength(2);
        });
      taken.push([...batch, ...came].map(({ id }) => id));
      return { failed: came.filter(({ body }) => body === "late and bad").map(({ id }) => id) };
    };
    const poller = poll(source, { queue: "live", consume, maxMessages: 1_000 }, keptLog());
    await eventually(() => expect(acknowledged).toHaveLength(12));
    await poller.stop();
    expect(later).toEqual([{ receipt: "r12", afterMs: 5_000 }]);
    expect(taken[0]).toEqual(expect.arrayContaining(["m0", "m11", "m12"]));
    expect(taken.flat()).toHaveLength(13);
  });

  test("hands over no more at once than the consumer takes", async () => {
    const { source, acknowledged } = aSource(["1", "2", "3"]);
    const sizes: number[] = [];
    const consume = async (batch: readonly Delivery[]) => {
      sizes.push(batch.length);
      return { failed: [] };
    };
    const poller = poll(source, { queue: "jobs", maxMessages: 1, consume }, keptLog());
    await eventually(() => expect(acknowledged).toHaveLength(3));
    await poller.stop();
    expect(sizes).toEqual([1, 1, 1]);
  });

  test("stopping waits for the batch in work and begins no other", async () => {
    const { source, acknowledged } = aSource(["one"]);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let began = 0;
    const consume = async () => {
      began += 1;
      await released;
      return { failed: [] };
    };
    const poller = poll(source, { queue: "live", consume }, keptLog());
    await eventually(() => expect(began).toBe(1));
    const stopped = poller.stop();
    release();
    await stopped;
    expect(acknowledged).toEqual(["r0"]);
    expect(began).toBe(1);
  });

  test("leaves what fails while it stops to come again as it is", async () => {
    const { source, acknowledged, later } = aSource(["one"]);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let began = 0;
    const consume = async (batch: readonly Delivery[]) => {
      began += 1;
      await released;
      return { failed: batch.map(({ id }) => id) };
    };
    const poller = poll(source, { queue: "jobs", consume }, keptLog());
    await eventually(() => expect(began).toBe(1));
    const stopped = poller.stop();
    release();
    await stopped;
    expect([acknowledged, later]).toEqual([[], []]);
  });

  test("goes on when the queue does not answer for a while", async () => {
    const { source, acknowledged } = aSource(["one"]);
    let calls = 0;
    const shaky: QueueSource = {
      ...source,
      async receive(queue, options) {
        calls += 1;
        if (calls === 1) throw new Error("no answer");
        return source.receive(queue, options);
      },
    };
    const log = keptLog();
    const poller = poll(shaky, { queue: "live", consume: async () => ({ failed: [] }) }, log);
    await eventually(() => expect(acknowledged).toEqual(["r0"]));
    await poller.stop();
    expect(log.lines.map(({ event }) => event)).toEqual(["queue.unreachable"]);
  });
});
