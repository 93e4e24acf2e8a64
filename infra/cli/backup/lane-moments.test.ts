import { expect, test } from "vitest";
import type { QueueDepth } from "../../../lib/ports/queues.ts";
import { laneMoment } from "./lane-moments.ts";

const NOW = Date.UTC(2026, 10, 28, 12, 0, 30);
const MINUTE_MS = 60_000;
const EMPTY: QueueDepth = { waiting: 0, inFlight: 0, deadLetters: 0 };

const lanes = (live: Partial<QueueDepth>, historical: Partial<QueueDepth>) => ({
  clock: { now: () => NOW },
  queueDepths: {
    read: async (queue: string) => ({ ...EMPTY, ...(queue === "live" ? live : queue === "historical" ? historical : { waiting: 9 }) }),
  },
});

test("lanes that are empty by count were so a minute ago, and jobs and metrics are not asked for", async () => {
  const never = () => Promise.reject(new Error("asked"));
  expect(await laneMoment(lanes({}, { deadLetters: 2 }), never)).toEqual({ before: NOW - MINUTE_MS, isByAge: false, deadLetters: 2 });
});

test("a lane that is not empty is as old as the metric says, and as old as a message can be where it says nothing", async () => {
  const told = async () => new Map([["live", NOW - 5 * MINUTE_MS] as const]);
  expect(await laneMoment(lanes({ inFlight: 1 }, {}), told)).toEqual({ before: NOW - 5 * MINUTE_MS, isByAge: true, deadLetters: 0 });
  expect(await laneMoment(lanes({}, { waiting: 1 }), told)).toMatchObject({ before: NOW - 14 * 24 * 60 * MINUTE_MS, isByAge: true });
});
