import { existsSync } from "node:fs";
import { join } from "node:path";
import { SQSClient } from "@aws-sdk/client-sqs";
import { expect, test } from "vitest";
import * as z from "zod";
import { sqsQueues } from "../../lib/aws/aws-queues.ts";
import { DAY_MS } from "../../lib/core/time.ts";
import { setMarkersWrite } from "../../lib/usage/project-quotas.ts";
import { aTenant, itsOwnPlatform } from "../../test/support/processes/platform.ts";
import { readRunning } from "../local/stores/lock.ts";
import { deadLetterUrls } from "../local/stores/queue-and-objects.ts";
import { embedded } from "../local/world.ts";
import { alarmReceivers } from "./alarm-receivers.ts";
import { clockFinding } from "./doctor/addresses.ts";
import { checkStage } from "./doctor/stage.ts";
import { runLine } from "./run.ts";

const platform = itsOwnPlatform();

const Told = z.object({
  ok: z.boolean(),
  findings: z.array(
    z.object({ check: z.string(), status: z.enum(["ok", "warn", "fail"]), says: z.string(), advice: z.string().optional() }),
  ),
});

const doctor = async (...words: readonly string[]) => {
  const { text, exitCode } = await runLine(["doctor", "--json", "--data-dir", platform().dataDir, ...words], {});
  return { exitCode, ...Told.parse(JSON.parse(text)) };
};

test("a platform that works is found well, and an event that is sent is seen by a query", async () => {
  const { projectId, personalKey } = await aTenant(platform().world);
  const { exitCode, findings } = await doctor("--project", String(projectId), "--key", personalKey, "--send");
  expect(findings.map(({ check, status }) => `${status} ${check}`)).toEqual([
    "ok capture",
    "ok api",
    "ok clock",
    "ok formats",
    "ok live lane",
    "ok historical lane",
    "ok jobs lane",
    "ok key",
    "ok event",
    `ok project ${projectId}`,
  ]);
  expect(exitCode).toBe(0);
  const { text } = await runLine(["doctor", "--data-dir", platform().dataDir, "--project", String(projectId)], {});
  expect(text).toMatch(/^ok {4}capture: http:.* answers within \d+ ms\n/);
  expect(text).toContain("warn  key: no key was given, so none was tried → give both: --project 1 --key phx_…\n");
});

test("a key that is not known, a limit and dead letters are told with what to do", async () => {
  const { world } = platform();
  const { projectId } = await aTenant(world);
  await world.table.transact([setMarkersWrite(projectId, { events: Date.now() + DAY_MS })]);
  const { store } = readRunning(platform().dataDir) ?? { store: "" };
  await sqsQueues(new SQSClient(embedded(store)), deadLetterUrls(store), world.log).send("live", [{ id: "1", body: "no message of ours" }]);
  const { exitCode, ok, findings } = await doctor("--project", String(projectId), "--key", "phx_nobody");
  expect({ exitCode, ok }).toEqual({ exitCode: 1, ok: false });
  const wrong = findings.filter(({ status }) => status !== "ok");
  expect(wrong).toEqual([
    { check: "live lane", status: "fail", says: "1 were given up on", advice: expect.stringContaining("admin redrive") },
    { check: "key", status: "fail", says: "the key is not known", advice: expect.stringContaining("admin keys list") },
    {
      check: `project ${projectId}`,
      status: "warn",
      says: expect.stringMatching(/^events are limited until /),
      advice: expect.stringContaining("quota"),
    },
  ]);
});

test("a directory that is not there, and one on which nothing runs, are told and nothing is made", async () => {
  const nowhere = join(platform().dataDir, "nowhere");
  const { text, exitCode } = await runLine(["doctor", "--data-dir", nowhere], {});
  expect({ text, exitCode }).toEqual({ exitCode: 1, text: expect.stringMatching(/^fail {2}platform: there is no data directory .*\n$/) });
  expect(existsSync(nowhere)).toBe(false);
});

test.each([
  [0, "ok"],
  [30_000, "ok"],
  [31_000, "warn"],
  [301_000, "fail"],
] as const)("clocks that differ by %i ms are %s", (skewMs, status) => {
  expect(clockFinding(skewMs).status).toBe(status);
});

test("a stage whose alarms reach nobody, or whose formats this release does not read, is told so", async () => {
  const account = {
    outputs: async (stack: string) => new Map(stack.endsWith("-data") ? [["FormatsWritten", "9"]] : [["FormatsRead", "10"]]),
    resources: async () => [],
    subscribers: async () => [],
  };
  expect(await checkStage(account, "doctors-stage")).toEqual([
    { check: "alarms", status: "warn", says: await alarmReceivers(account, "doctors-stage", {}), advice: expect.any(String) },
    { check: "formats", status: "fail", says: expect.stringContaining("deploy a newer release"), advice: expect.any(String) },
  ]);
});
