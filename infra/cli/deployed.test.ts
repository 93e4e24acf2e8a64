import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { stackNames } from "../outputs.ts";
import { readArguments, unasked } from "./deployed.ts";

it.each(["shop", "shop-2", "data", "big-database"])("a stage may be called %s", (stage) => {
  expect(readArguments(["--stage", stage], "Usage")).toMatchObject({ stage });
});

it.each(["aws", "AWS-prod", "ssm2"])("a stage may not be called %s, as no parameter may be called", (stage) => {
  expect(() => readArguments(["--stage", stage], "Usage")).toThrow(`/${stage}/token-keys`);
});

it("a deployment asks nobody where --yes was said, and else about everything", async () => {
  expect(unasked({ yes: false })).toEqual([]);
  const cdk = join(import.meta.dirname, "../../node_modules/aws-cdk/bin/cdk");
  const { stdout } = await promisify(execFile)(process.execPath, [cdk, "deploy", "--help"]);
  for (const word of unasked({ yes: true }).filter((each) => each.startsWith("--"))) expect(stdout).toContain(`  ${word}`);
  expect(unasked({ yes: true })).toEqual(["--require-approval", "never", "--yes"]);
});

it("no stage may be called as a stack of another one", () => {
  const { front, ...behind } = stackNames("shop");
  expect(readArguments(["--stage", front], "Usage")).toMatchObject({ stage: "shop" });
  for (const stack of Object.values(behind))
    expect(() => readArguments(["--stage", stack], "Usage")).toThrow(`a stage shop has a stack ${stack}`);
});

it.each(["deploy", "diff", "destroy", "smoke/main"])(
  "%s says how it is used where that is asked for, without anything else",
  async (program) => {
    const asked = await promisify(execFile)(process.execPath, [join(import.meta.dirname, `${program}.ts`), "--help"]);
    expect(asked).toMatchObject({ stdout: expect.stringMatching(/^Usage: npm run \w+ -- --stage NAME/), stderr: "" });
  },
);

it.each(["destroy", "smoke/main"])("%s says what to do where there is no account to ask", async (program) => {
  const words = [join(import.meta.dirname, `${program}.ts`), "--stage", "shop"];
  const nowhere = {
    PATH: process.env.PATH,
    AWS_EC2_METADATA_DISABLED: "true",
    AWS_CONFIG_FILE: "/dev/null",
    AWS_SHARED_CREDENTIALS_FILE: "/dev/null",
  };
  await expect(promisify(execFile)(process.execPath, words, { env: nowhere })).rejects.toMatchObject({
    code: 1,
    stderr: "No region is set: set AWS_REGION, for example AWS_REGION=eu-central-1.\n",
  });
});
