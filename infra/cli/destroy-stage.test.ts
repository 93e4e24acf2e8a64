import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { UserError } from "../local/user-error.ts";
import { KEPT_OUTPUTS } from "../outputs.ts";
import { keepStageSettings, readStageSettings } from "../stage-settings.ts";
import { destroyStage } from "./destroy-stage.ts";
import { settingsBefore } from "./kept-data.ts";
import type { StackResource } from "./stack-account.ts";

const TABLE = { type: "AWS::DynamoDB::GlobalTable", name: "shop-table", left: false };
const BUCKET = { type: "AWS::S3::Bucket", name: "shop-bucket", left: false };
const QUEUE = { type: "AWS::SQS::Queue", name: "https://sqs.test/1/live", left: false };
const KEPT = { table: "shop-table", bucket: "shop-bucket" };
const GIVEN = { stage: "shop", context: [], yes: true, discard: false };

let folder: string;
/** What the account holds of the stage: stacks and what they made. */
let stacks: Map<string, readonly StackResource[]>;
/** The stack at which taking down ends with a failure, as the service or the network has them. */
let failsAt: string | undefined;
let waiting: number;

const account = { resources: async (stack: string) => stacks.get(stack), messages: async () => waiting };
const cdk = ([, ...words]: readonly string[]): void => {
  for (const stack of words.filter((word) => !word.startsWith("--"))) {
    if (stack === failsAt) throw new UserError(`${stack} failed`);
    stacks.delete(stack);
  }
};
const destroy = () => destroyStage(GIVEN, { account, cdk, folder });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "stages-"));
  stacks = new Map([
    ["shop", []],
    ["shop-workers", []],
    ["shop-ingest", [QUEUE]],
    ["shop-data", [TABLE, BUCKET]],
  ]);
  failsAt = undefined;
  waiting = 0;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("taking a stage down", () => {
  it("says what it keeps, writes it down, and says the same when it is asked again", async () => {
    expect(await destroy()).toEqual(KEPT);
    expect([...stacks]).toEqual([]);
    expect(readStageSettings("shop", folder)).toEqual({ keptTable: "shop-table", keptBucket: "shop-bucket" });
    expect(await destroy()).toEqual(KEPT);
    expect(readStageSettings("shop", folder)).toEqual({ keptTable: "shop-table", keptBucket: "shop-bucket" });
  });

  it.each(["shop", "shop-workers", "shop-ingest", "shop-data"])("that was broken off at %s goes on, and forgets nothing", async (at) => {
    failsAt = at;
    await expect(destroy()).rejects.toThrow(`${at} failed`);
    expect(stacks.get("shop-data")).toEqual([TABLE, BUCKET]);
    failsAt = undefined;
    expect(await destroy()).toEqual(KEPT);
    expect([...stacks]).toEqual([]);
  });

  it("waits for messages in the second half as in the first", async () => {
    stacks.delete("shop");
    stacks.delete("shop-workers");
    waiting = 3;
    await expect(destroy()).rejects.toThrow("live holds 3");
    expect([...stacks.keys()]).toEqual(["shop-ingest", "shop-data"]);
  });

  it("leaves the data's stack alone where a person says no", async () => {
    await expect(destroyStage(GIVEN, { account, cdk: () => undefined, folder })).rejects.toThrow("still there");
    expect(readStageSettings("shop", folder)).toEqual({});
  });

  it("after a deploy that failed keeps what that left", async () => {
    stacks = new Map([["shop-data", [{ ...TABLE, left: true }]]]);
    expect(await destroy()).toEqual({ table: "shop-table", bucket: undefined });
    expect(readStageSettings("shop", folder)).toEqual({ keptTable: "shop-table" });
  });
});

describe("before the next deploy", () => {
  const changes = (outputs: readonly string[] = []) =>
    settingsBefore(
      { ...account, outputs: async () => new Map(outputs.map((name) => [name, ""])) },
      "shop",
      readStageSettings("shop", folder),
    );

  it("what a failed one left is gone on with", async () => {
    stacks.set("shop-data", [{ ...TABLE, left: true }]);
    expect(await changes()).toEqual(["keptTable=shop-table"]);
  });
  it("what the data's stack made and still holds is no kept one, whatever was written down", async () => {
    keepStageSettings("shop", ["keptTable=shop-table", "keptBucket=shop-bucket"], folder);
    expect(await changes()).toEqual(["keptTable=", "keptBucket="]);
  });
  it("what it took back stays a kept one, and so does what no stack holds", async () => {
    keepStageSettings("shop", ["keptTable=shop-table", "keptBucket=shop-bucket"], folder);
    expect(await changes(Object.values(KEPT_OUTPUTS))).toEqual([]);
    stacks.delete("shop-data");
    expect(await changes()).toEqual([]);
  });
});
