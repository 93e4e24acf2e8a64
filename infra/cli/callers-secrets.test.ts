import { afterEach, beforeEach, expect, test } from "vitest";
import { callersSecrets } from "./callers-secrets.ts";

const before = { ...process.env };
beforeEach(() => {
  for (const name of Object.keys(process.env).filter((each) => each.startsWith("AWS_"))) delete process.env[name];
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: "operator", AWS_SECRET_ACCESS_KEY: "secret" });
});
afterEach(() => {
  process.env = { ...before };
});

test.each([
  ["eu-central-1", "https://ssm.eu-central-1.amazonaws.com"],
  ["cn-north-1", "https://ssm.cn-north-1.amazonaws.com.cn"],
  ["eusc-de-east-1", "https://ssm.eusc-de-east-1.amazonaws.eu"],
])("secrets of %s are asked for in the domain of the region", async (region, parametersUrl) => {
  process.env.AWS_REGION = region;
  const place = await callersSecrets();
  expect(place).toMatchObject({ region, parametersUrl, secretsUrl: parametersUrl.replace("ssm", "secretsmanager") });
});
