import { expect, it } from "vitest";
import { loopTurns } from "./loop-turns.ts";

it("lets what has come meanwhile go between two pieces of work", async () => {
  const turn = loopTurns();
  const order: string[] = [];
  const work = [1, 2, 3].map(async (piece) => {
    await turn();
    order.push(`work ${piece}`);
    setImmediate(() => order.push(`others after ${piece}`));
  });
  await Promise.all(work);
  expect(order).toEqual(["work 1", "others after 1", "work 2", "others after 2", "work 3"]);
});
