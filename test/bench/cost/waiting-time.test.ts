import { describe, expect, it } from "vitest";
import { waitingTime } from "./waiting-time.ts";

describe("waiting", () => {
  it("side by side takes as long as the longest, one after the other as long as all together", async () => {
    const { now, wait } = waitingTime();
    await Promise.all([wait(25), wait(10), wait(5)]);
    expect(now()).toBe(25);
    await wait(10);
    await wait(5);
    expect(now()).toBe(40);
  });

  it("of several who wait again and again is over with the one who waits longest", async () => {
    const { now, wait } = waitingTime();
    const ended: string[] = [];
    const waiter = async (name: string, ...times: readonly number[]): Promise<void> => {
      for (const ms of times) await wait(ms);
      ended.push(`${name} ${now()}`);
    };
    await Promise.all([waiter("thrice", 5, 5, 5), waiter("once", 25), waiter("twice", 10, 10)]);
    expect(ended).toEqual(["thrice 15", "twice 20", "once 25"]);
  });
});
