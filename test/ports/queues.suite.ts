import { describe, expect, test } from "vitest";
import { MAX_DELIVERIES } from "../../infra/sizing.ts";
import { MAX_MESSAGE_BYTES, type QueueDepths, type QueueName, type QueueSource, type Queues } from "../../lib/ports/queues.ts";

/** Both sides of the same queues. */
export interface QueuePair {
  readonly queues: Queues;
  readonly source: QueueSource;
  readonly depths: QueueDepths;
  /** Lets so much time pass for the queues: real time, or an injected clock's. */
  pass(ms: number): Promise<void>;
}

type Received = Awaited<ReturnType<QueueSource["receive"]>>;

/** Long enough that nothing comes again while a test looks. */
const HIDDEN_MS = 30_000;
/** Receives that a queue may answer with nothing, or with less than there is, before a test gives up. */
const PATIENCE = 50;

/** What every queue promises, be it SQS, the embedded one or the one in memory. The suite leaves the queues empty, one dead letter of the jobs aside. */
export const queuesSuite = (name: string, pair: () => QueuePair): void => {
  describe(`the queue ports on ${name}`, () => {
    const bodies = (messages: Received): readonly string[] => messages.map(({ body }) => body).sort();

    const receive = async (queue: QueueName, wanted: number, visibilityMs = HIDDEN_MS): Promise<Received> => {
      const all: Received[number][] = [];
      for (let turn = 0; turn < PATIENCE && all.length < wanted; turn += 1) {
        all.push(...(await pair().source.receive(queue, { max: 10, waitMs: 100, visibilityMs })));
      }
      return all;
    };

    const acknowledge = (queue: QueueName, messages: Received): Promise<void> =>
      pair().source.acknowledge(
        queue,
        messages.map(({ receipt }) => receipt),
      );

    test("what is sent is received, each queue its own", async () => {
      const unsent = await Promise.all([
        pair().queues.send("live", [{ id: "a", body: "to live: zażółć" }]),
        pair().queues.send("jobs", [{ id: "a", body: "to jobs" }]),
      ]);
      expect(unsent).toEqual([[], []]);
      const live = await receive("live", 1);
      const jobs = await receive("jobs", 1);
      expect(bodies(live)).toEqual(["to live: zażółć"]);
      expect(bodies(jobs)).toEqual(["to jobs"]);
      expect(live[0]?.attempts).toBe(1);
      await acknowledge("live", live);
      await acknowledge("jobs", jobs);
    });

    test("any number of messages is sent at once, under ids of any form", async () => {
      const messages = Array.from({ length: 25 }, (_, index) => ({ id: `any id ${index} / ü`, body: `message ${index}` }));
      expect(await pair().queues.send("historical", messages)).toEqual([]);
      const received = await receive("historical", 25);
      expect(bodies(received)).toEqual(messages.map(({ body }) => body).sort());
      expect(new Set(received.map(({ id }) => id)).size).toBe(25);
      await acknowledge("historical", received);
    });

    test("messages of the greatest length are sent together, one that is longer cannot be sent", async () => {
      const messages = ["a", "b", "c"].map((letter) => ({ id: letter, body: letter.repeat(MAX_MESSAGE_BYTES) }));
      expect(await pair().queues.send("live", messages)).toEqual([]);
      const received = await receive("live", 3);
      expect(received.map(({ body }) => `${body.length}${body[0]}`).sort()).toEqual(["1048576a", "1048576b", "1048576c"]);
      await acknowledge("live", received);
      await expect(pair().queues.send("live", [{ id: "d", body: "d".repeat(MAX_MESSAGE_BYTES + 1) }])).rejects.toThrow();
      await expect(pair().queues.send("live", [{ id: "e", body: "" }])).rejects.toThrow();
    });

    test("at most so many messages are received as were asked for", async () => {
      await pair().queues.send("live", [
        { id: "1", body: "one" },
        { id: "2", body: "two" },
      ]);
      const first = await pair().source.receive("live", { max: 1, waitMs: 1_000, visibilityMs: HIDDEN_MS });
      expect(first).toHaveLength(1);
      await acknowledge("live", [...first, ...(await receive("live", 1))]);
    });

    test("a message that is not acknowledged comes again and counts its deliveries, an acknowledged one does not", async () => {
      await pair().queues.send("live", [
        { id: "1", body: "kept" },
        { id: "2", body: "done" },
      ]);
      const first = await receive("live", 2, 1_000);
      expect(bodies(first)).toEqual(["done", "kept"]);
      await acknowledge(
        "live",
        first.filter(({ body }) => body === "done"),
      );
      await pair().pass(1_100);
      const second = await receive("live", 1);
      expect(second.map(({ body, attempts }) => [body, attempts])).toEqual([["kept", 2]]);
      await acknowledge("live", second);
      expect(await pair().source.receive("live", { max: 10, waitMs: 0, visibilityMs: HIDDEN_MS })).toEqual([]);
    });

    test("a message whose visibility is changed comes again after that time, however long it was hidden for", async () => {
      await pair().queues.send("historical", [{ id: "1", body: "later" }]);
      const first = await receive("historical", 1);
      await pair().source.changeVisibility("historical", [{ receipt: first[0]?.receipt ?? "", afterMs: 1_000 }]);
      await pair().source.changeVisibility("historical", []);
      await pair().pass(1_100);
      const second = await receive("historical", 1);
      expect(second.map(({ body, attempts }) => [body, attempts])).toEqual([["later", 2]]);
      await acknowledge("historical", second);
    });

    test("how many messages wait, are in work and were given up on is told, each queue its own", async () => {
      const depth = (queue: QueueName) => pair().depths.read(queue);
      const empty = { waiting: 0, inFlight: 0, deadLetters: 0 };
      expect(await depth("jobs")).toEqual(empty);
      await pair().queues.send("jobs", [
        { id: "1", body: "one" },
        { id: "2", body: "two" },
      ]);
      expect(await depth("jobs")).toEqual({ ...empty, waiting: 2 });
      expect(await depth("live")).toEqual(empty);
      const first = await pair().source.receive("jobs", { max: 1, waitMs: 1_000, visibilityMs: HIDDEN_MS });
      expect(await depth("jobs")).toEqual({ ...empty, waiting: 1, inFlight: 1 });
      await acknowledge("jobs", [...first, ...(await receive("jobs", 1))]);
      expect(await depth("jobs")).toEqual(empty);
    });

    test("a message that is delivered too often is given up on, and told as a dead letter", async () => {
      await pair().queues.send("jobs", [{ id: "1", body: "poison" }]);
      for (let delivery = 1; delivery <= MAX_DELIVERIES.jobs; delivery += 1) {
        const [message] = await receive("jobs", 1);
        expect(message?.attempts).toBe(delivery);
        await pair().source.changeVisibility("jobs", [{ receipt: message?.receipt ?? "", afterMs: 1_000 }]);
        await pair().pass(1_100);
      }
      expect(await pair().source.receive("jobs", { max: 1, waitMs: 100, visibilityMs: HIDDEN_MS })).toEqual([]);
      expect(await pair().depths.read("jobs")).toEqual({ waiting: 0, inFlight: 0, deadLetters: 1 });
    });

    test("acknowledging nothing, or what is gone already, is no error", async () => {
      await pair().queues.send("jobs", [{ id: "1", body: "once" }]);
      const received = await receive("jobs", 1);
      await acknowledge("jobs", received);
      await acknowledge("jobs", received);
      await acknowledge("jobs", []);
    });
  });
};
