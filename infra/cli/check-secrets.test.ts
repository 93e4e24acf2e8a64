import { expect, test } from "vitest";
import { checkSecrets } from "./check-secrets.ts";

test("a secret that does not lie where a setting says is told with its setting, and nobody is asked for others", async () => {
  const asked: string[] = [];
  const hasSecret = async (name: string) => asked.push(name) > 0 && name !== "/platform/hook";
  const settings = { stripeSecretKeyParameter: "/platform/stripe", clickhousePasswordSecret: "/platform/clickhouse" };
  expect(await checkSecrets({ hasSecret }, settings)).toEqual([]);
  expect(asked.sort()).toEqual(["/platform/clickhouse", "/platform/stripe"]);
  const hook = { ...settings, stripeWebhookSecretParameter: "/platform/hook" };
  await expect(checkSecrets({ hasSecret }, hook)).rejects.toThrow("-c stripeWebhookSecretParameter=/platform/hook: nothing lies there");
});

test("a secret that the caller may not look for is no reason not to deploy", async () => {
  const hasSecret = () => Promise.reject(new Error("AccessDeniedException"));
  expect(await checkSecrets({ hasSecret }, { githubTokenParameter: "github" })).toEqual([
    expect.stringContaining("github (githubTokenParameter): Error: AccessDeniedException"),
  ]);
});
