import { describe, expect, it } from "vitest";
import { alarmReceivers } from "./alarm-receivers.ts";
import type { Subscriber } from "./stack-account.ts";

const TOPIC = "arn:aws:sns:eu-central-1:123456789012:prod-data-notices";

/** A stage with the subscribers of its topic, or without a topic. */
const account = (subscribers?: readonly Subscriber[]) => ({
  resources: async () => (subscribers === undefined ? [] : [{ type: "AWS::SNS::Topic", name: TOPIC, left: false }]),
  subscribers: async (topic: string) => (topic === TOPIC ? (subscribers ?? []) : []),
});

describe("after a deployment", () => {
  it.each([
    ["nobody was named", undefined, {}, "reach nobody. Name somebody"],
    ["the letter was not answered", [{ address: "a@acme.test", confirmed: false }], { alarmEmail: "a@acme.test" }, "reach nobody yet"],
    ["whoever was named has left", [], { alarmEmail: "a@acme.test" }, "a@acme.test is not subscribed any more"],
  ])("it is said that alarms reach nobody where %s", async (_, subscribers, settings, sentence) => {
    expect(await alarmReceivers(account(subscribers), "prod", settings)).toContain(sentence);
  });
  it("it is said that nobody looked, where the caller may not", async () => {
    const message = "User a is not authorized to perform: SNS:ListSubscriptionsByTopic";
    const denied = { ...account([]), subscribers: () => Promise.reject(Object.assign(new Error(message), { name: "AuthorizationError" })) };
    const sentence = await alarmReceivers(denied, "prod", {});
    expect(sentence).toBe(`Nobody looked whom alarms reach. These AWS credentials may not do this: ${message}`);
  });
  it("those are named who confirmed, and those who did not", async () => {
    const both = [
      { address: "a@acme.test", confirmed: true },
      { address: "b@acme.test", confirmed: false },
    ];
    const sentence = await alarmReceivers(account(both), "prod", { alarmEmail: "b@acme.test" });
    expect(sentence).toBe("Alarms are mailed to a@acme.test. b@acme.test has not confirmed the letter of the subscription.");
  });
});
