import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ReceivedMessage } from "../../functions/ingest/received-message.ts";
import { storeInTurns, type TurnParts } from "../../functions/ingest/turns.ts";
import { poll } from "../../infra/local/workers/poller.ts";
import { decodeMessage, encodeMessage } from "../../lib/event/message.ts";
import type { Delivery, QueueSource } from "../../lib/ports/queues.ts";
import { keptLog } from "../support/kept-log.ts";
import { messageFacts } from "../support/samples/capture-messages.ts";

const MB = 1024 * 1024;
const OTHERS = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const HOSTILE = 10;
const SECOND_MS = 1_000;

let messages = 0;

/** A message that says of its events how many bytes they have once they are decoded. */
const aMessage = (project: number, decodedBytes: number): ReceivedMessage => {
  messages += 1;
  return { id: String(messages), body: "", attempts: 1, message: messageFacts({ project, decodedBytes }) };
};

const some = (project: number, count: number, bytes: number) => Array.from({ length: count }, () => aMessage(project, bytes));
const bytesOf = (all: readonly ReceivedMessage[], wanted: (project: number) => boolean = () => true): number =>
  all.filter(({ message }) => wanted(message.project)).reduce((sum, { message }) => sum + message.decodedBytes, 0);
const isOther = (project: number): boolean => project !== HOSTILE;

/** A drain stores so many bytes in a second, and takes so long whatever it stores. */
const BYTES_A_SECOND = 51 * MB;
const DRAIN_MS = 20;
const drainMs = (drained: readonly ReceivedMessage[]): number => DRAIN_MS + (bytesOf(drained) / BYTES_A_SECOND) * SECOND_MS;

/** The drains of a batch, and what is late, by a clock that only drains move. */
const stored = async (batch: readonly ReceivedMessage[], parts: Partial<TurnParts> = {}) => {
  const drains: (readonly ReceivedMessage[])[] = [];
  let now = 0;
  const drain = async (drained: readonly ReceivedMessage[]): Promise<void> => {
    drains.push(drained);
    now += drainMs(drained);
  };
  const surplus = await storeInTurns(batch, { drain, newcomers: undefined, hasTime: () => true, now: () => now, ...parts });
  return { drains, surplus };
};

/** What the nine sent, in a batch behind what the hostile project sent. */
const nine = OTHERS.flatMap((project) => some(project, 10, 0.2 * MB));

describe("a project whose small messages decode to gigabytes", () => {
  const flood = some(HOSTILE, 100, 20 * MB);

  it("has nine others wait for no drain of its, and goes behind what came meanwhile with all that one drain has no room for", async () => {
    const { drains, surplus } = await stored([...flood, ...nine]);
    expect(drains.map((drain) => [bytesOf(drain, isOther), bytesOf(drain, (project) => !isOther(project))])).toEqual([
      [bytesOf(nine), 0],
      [0, 60 * MB],
    ]);
    expect(surplus).toEqual(flood.slice(3));
  });

  it("costs nine others, of a queue that is full of it, at most a tenth of what they would have had", async () => {
    // A worker stores so many bytes of each batch, and the next batch is what was behind it: what counts is the work until all is stored.
    const backlog = OTHERS.flatMap((project) => some(project, 100, 5 * MB));
    let waiting = [...some(HOSTILE, 400, 20 * MB), ...backlog].toSorted((a, b) => (Number(a.id) % 7) - (Number(b.id) % 7));
    let [others, hostile] = [0, 0];
    while (bytesOf(waiting, isOther) > 0) {
      const { drains, surplus } = await stored(waiting.slice(0, 500));
      others += bytesOf(drains.flat(), isOther);
      hostile += bytesOf(drains.flat(), (project) => !isOther(project));
      waiting = [...waiting.slice(500), ...surplus];
    }
    expect(others).toBe(bytesOf(backlog));
    expect(hostile / (others + hostile)).toBeLessThanOrEqual(0.1);
  });
});

