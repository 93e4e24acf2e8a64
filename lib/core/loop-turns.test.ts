import { expect, it } from "vitest";
import { loopTurns } from "./loop-turns.ts";

it("lets what has come meanwhile go between two pieces of work", async () => {
  const turn = loopTurns();
  const order: string[] = [];
  const work = [1, 2, 3].map(async (piece) => {
    await turn(async () => order.push(`ready ${piece}`));
    order.push(`work ${piece}`);
    setImmediate(() => order.push(`others after ${piece}`));
  });
  await Promise.all(work);
  expect(order).toEqual(["ready 1", "work 1", "others after 1", "ready 2", "work 2", "others after 2", "ready 3", "work 3"]);
});

it("goes on after what could not be got ready", async () => {
  const turn = loopTurns();
  const failed = turn(() => Promise.reject(new Error("broken")));
  await expect(failed).rejects.toThrow("broken");
  expect(await turn(async () => "next")).toBe("next");
});
