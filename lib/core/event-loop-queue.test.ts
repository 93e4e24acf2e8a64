import { expect, it } from "vitest";
import { openEventLoopQueue } from "./event-loop-queue.ts";

it("lets the event loop handle what has come meanwhile between two tasks", async () => {
  const queue = openEventLoopQueue();
  const order: string[] = [];
  const tasks = [1, 2, 3].map(async (number) => {
    await queue(async () => order.push(`prepared ${number}`));
    order.push(`task ${number}`);
    setImmediate(() => order.push(`others after ${number}`));
  });
  await Promise.all(tasks);
  expect(order).toEqual(["prepared 1", "task 1", "others after 1", "prepared 2", "task 2", "others after 2", "prepared 3", "task 3"]);
});

it("goes on after a task that could not be prepared", async () => {
  const queue = openEventLoopQueue();
  const failed = queue(() => Promise.reject(new Error("broken")));
  await expect(failed).rejects.toThrow("broken");
  expect(await queue(async () => "next")).toBe("next");
});
