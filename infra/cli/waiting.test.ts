import { expect, it } from "vitest";
import { checkNothingWaits } from "./waiting.ts";

const queue = (name: string) => ({ type: "AWS::SQS::Queue", name: `https://sqs.test/1/${name}`, left: false });
const account = (counts: Readonly<Record<string, number>>) => ({
  messages: async (url: string) => counts[url.slice(url.lastIndexOf("/") + 1)] ?? 0,
  resources: async (stack: string) => (stack === "gone" ? undefined : [queue("live"), queue("dead"), { ...queue("log"), type: "Log" }]),
});

it("a stage is not destroyed while it holds messages, unless they are to be lost", async () => {
  const full = account({ live: 3, dead: 2 });
  await expect(checkNothingWaits(full, ["ingest"], { discard: false })).rejects.toThrow("live holds 3, dead holds 2");
  await checkNothingWaits(full, ["ingest"], { discard: true });
  await checkNothingWaits(account({ log: 1 }), ["ingest"], { discard: false });
  await checkNothingWaits(full, ["gone"], { discard: false });
});
