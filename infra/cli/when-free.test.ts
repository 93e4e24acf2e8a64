import { expect, it } from "vitest";
import { Busy } from "../../lib/core/concurrency.ts";
import { type Wait, whenFree } from "./when-free.ts";

/** A wait that takes no time. */
const instantWait = () => {
  const lines: string[] = [];
  let now = 0;
  const wait: Wait = {
    now: () => now,
    pause: async (ms) => {
      now += ms;
    },
    tell: (line) => lines.push(line),
  };
  return { wait, lines };
};

it("waits until there is a place, and says so once", async () => {
  const { wait, lines } = instantWait();
  let asked = 0;
  const task = async (): Promise<string> => {
    asked += 1;
    if (asked < 4) throw new Busy("all taken");
    return "answer";
  };
  expect(await whenFree(task, wait)).toBe("answer");
  expect([wait.now(), lines]).toEqual([3_000, ["The project's runs are busy: waiting for one of them to end, for a minute at most."]]);
});

it("gives up after a minute with a sentence, and at once where something else is wrong", async () => {
  const { wait } = instantWait();
  const busy = whenFree(() => Promise.reject(new Busy("all taken")), wait);
  await expect(busy).rejects.toMatchObject({ name: "UserError", message: expect.stringContaining("busy after a minute") });
  expect(wait.now()).toBe(60_000);
  await expect(whenFree(() => Promise.reject(new Error("no")), wait)).rejects.toThrow("no");
  expect(wait.now()).toBe(60_000);
});