describe("a batch", () => {
  it("of one project is stored for a few seconds, so that who comes behind it need not wait for hours", async () => {
    const { drains, surplus } = await stored(some(1, 40, 20 * MB));
    expect(drains.map((drain) => drain.length)).toEqual(Array.from({ length: 5 }, () => 3));
    expect(surplus).toHaveLength(25);
  });

  it("of one project is stored in small drains where it is known who comes, who is stored between these", async () => {
    const late = some(2, 3, 0.2 * MB);
    let looks = 0;
    const newcomers = () => {
      looks += 1;
      return looks === 3 ? late : [];
    };
    const { drains, surplus } = await stored(some(1, 40, 5 * MB), { newcomers });
    const projects = drains.slice(0, 4).map((drain) => drain.map(({ message }) => message.project));
    expect(projects).toEqual([1, 1, 2, 1].map((project) => [project, project, project]));
    expect([drains.length, surplus.length]).toEqual([15, 0]);
  });

  it("is stored whole where no project sent more than the others together", async () => {
    const { drains, surplus } = await stored(OTHERS.flatMap((project) => some(project, 2, 20 * MB)));
    expect(drains.flat()).toHaveLength(18);
    expect(surplus).toEqual([]);
  });

  it("keeps the order of each project's messages, and has no drain where there are none", async () => {
    const both = some(1, 2, MB);
    expect((await stored(both)).drains).toEqual([both]);
    expect(await stored([])).toEqual({ drains: [], surplus: [] });
  });
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface Flood {
  /** What each of its messages decodes to, and what it takes in the queue. */
  readonly decodedBytes: number;
  readonly bodyBytes: number;
  readonly count: number;
  readonly everyMs: number;
}

const HAND_OUT_MS = 2;

/** A queue that hands out ten messages at a time, in their order, and its worker on a laptop, which takes turns over simulated drains. */
const simulated = async (seconds: number, flood?: Flood) => {
  const queue: (Delivery & { readonly receipt: string })[] = [];
  const sentAt = new Map<string, number>();
  const waits: number[] = [];
  let sent = 0;
  let flooded = 0;
  const send = (project: number, decodedBytes: number, bodyBytes: number): void => {
    const id = String(sent++);
    const body = encodeMessage(messageFacts({ project, decodedBytes, body: { encoding: "none", inline: "x".repeat(bodyBytes) } }));
    sentAt.set(id, performance.now());
    queue.push({ id, receipt: id, body, attempts: 1 });
  };
  const source: QueueSource = {
    async receive(_, { max, waitMs }) {
      await sleep(queue.length > 0 ? HAND_OUT_MS : Math.max(1, Math.min(waitMs, 20)));
      return queue.splice(0, max);
    },
    acknowledge: async () => undefined,
    changeVisibility: async () => undefined,
  };
  const drain = async (drained: readonly ReceivedMessage[]): Promise<void> => {
    await sleep(drainMs(drained));
    flooded += bytesOf(drained, (project) => !isOther(project));
    for (const { id, message } of drained) if (isOther(message.project)) waits.push(performance.now() - (sentAt.get(id) ?? 0));
  };
  const readings = new WeakMap<Delivery, ReceivedMessage>();
  const read = (delivery: Delivery): ReceivedMessage => {
    const known = readings.get(delivery) ?? { ...delivery, message: decodeMessage(delivery.body) };
    readings.set(delivery, known);
    return known;
  };
  const mapping: Parameters<typeof poll>[1] = {
    queue: "live",
    async consume(batch, budget, newcomers) {
      const late = await storeInTurns(batch.map(read), {
        drain,
        newcomers: (isWanted) => newcomers.take((delivery) => isWanted(read(delivery))).map(read),
        hasTime: () => budget.remainingMs() > 20 * SECOND_MS,
        now: () => performance.now(),
      });
      for (const { id, body } of late) queue.push({ id, receipt: id, body, attempts: 1 });
      return { failed: [] };
    },
  };
  const poller = poll(source, mapping, keptLog());
  const end = performance.now() + seconds * SECOND_MS;
  const others = OTHERS.map(async (project) => {
    for (await sleep(project * 211); performance.now() < end; await sleep(2 * SECOND_MS)) send(project, 0.05 * MB, 5_000);
  });
  const flooding = async ({ count, everyMs, decodedBytes, bodyBytes }: Flood): Promise<void> => {
    for (let at = 0; at < count && performance.now() < end; at += 1) {
      send(HOSTILE, decodedBytes, bodyBytes);
      if (everyMs > 0) await sleep(everyMs);
    }
  };
  const sending = Promise.all([...others, ...(flood ? [flooding(flood)] : [])]);
  await vi.advanceTimersByTimeAsync((seconds + 5) * SECOND_MS);
  await sending;
  const stopped = poller.stop();
  await vi.advanceTimersByTimeAsync(10 * SECOND_MS);
  await stopped;
  return { stored: waits.length, longestMs: Math.max(...waits), flooded };
};

const SECONDS = 15;

describe("nine projects that send something now and then", () => {
  it.each<[string, Flood]>([
    ["messages that decode to eight gigabytes", { decodedBytes: 20 * MB, bodyBytes: 20_000, count: 400, everyMs: 0 }],
    ["nearly all that can be stored", { decodedBytes: MB, bodyBytes: 100_000, count: 600, everyMs: 23 }],
  ])("wait for half a second longer at most while the tenth sends %s, and that is stored as fast as it can be", async (_, flood) => {
    const [alone, beside] = [await simulated(SECONDS), await simulated(SECONDS, flood)];
    expect(beside.stored).toBe(alone.stored);
    expect(beside.longestMs - alone.longestMs).toBeLessThanOrEqual(500);
    const most = Math.min(flood.decodedBytes * flood.count, SECONDS * BYTES_A_SECOND);
    expect(beside.flooded).toBeGreaterThan(most * 0.8);
  });
});
