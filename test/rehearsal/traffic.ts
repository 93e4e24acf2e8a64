import { setTimeout as pause } from "node:timers/promises";
import type { Standing } from "./boot.ts";
import { ask, capture, type Project } from "./journey.ts";

/** What clients saw while something happened. */
export interface Seen {
  /** Events that were acknowledged. */
  readonly events: number;
  readonly calls: number;
  /** Each answer that was no success, as a line. */
  readonly failures: readonly string[];
}

const BETWEEN_MS = 50;

/** Lets clients send events named `seen` on both lanes and ask for them, one after the other each, for as long as the work goes on. */
export const withTraffic = async (standing: Standing, project: Project, work: () => Promise<void>): Promise<Seen> => {
  const failures: string[] = [];
  let [events, calls, isOver] = [0, 0, false];
  const again = async (call: (round: number) => Promise<number>): Promise<void> => {
    for (let round = 0; !isOver; round += 1) {
      try {
        const acknowledged = await call(round);
        events += acknowledged;
      } catch (failure) {
        failures.push(String(failure));
      }
      calls += 1;
      await pause(BETWEEN_MS);
    }
  };
  const send = (lane: object, timestamp: object) => async (round: number) => {
    const batch = [0, 1].map((at) => ({
      event: "seen",
      distinct_id: `p${at}`,
      properties: { round, ...lane, $set: { round } },
      ...timestamp,
    }));
    await capture(standing, project, batch, lane);
    return batch.length;
  };
  const query = async () => {
    await ask(standing, project, "SELECT count(), uniq(person_id) FROM events WHERE event = 'seen'");
    return 0;
  };
  const clients = [again(send({}, {})), again(send({ historical_migration: true }, { timestamp: "2024-02-03T04:05:06Z" })), again(query)];
  try {
    await work();
  } finally {
    isOver = true;
    await Promise.all(clients);
  }
  return { events, calls, failures };
};
