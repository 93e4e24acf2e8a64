import { expect, test } from "vitest";
import { Defect } from "../core/unreachable.ts";
import { openAws } from "./aws.ts";

const environment = { TABLE_NAME: "table", LIVE_QUEUE_URL: "https://sqs.test/live", QUERY_TIME_MS: "1234", AWS_REGION: "eu-west-1" };

test("a part that a function does not use is a defect when touched, and its name is said", () => {
  const world = openAws({ table: { read: [] } }, environment);
  expect(() => world.queues.send("live", [])).toThrow(Defect);
  expect(() => world.objects.get("key")).toThrow('"objects"');
  expect(() => world.engine.close()).toThrow('"engine"');
});

test("settings come from the environment", () => {
  expect(openAws({}, environment).config).toMatchObject({ queryTimeMs: 1234, throttleScale: 1, compaction: "deployed" });
});

test("an object store without its bucket's name is a defect at the first call", async () => {
  await expect(openAws({ objects: {} }, environment).objects.get("key")).rejects.toThrow("BUCKET_NAME");
});
