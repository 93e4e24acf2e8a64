import { expect, it } from "vitest";
import { STACK_OUTPUTS } from "../outputs.ts";
import { checkNothingWaits } from "./waiting.ts";

const OUTPUTS = new Map([
  [STACK_OUTPUTS.queues.live, "live"],
  [STACK_OUTPUTS.deadLetters.historical, "dead"],
]);
const account = (counts: Readonly<Record<string, number>>) => ({ messages: async (url: string) => counts[url] ?? 0 });

it("a stage is not destroyed while it holds messages, unless they are to be lost", async () => {
  const full = account({ live: 3, dead: 2 });
  const refused = "the live queue holds 3, the dead letters of historical holds 2";
  await expect(checkNothingWaits(full, OUTPUTS, { discard: false })).rejects.toThrow(refused);
  await checkNothingWaits(full, OUTPUTS, { discard: true });
  await checkNothingWaits(account({}), OUTPUTS, { discard: false });
  await checkNothingWaits(full, undefined, { discard: false });
});
