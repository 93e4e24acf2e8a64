import { describe, expect, it } from "vitest";
import type { ReceivedMessage } from "../../functions/ingest/received-message.ts";
import { inTurns } from "../../functions/ingest/turns.ts";
import { messageFacts } from "../support/samples/capture-messages.ts";

const MB = 1024 * 1024;
const OTHERS = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const HOSTILE = 10;

let messages = 0;

/** A message that says of its events how many bytes they have once they are decoded. */
const aMessage = (project: number, decodedBytes: number): ReceivedMessage => {
  messages += 1;
  return { id: String(messages), body: "", attempts: 1, message: messageFacts({ project, decodedBytes }) };
};

const some = (project: number, count: number, bytes: number) => Array.from({ length: count }, () => aMessage(project, bytes));
const bytesOf = (all: readonly ReceivedMessage[], wanted: (project: number) => boolean): number =>
  all.filter(({ message }) => wanted(message.project)).reduce((sum, { message }) => sum + message.decodedBytes, 0);
const isOther = (project: number): boolean => project !== HOSTILE;

/** What the nine sent, in a batch behind what the hostile project sent. */
const nine = OTHERS.flatMap((project) => some(project, 10, 0.2 * MB));

describe("a project whose small messages decode to gigabytes", () => {
  const batch = inTurns([...some(HOSTILE, 100, 20 * MB), ...nine]);

  it("has nine others wait for one drain of a batch, in which they all are", () => {
    expect(bytesOf(batch.drains[0] ?? [], isOther)).toBe(bytesOf(nine, isOther));
    expect(bytesOf(batch.drains[0] ?? [], () => true)).toBeLessThanOrEqual(64 * MB);
  });

  it("goes behind what came meanwhile with all that the drain has no room for", () => {
    expect(batch.drains).toHaveLength(1);
    expect(batch.surplus.length + (batch.drains[0]?.length ?? 0)).toBe(190);
    expect(batch.surplus.every(({ message }) => message.project === HOSTILE)).toBe(true);
  });

  it("costs nine others, of a queue that is full of it, at most a tenth of what they would have had", () => {
    // A worker stores so many bytes of each batch, and the next batch is what was behind it: what counts is the work until all is stored.
    const backlog = OTHERS.flatMap((project) => some(project, 100, 5 * MB));
    const stored = (first: readonly ReceivedMessage[]): { readonly others: number; readonly hostile: number } => {
      let waiting = [...first, ...backlog].toSorted((a, b) => (Number(a.id) % 7) - (Number(b.id) % 7));
      let [others, hostile] = [0, 0];
      while (bytesOf(waiting, isOther) > 0) {
        const { drains, surplus } = inTurns(waiting.slice(0, 500));
        others += bytesOf(drains.flat(), isOther);
        hostile += bytesOf(drains.flat(), (project) => !isOther(project));
        waiting = [...waiting.slice(500), ...surplus];
      }
      return { others, hostile };
    };
    const { others, hostile } = stored(some(HOSTILE, 400, 20 * MB));
    expect(others).toBe(bytesOf(backlog, isOther));
    expect(hostile / (others + hostile)).toBeLessThanOrEqual(0.1);
  });
});

describe("a batch", () => {
  it("of one project is stored in a few drains, so that who comes behind it need not wait for hours", () => {
    const { drains, surplus } = inTurns(some(1, 40, 20 * MB));
    expect(drains.map((drain) => drain.length)).toEqual(Array.from({ length: 8 }, () => 3));
    expect(surplus).toHaveLength(16);
  });

  it("is stored whole where no project sent more than the others together", () => {
    const { drains, surplus } = inTurns(OTHERS.flatMap((project) => some(project, 2, 20 * MB)));
    expect(drains.flat()).toHaveLength(18);
    expect(surplus).toEqual([]);
  });

  it("keeps the order of each project's messages, and is one empty drain where there are none", () => {
    const [first, second] = some(1, 2, MB);
    expect(inTurns([first, second].flatMap((each) => each ?? [])).drains).toEqual([[first, second]]);
    expect(inTurns([])).toEqual({ drains: [[]], surplus: [] });
  });
});
