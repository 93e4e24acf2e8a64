import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { App, Stack, Validations } from "aws-cdk-lib";
import { Bucket } from "aws-cdk-lib/aws-s3";
import { AwsSolutionsChecks } from "cdk-nag";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consumers, groups, invocables, schedules } from "../../functions/index.ts";
import { ingestLive } from "../../functions/ingest/consumers.ts";
import { gatewayPaths } from "../../infra/constructs/mount.ts";
import { nativeFiles } from "../../infra/native-files.ts";
import { FORMATS_WRITTEN, KEPT_OUTPUTS, STACK_OUTPUTS } from "../../infra/outputs.ts";
import { functionSizing, MAX_DELIVERIES, visibilitySeconds } from "../../infra/sizing.ts";
import { GENERATION, NEXT_GENERATION } from "../../lib/core/formats.ts";
import { operationIds } from "../../lib/http/openapi/operation-ids.ts";
import { MAX_MESSAGE_BYTES } from "../../lib/ports/queues.ts";
import { INDEXES } from "../../lib/ports/table.ts";
import { INDEX_LAYOUT } from "../../lib/table/layout.ts";
import { boot } from "../rehearsal/boot.ts";
import { functionName } from "../rehearsal/functions.ts";
import { applyTable, firstDay } from "../rehearsal/journey.ts";
import { checkRoles, rightsOf } from "../rehearsal/policies.ts";
import { readingFewer } from "../rehearsal/releases.ts";
import { resolveStage } from "../rehearsal/template.ts";
import type { Touched } from "../support/touched-partitions.ts";
import { type MatrixRow, type RolePatterns, rightsCells, rightsPage } from "./rights-matrix.ts";
import { REASONS } from "./rights-reasons.ts";
import { type Made, type Stage, synthesised, synthesisedWith, type Templates } from "./templates.ts";

let stage: Stage;
/** The same with settings. */
let told: Templates;
beforeAll(async () => {
  stage = await synthesised();
  const settings = { alarmEmail: "ops@example.com", dashboard: "true", llmAnalyticsProjectId: "7", personalSpendShape: "object" };
  told = await synthesisedWith(settings);
});
afterAll(() => stage.discard());

/** The engine for the functions' processors, where `npm run engine` has fetched it. */
const INSTALLED_ENGINE = "infra/setup/engine-arm64/node_modules";

const registered = [...groups, ...consumers, ...schedules, ...invocables];
const name = (resource: Made): string => resource.id.replace(/[0-9A-F]{8}$/, "");
const functions = (): readonly Made[] => stage.of("AWS::Lambda::Function");
const functionNamed = (wanted: string): Made => {
  const found = functions().find((each) => name(each) === wanted.replaceAll("-", ""));
  if (found === undefined) throw new Error(`no function ${wanted}`);
  return found;
};

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
}
const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);
const statements = (): readonly (Statement & { readonly of: string })[] =>
  stage
    .of("AWS::IAM::Policy")
    .flatMap((policy) => policy.properties.PolicyDocument.Statement.map((each: Statement) => ({ ...each, of: name(policy) })));

/** The partition keys that a function's role may touch, by the conditions of its policy. */
const mayTouch = (of: string): RolePatterns => {
  const from = of === "notices" ? told : stage;
  const granted = from
    .of("AWS::IAM::Policy")
    .filter((policy) => name(policy).startsWith(`${of.replaceAll("-", "")}role`))
    .flatMap((policy): readonly Statement[] => policy.properties.PolicyDocument.Statement);
  const keysOf = (action: string, index = ""): readonly string[] =>
    granted
      .filter(
        ({ Action, Resource }) =>
          listed(Action).includes(action) && JSON.stringify(Resource).includes(`/index/${index}`) === (index !== ""),
      )
      .flatMap(({ Condition }) => {
        const condition: { readonly "ForAllValues:StringLike"?: { readonly "dynamodb:LeadingKeys": unknown } } = Object(Condition);
        return listed(condition["ForAllValues:StringLike"]?.["dynamodb:LeadingKeys"] ?? "*").map(String);
      });
  return {
    read: keysOf("dynamodb:GetItem"),
    write: keysOf("dynamodb:PutItem"),
    removes: keysOf("dynamodb:DeleteItem").length > 0,
    checks: keysOf("dynamodb:ConditionCheckItem").length > 0,
    lists: Object.fromEntries(INDEXES.map((index) => [index, keysOf("dynamodb:Query", index)])),
  };
};

const operationId = operationIds(groups.flatMap(({ routes }) => routes));

describe("functions", () => {
  it("are those of the registry, each with a handler of its own", () => {
    const names = registered.map((each) => each.name).sort();
    expect(functions().map(name).sort()).toEqual(names.map((each) => each.replaceAll("-", "")).sort());
    const handlers = registered.map((each) => functionSizing(each).handler);
    expect(new Set(handlers).size).toBe(handlers.length);
    for (const handler of handlers) expect(readFileSync(handler, "utf8")).toContain("export const handler = ");
  });
  it("run Node 24 on arm64, answer before the gateway gives up, and reserve no concurrency", () => {
    for (const { properties } of functions()) {
      expect(properties.Runtime).toBe("nodejs24.x");
      expect(properties.Architectures).toEqual(["arm64"]);
      expect(properties.ReservedConcurrentExecutions).toBeUndefined();
    }
    for (const group of groups) expect(functionNamed(group.name).properties.Timeout).toBeLessThanOrEqual(29);
    expect(stage.of("AWS::Lambda::Alias")).toEqual([]);
  });
  it("have rights to just the parts that they use", () => {
    for (const { name: of, uses } of registered) {
      const actions = statements()
        .filter((each) => each.of.startsWith(`${of.replaceAll("-", "")}role`))
        .flatMap(({ Action }) => listed(Action).map(String));
      const may = (beginning: string): boolean => actions.some((action) => action.startsWith(beginning));
      const parts = [uses.table, uses.queues, uses.objects].map((part) => part !== undefined);
      expect([of, may("dynamodb:"), may("sqs:SendMessage"), may("s3:")]).toEqual([of, ...parts]);
    }
  });
  it("start other functions only where they say so, and only those", () => {
    const rights = statements().filter(({ Action }) => listed(Action).includes("lambda:InvokeFunction"));
    const started = rights.map(({ of, Resource }) => [of.replace(/role.*/, ""), /tables/.test(JSON.stringify(Resource))]);
    expect(started.sort()).toEqual([
      ["endpoints", true],
      ["sweep", true],
    ]);
    for (const asking of ["endpoints", "sweep"])
      expect(functionNamed(asking).properties.Environment.Variables.TABLES_FUNCTION).toBeDefined();
  });
  it("look at the queues and take dead letters out only where health is told, each by a right of its own", () => {
    const of = (role: string) => statements().filter((each) => each.of.startsWith(role));
    const rights = of("healthrole").flatMap(({ Action, Resource }) =>
      listed(Action)
        .filter((action) => String(action).startsWith("sqs:"))
        .flatMap((action) =>
          listed(Resource).map((arn) => `${action} ${/(live|historical|jobs)(queue|deadletters)/.exec(JSON.stringify(arn))?.[0]}`),
        ),
    );
    const wanted = ["live", "historical", "jobs"].flatMap((queue) => [
      `sqs:SendMessage ${queue}queue`,
      `sqs:GetQueueAttributes ${queue}queue`,
      `sqs:GetQueueAttributes ${queue}deadletters`,
      `sqs:ReceiveMessage ${queue}deadletters`,
      `sqs:DeleteMessage ${queue}deadletters`,
    ]);
    expect(rights.sort()).toEqual(wanted.sort());
    for (const { name: group } of groups.filter((each) => each.name !== "health")) {
      const actions = of(`${group.replaceAll("-", "")}role`).flatMap(({ Action }) => listed(Action).map(String));
      expect([group, actions.filter((action) => action.startsWith("sqs:") && action !== "sqs:SendMessage")]).toEqual([group, []]);
    }
    const { Variables } = functionNamed("health").properties.Environment;
    expect(Object.keys(Variables).filter((key) => /QUEUE_URL|DEAD_LETTERS/.test(key))).toHaveLength(6);
  });
  it("send letters only from the address that the stage was given, and none without one", async () => {
    const sends = (of: Templates) =>
      of
        .of("AWS::IAM::Policy")
        .flatMap((policy) => policy.properties.PolicyDocument.Statement as readonly Statement[])
        .filter(({ Action }) => listed(Action).includes("ses:SendEmail"));
    expect(sends(stage)).toEqual([]);
    const sending = await synthesisedWith({ mailFrom: "platform@acme.test" });
    const rights = sends(sending);
    expect(rights).toHaveLength(registered.filter(({ uses }) => uses.mail).length);
    for (const { Resource, Condition } of rights) {
      expect(JSON.stringify(Resource)).toMatch(/identity\/acme\.test".*identity\/platform@acme\.test"/);
      expect(Condition).toEqual({ StringEquals: { "ses:FromAddress": "platform@acme.test" } });
    }
    await expect(synthesisedWith({ mailFrom: "nobody" })).rejects.toThrow("give an e-mail address");
  });
  it("read the keys of integrations' tokens where they are used, and no other parameter", () => {
    const rights = statements().flatMap(({ of, Action, Resource }) =>
      listed(Action)
        .filter((action) => String(action).startsWith("ssm:"))
        .map((action) => [of, action, JSON.stringify(Resource)]),
    );
    expect(rights.map(([of, action]) => [of, action])).toEqual([[expect.stringMatching(/^errortrackingrole/), "ssm:GetParameter"]]);
    expect(rights[0]?.[2]).toContain(":parameter/test/token-keys");
    const { Variables } = functionNamed("error-tracking").properties.Environment;
    expect(Variables.TOKEN_KEYS_PARAMETER).toBe("/test/token-keys");
    expect(functions().filter(({ properties }) => properties.Environment?.Variables?.TOKEN_KEYS_PARAMETER !== undefined)).toHaveLength(1);
  });
  it("send webhooks to the hosts that the stage was given, and where customers register them", async () => {
    const hosts = (of: Templates) =>
      of
        .of("AWS::Lambda::Function")
        .flatMap(({ id, properties }) => {
          const given = properties.Environment?.Variables?.WEBHOOK_HOSTS;
          return given === undefined ? [] : [[id, given]];
        })
        .sort();
    expect(hosts(stage)).toEqual([]);
    const webhookHosts = "hooks.acme.test,*.example.test";
    const told = ["billing", "error-tracking", "notices"].map((each) => [functionNamed(each).id, webhookHosts]);
    const sending = await synthesisedWith({ webhookHosts });
    expect(hosts(sending)).toEqual(told);
    expect(sending.of("AWS::Events::Rule").map(({ properties }) => properties.ScheduleExpression)).toEqual(
      schedules.filter(({ name }) => name !== "canary").map(({ every }) => `rate(${every})`),
    );
    const alarms = sending.of("AWS::CloudWatch::Alarm").filter(({ properties }) => properties.AlarmDescription.endsWith("#notices-errors"));
    expect(alarms).toHaveLength(1);
    await expect(synthesisedWith({ webhookHosts: "https://hooks.acme.test" })).rejects.toThrow("must be hosts with commas between them");
    await expect(synthesisedWith({ webhookHosts: "hooks.acme.test, localhost" })).rejects.toThrow("the function itself");
  });
  it("are told where providers of issues and code are, and with which token, only where they call them", async () => {
    const own = { gitlabOrigin: "https://git.acme.test", githubTokenParameter: "/platform/github-token" };
    const told = await synthesisedWith(own);
    const settingsOf = (of: Templates) =>
      of
        .of("AWS::Lambda::Function")
        .flatMap(({ id, properties }) =>
          Object.entries(properties.Environment?.Variables ?? {}).map(([name, value]) => ({ id, name, value })),
        )
        .filter(({ name }) => /^(GITHUB|GITLAB|LINEAR|JIRA)_/.test(name))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    const { id } = functionNamed("error-tracking");
    expect(settingsOf(stage)).toEqual([]);
    expect(settingsOf(told)).toEqual([
      { id, name: "GITHUB_TOKEN_PARAMETER", value: "/platform/github-token" },
      { id, name: "GITLAB_ORIGIN", value: "https://git.acme.test" },
    ]);
    await expect(synthesisedWith({ jiraApi: "http://example.org" })).rejects.toThrow("https://");
    await expect(synthesisedWith({ gitlabTokenParameter: "a b" })).rejects.toThrow("the name of a parameter");
  });
  it("ask only the language model that the stage was given, and none without one", async () => {
    const asks = (of: Templates) =>
      of
        .of("AWS::IAM::Policy")
        .flatMap((policy) => policy.properties.PolicyDocument.Statement as readonly Statement[])
        .filter(({ Action }) => listed(Action).some((action) => String(action).startsWith("bedrock:")));
    expect(asks(stage)).toEqual([]);
    const [only, ...others] = asks(await synthesisedWith({ modelId: "maker.model-v1:0" }));
    expect(others).toEqual([]);
    expect(only?.Action).toBe("bedrock:InvokeModel");
    expect(JSON.stringify(only?.Resource)).toMatch(/:bedrock:".*"::foundation-model\/maker\.model-v1:0"/);
    const [profile, model] = asks(await synthesisedWith({ modelId: "eu.maker.model-v1:0" }));
    expect(JSON.stringify(profile?.Resource)).toContain(":inference-profile/eu.maker.model-v1:0");
    expect(JSON.stringify(model?.Resource)).toContain(":bedrock:*::foundation-model/maker.model-v1:0");
    expect(Object.keys(Object(model?.Condition).StringEquals)).toEqual(["bedrock:InferenceProfileArn"]);
    await expect(synthesisedWith({ modelId: "some model" })).rejects.toThrow("give the id of a model");
  });
  it("vend credentials to readers of the open tables only where the stage publishes them, and credentials that fetch and do nothing else", async () => {
    const published = await synthesisedWith({ publish: "iceberg" });
    const readers = (of: Templates) => of.of("AWS::IAM::Role").filter((role) => name(role).endsWith("rolereader"));
    const vendors = (of: Templates) =>
      of.of("AWS::IAM::Policy").filter(({ properties }) => JSON.stringify(properties.PolicyDocument).includes("sts:AssumeRole"));
    const told = (of: Templates) =>
      of.of("AWS::Lambda::Function").filter(({ properties }) => "READER_ROLE_ARN" in (properties.Environment?.Variables ?? {}));
    expect([readers(stage), vendors(stage), told(stage)]).toEqual([[], [], []]);
    const publishing = published
      .of("AWS::Lambda::Function")
      .filter(({ properties }) => properties.Environment?.Variables.PUBLISH === "iceberg");
    expect(publishing.map(name).sort()).toEqual(["iceberg", "jobs", "sweep"]);
    await expect(synthesisedWith({ publish: "delta" })).rejects.toThrow("none, iceberg");
    const [reader, ...others] = readers(published);
    expect([others, vendors(published).map(name), told(published).map(name)]).toEqual([[], ["icebergroleDefaultPolicy"], ["iceberg"]]);
    const trusted = reader?.properties.AssumeRolePolicyDocument.Statement.map(({ Principal }: { Principal: unknown }) =>
      JSON.stringify(Principal),
    );
    expect(trusted).toEqual([expect.stringContaining('"icebergrole')]);
    const [rights] = published.of("AWS::IAM::Policy").filter((policy) => name(policy).startsWith("icebergrolereader"));
    expect(rights?.properties.PolicyDocument.Statement).toMatchObject([{ Action: "s3:GetObject", Resource: { length: 3 } }]);
  });
  it("list published tables in the database that the stage was given, and may touch no other tables of it", async () => {
    const listing = await synthesisedWith({ publish: "iceberg", glueDatabase: "shop_lake" });
    const rights = (of: Templates) =>
      of
        .of("AWS::IAM::Policy")
        .flatMap((policy) => policy.properties.PolicyDocument.Statement.map((each: Statement) => ({ ...each, of: name(policy) })))
        .filter(({ Action }) => listed(Action).some((action) => String(action).startsWith("glue:")));
    expect([stage.of("AWS::Glue::Database"), rights(stage)]).toEqual([[], []]);
    expect(listing.of("AWS::Glue::Database").map(({ properties }) => properties.DatabaseInput.Name)).toEqual(["shop_lake"]);
    const [only, ...others] = rights(listing);
    expect([only?.of, others]).toEqual(["jobsroleDefaultPolicy", []]);
    expect(only?.Action).toEqual(["glue:CreateTable", "glue:DeleteTable", "glue:UpdateTable"]);
    for (const end of [":catalog", ":database/shop_lake", ":table/shop_lake/project_*"])
      expect(JSON.stringify(only?.Resource)).toContain(`${end}"`);
    const told = listing
      .of("AWS::Lambda::Function")
      .filter(({ properties }) => "GLUE_DATABASE" in (properties.Environment?.Variables ?? {}));
    expect(told.map(name)).toEqual(["jobs"]);
    await expect(synthesisedWith({ glueDatabase: "shop_lake" })).rejects.toThrow("publish=iceberg");
    await expect(synthesisedWith({ publish: "iceberg", glueDatabase: "Shop lake" })).rejects.toThrow("small letters");
  });
  it("are told who collects and who bills, by the names of secrets, only where that is done", async () => {
    const stripe = {
      paymentProvider: "stripe",
      stripeSecretKeyParameter: "/platform/stripe",
      stripeWebhookSecretParameter: "/platform/hook",
    };
    const told = await synthesisedWith({ ...stripe, billingPortalUrl: "https://pay.acme.test" });
    for (const { id, properties } of told.of("AWS::Lambda::Function")) {
      const variables: Readonly<Record<string, unknown>> = properties.Environment?.Variables ?? {};
      const found = Object.fromEntries(Object.entries(variables).filter(([name]) => /^(PAYMENT|STRIPE|BILLING)_/.test(name)));
      const pays = [functionNamed("billing").id, functionNamed("closing").id].includes(id);
      const settings = {
        PAYMENT_PROVIDER: "stripe",
        STRIPE_SECRET_KEY_PARAMETER: "/platform/stripe",
        STRIPE_WEBHOOK_SECRET_PARAMETER: "/platform/hook",
        BILLING_PORTAL_URL: "https://pay.acme.test",
      };
      expect(found).toEqual(pays ? settings : {});
    }
    const alarms = told.of("AWS::CloudWatch::Alarm").filter(({ properties }) => properties.MetricName === "PaymentsToReview");
    expect(alarms.map(({ stack, properties }) => [stack, properties.Namespace, properties.Threshold])).toEqual([
      ["test-workers", "platform/test-workers", 0],
      ["test", "platform/test", 0],
    ]);
    await expect(synthesisedWith({ paymentProvider: "stripe" })).rejects.toThrow("stripeSecretKeyParameter");
    await expect(synthesisedWith({ paymentProvider: "cash" })).rejects.toThrow("none or stripe");
  });
  it("are told of a service that does the billing where they ask it, and where limits are looked after, and nowhere else", async () => {
    const billingServiceUrl = "https://billing.acme.test";
    const told = await synthesisedWith({ billingServiceUrl, billingLicenseParameter: "/platform/license" });
    for (const { id, properties } of told.of("AWS::Lambda::Function")) {
      const { BILLING_SERVICE_URL, BILLING_LICENSE_PARAMETER } = properties.Environment?.Variables ?? {};
      const asks = ["billing", "closing", "code"].some((each) => functionNamed(each).id === id);
      const limits = asks || id === functionNamed("jobs").id;
      expect([id, BILLING_SERVICE_URL]).toEqual([id, limits ? billingServiceUrl : undefined]);
      expect([id, BILLING_LICENSE_PARAMETER]).toEqual([id, asks ? "/platform/license" : undefined]);
    }
  });
  it("read their own secrets and no others, which are in no environment and no template", async () => {
    const secret = "arn:aws:secretsmanager:eu-west-1:123456789012:secret:platform/hook-AbCdEf";
    const key = "arn:aws:kms:eu-west-1:123456789012:key/0123-ab";
    const kept = await synthesisedWith({
      paymentProvider: "stripe",
      stripeSecretKeyParameter: "/platform/stripe",
      stripeWebhookSecretParameter: secret,
      billingLicenseParameter: "arn:aws:ssm:eu-west-1:123456789012:parameter/license",
      githubTokenParameter: "github",
      clickhouseUrl: "https://clickhouse.acme.test",
      clickhousePasswordSecret: "/platform/clickhouse",
      secretsKey: key,
    });
    const rights = (of: string) =>
      kept
        .of("AWS::IAM::Policy")
        .filter((policy) => name(policy).startsWith(`${of.replaceAll("-", "")}role`))
        .flatMap((policy): readonly Statement[] => policy.properties.PolicyDocument.Statement)
        .filter(({ Action }) => listed(Action).some((action) => /^(ssm|secretsmanager|kms):/.test(String(action))))
        .map(({ Action, Resource, Condition }) => ({
          Action,
          of: listed(Resource).map((arn) => JSON.stringify(arn).replace(/^.*:(parameter|secret|key)\/(.*?)"[^"]*$/, "$1 $2")),
          ...(Condition !== undefined && { by: JSON.stringify(Condition).replace(/^.*"(ssm|secretsmanager)\..*$/, "$1") }),
        }));
    const decrypt = (by: string) => ({ Action: "kms:Decrypt", of: ["key 0123-ab"], by });
    const parameters = (...of: readonly string[]) => [
      { Action: "ssm:GetParameter", of: of.map((each) => `parameter ${each}`) },
      decrypt("ssm"),
    ];
    const money = [...parameters("license", "platform/stripe"), { Action: "secretsmanager:GetSecretValue", of: [JSON.stringify(secret)] }];
    const reading: Readonly<Record<string, readonly unknown[]>> = {
      billing: [...money, decrypt("secretsmanager")],
      closing: [...money, decrypt("secretsmanager")],
      code: parameters("license"),
    };
    for (const { name: of, uses } of registered) {
      const providers = of === "error-tracking" ? ["github", "test/token-keys"] : [];
      const own = [...providers, ...(uses.engine ? ["platform/clickhouse"] : [])];
      expect([of, rights(of)]).toEqual([of, reading[of] ?? (own.length > 0 ? parameters(...own) : [])]);
    }
    const secretVariables = /^(STRIPE_SECRET_KEY|STRIPE_WEBHOOK_SECRET|BILLING_LICENSE|GITHUB_TOKEN|GITLAB_TOKEN|CLICKHOUSE_PASSWORD)$/;
    for (const { id, properties } of kept.of("AWS::Lambda::Function"))
      expect([id, Object.keys(properties.Environment?.Variables ?? {}).filter((variable) => secretVariables.test(variable))]).toEqual([
        id,
        [],
      ]);
    expect(JSON.stringify(kept.resources)).not.toContain("{{resolve:");
    expect(kept.findings).toEqual([]);
  });
  it.each([
    [{ githubTokenParameter: "arn:aws:secretsmanager:eu-west-1:123456789012:secret:github" }, "the whole ARN of a secret"],
    [{ githubTokenParameter: "arn:aws:ssm:eu-west-1:123456789012:parameter/*" }, "the name of a parameter"],
    [{ githubTokenParameter: "platform/github" }, "the slash that its path begins with"],
    [{ githubTokenParameter: "/platform/github", secretsKey: "alias/own" }, "the ARN of the key"],
  ])("read no secrets by %j", async (settings, sentence) => {
    await expect(synthesisedWith(settings)).rejects.toThrow(sentence);
  });
  it("are told of a ClickHouse, and may count that it does not answer, only where queries run", async () => {
    const clickhouse = {
      clickhouseUrl: "https://clickhouse.acme.test:8443",
      clickhousePasswordSecret: "/platform/clickhouse",
      clickhouseCluster: "large",
      clickhouseAboveMb: "500",
    };
    const beside = await synthesisedWith(clickhouse);
    const variablesOf = ({ properties }: Made): Readonly<Record<string, unknown>> => properties.Environment?.Variables ?? {};
    const told = (of: Made) =>
      Object.fromEntries(Object.entries(variablesOf(of)).filter(([variable]) => /^(CLICKHOUSE|METRICS)_/.test(variable)));
    const running = registered.filter(({ uses }) => uses.engine).map((each) => functionNamed(each.name).id);
    const counting = COUNTING.map((name) => functionNamed(name).id);
    for (const each of beside.of("AWS::Lambda::Function").filter(({ id }) => !counting.includes(id)))
      expect([each.id, told(each)]).toEqual([
        each.id,
        running.includes(each.id)
          ? {
              CLICKHOUSE_URL: "https://clickhouse.acme.test:8443",
              CLICKHOUSE_PASSWORD_PARAMETER: "/platform/clickhouse",
              CLICKHOUSE_CLUSTER: "large",
              CLICKHOUSE_ABOVE_MB: "500",
              METRICS_NAMESPACE: `platform/${each.stack}`,
              METRICS_URL: expect.anything(),
            }
          : {},
      ]);
    const alarms = beside.of("AWS::CloudWatch::Alarm").filter(({ properties }) => properties.MetricName === "ClickHouseUnreachable");
    expect(alarms.map(({ stack, properties }) => [stack, properties.Namespace, properties.Threshold])).toEqual([
      ["test-workers", "platform/test-workers", 0],
      ["test", "platform/test", 0],
    ]);
    for (const { properties } of alarms) expect(properties.AlarmDescription).toMatch(/#clickhouse-unreachable$/);
    expect(beside.exports).toEqual(stage.exports);
    expect(beside.findings).toEqual([]);
    const puts = beside
      .of("AWS::IAM::Policy")
      .filter(({ properties }) => JSON.stringify(properties.PolicyDocument).includes("cloudwatch:PutMetricData"));
    expect(puts).toHaveLength(running.length + COUNTING.length);
    const puttingWaiting = (of: Templates) =>
      of
        .of("AWS::IAM::Policy")
        .filter(({ properties }) =>
          properties.PolicyDocument.Statement.some(
            ({ Action, Resource }: Statement) => listed(Action).includes("s3:PutObject") && JSON.stringify(Resource).includes("/waiting/*"),
          ),
        );
    expect([puttingWaiting(beside).length, puttingWaiting(stage).length]).toEqual([running.length, 0]);
  });
  it.each([
    [{ clickhouseUrl: "https://clickhouse.acme.test" }, "needs -c clickhousePasswordSecret"],
    [{ clickhouseUrl: "http://clickhouse.acme.test", clickhousePasswordSecret: "/p" }, "https://"],
    [{ clickhouseUrl: "https://clickhouse.acme.test", clickhousePasswordSecret: "a b" }, "the name of a parameter"],
    [{ clickhouseUrl: "https://clickhouse.acme.test", clickhousePasswordSecret: "/p", clickhouseCluster: "a'b" }, "clickhouseCluster"],
    [{ clickhouseAboveMb: "500" }, "needs -c clickhouseUrl"],
  ])("are not told of a ClickHouse by %j", async (settings, sentence) => {
    await expect(synthesisedWith(settings)).rejects.toThrow(sentence);
  });
  it("carry the scripts of the browser's SDK, with their licence, only where they are sent", () => {
    for (const { name: of } of registered) {
      const folder = join(stage.bundles.get(of) ?? "", "posthog-js");
      const files = ["LICENSE", "package.json", "dist/array.js", "dist/surveys.js"];
      expect([of, ...files.map((file) => existsSync(join(folder, file)))]).toEqual([of, ...files.map(() => of === "browser")]);
    }
  });
  it("carry the script of the API's reference, with its licence, and the API's description only where they are sent", () => {
    for (const { name: of } of registered) {
      const folder = stage.bundles.get(of) ?? "";
      const has = ["redoc.standalone.js", "LICENSE", "openapi.json"].map((file) => existsSync(join(folder, file)));
      expect([of, ...has]).toEqual([of, of === "reference", of === "reference", of === "docs"]);
    }
  });
  it("carry no native code that is for another machine than theirs", () => {
    for (const folder of [...stage.bundles.values(), INSTALLED_ENGINE].filter((each) => existsSync(each)))
      expect(nativeFiles(folder).foreign).toEqual([]);
    // The tests' own engine is for the machine that they run on: beside an x64's, this one finds something.
    const own = nativeFiles("node_modules/@duckdb");
    expect([...own.loadable, ...own.foreign].length).toBeGreaterThan(0);
    expect(own.loadable.length > 0).toBe(process.platform === "linux" && process.arch === "arm64");
  });
  it("say which formats they read as a rehearsal looks for it, to make the release before of them", () => {
    const codeOf = (folder: string): readonly string[] =>
      readdirSync(folder)
        .filter((file) => file.endsWith(".mjs"))
        .map((file) => readFileSync(join(folder, file), "utf8"));
    const reading = [...stage.bundles.values()].filter((folder) => codeOf(folder).some((code) => readingFewer(code) !== code));
    expect(reading.length).toBeGreaterThan(10);
  });
  it("with the engine stay below 250 MB with its native code", () => {
    const bytesIn = (folder: string): number =>
      readdirSync(folder, { recursive: true, encoding: "utf8" })
        .map((each) => statSync(join(folder, each)))
        .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
    const nativeBytes = existsSync(INSTALLED_ENGINE) ? bytesIn(INSTALLED_ENGINE) : 70_000_000;
    const withEngine = registered.filter(({ uses }) => uses.engine);
    expect(withEngine.map((each) => each.name)).toEqual([
      "endpoint-runs",
      "endpoint-trials",
      "query",
      "shared-dashboards",
      "issue-list",
      "llm-analytics",
      "jobs",
      "tables",
    ]);
    for (const each of withEngine) expect(bytesIn(stage.bundles.get(each.name) ?? "") + nativeBytes).toBeLessThan(250 << 20);
  });
});

describe("hosts", () => {
  it("mount every declared path of the API once, for every method, bound to its group's function", () => {
    const resources = new Map(stage.of("AWS::ApiGateway::Resource").map((each) => [each.id, each]));
    const pathOf = (id: string | undefined): string => {
      const found = id === undefined ? undefined : resources.get(id);
      return found === undefined ? "" : `${pathOf(found.properties.ParentId?.Ref)}/${found.properties.PathPart}`;
    };
    const mounted = stage
      .of("AWS::ApiGateway::Method")
      .filter(({ stack }) => stack === "test")
      .map(({ properties }) => ({
        path: pathOf(properties.ResourceId.Ref).slice(1),
        method: properties.HttpMethod,
        to: JSON.stringify(properties.Integration.Uri),
      }));
    const served = groups.filter(({ gateway }) => gateway === "management");
    const declared = served.flatMap((group) => [...gatewayPaths(group, served)].map((path) => ({ path, group: group.name })));
    // What is declared nowhere reaches a function, too, or the gateway would read a key in the header as a signature of its own.
    const others = ["", "{proxy+}"].filter((path) => !declared.some((each) => each.path === path)).map((path) => ({ path, group: "docs" }));
    expect(mounted.map(({ path }) => path).sort()).toEqual([...declared, ...others].map(({ path }) => path).sort());
    for (const { path, group } of [...declared, ...others])
      expect(mounted.find((each) => each.path === path)).toMatchObject({
        method: "ANY",
        to: expect.stringContaining(`"${functionNamed(group).id}"`),
      });
  });
  it("serve what was deployed last, with every method in it", () => {
    for (const { properties } of stage.of("AWS::ApiGateway::Stage")) {
      const deployment = stage.resources.find(({ id }) => id === properties.DeploymentId.Ref);
      const own = stage.of("AWS::ApiGateway::Method").filter(({ stack }) => stack === deployment?.stack);
      expect(own.length).toBeGreaterThan(1);
      expect(deployment?.dependsOn).toEqual(expect.arrayContaining(own.map(({ id }) => id)));
    }
  });
  it("have no two holes at one place, which the gateway would refuse", () => {
    const holes = stage
      .of("AWS::ApiGateway::Resource")
      .filter(({ properties }) => properties.PathPart.startsWith("{"))
      .map(({ stack, properties }) => JSON.stringify([stack, properties.ParentId]));
    expect(holes.length).toBeGreaterThan(10);
    expect(new Set(holes).size).toBe(holes.length);
  });
  it("let capture answer everything on the ingest host but what browsers ask, with its bytes untouched", () => {
    const methods = stage.of("AWS::ApiGateway::Method").filter(({ stack }) => stack === "test-ingest");
    const browser = groups.find((group) => group.name === "browser");
    expect(methods.length).toBe(2 + (browser?.paths.length ?? 0));
    expect(new Set(methods.map(({ properties }) => properties.HttpMethod))).toEqual(new Set(["ANY"]));
    const bound = methods.map(({ properties }) => JSON.stringify(properties.Integration.Uri));
    expect(bound.filter((uri) => uri.includes(`"${functionNamed("capture").id}"`)).length).toBe(2);
    const [api] = stage.of("AWS::ApiGateway::RestApi").filter(({ stack }) => stack === "test-ingest");
    expect(api?.properties.BinaryMediaTypes).toEqual(["*/*"]);
  });
  it("need one permission for each function, whatever the number of paths", () => {
    const permissions = stage.of("AWS::Lambda::Permission").filter(({ properties }) => properties.Principal === "apigateway.amazonaws.com");
    const permitted = permissions.map(({ properties }) => properties.FunctionName["Fn::GetAtt"][0]).sort();
    expect(permitted).toEqual(groups.map((group) => functionNamed(group.name).id).sort());
  });
  it("answer by themselves in the words of the API", () => {
    const replies = stage.of("AWS::ApiGateway::GatewayResponse").filter(({ stack }) => stack === "test");
    expect(replies.length).toBeGreaterThan(4);
    for (const { properties } of stage.of("AWS::ApiGateway::GatewayResponse"))
      expect(properties.ResponseParameters["gatewayresponse.header.Access-Control-Allow-Origin"]).toBe("'*'");
    for (const { properties } of replies)
      expect(Object.keys(JSON.parse(properties.ResponseTemplates["application/json"]))).toEqual(["type", "code", "detail", "attr"]);
    const statusOf = (type: string) => replies.find(({ properties }) => properties.ResponseType === type)?.properties.StatusCode;
    expect(statusOf("MISSING_AUTHENTICATION_TOKEN")).toBe("404");
    expect(statusOf("REQUEST_TOO_LARGE")).toBe("413");
    // A body between the gateway's bound and the function's is 413 by the service itself, and the standing reply must leave it that.
    expect(statusOf("DEFAULT_4XX")).toBeUndefined();
  });
  it("answer at the root of the domains that the stage was given, and are known by them", async () => {
    const certificate = (id: string) => `arn:aws:acm:eu-central-1:123456789012:certificate/${id}`;
    const named = await synthesisedWith({
      ingestDomain: "events.acme.test",
      ingestCertificate: certificate("1"),
      apiDomain: "api.acme.test",
      apiCertificate: certificate("2"),
    });
    const domains = named.of("AWS::ApiGateway::DomainName").map(({ stack, properties }) => [stack, properties.DomainName]);
    expect(domains).toEqual([
      ["test-ingest", "events.acme.test"],
      ["test", "api.acme.test"],
    ]);
    for (const { properties } of named.of("AWS::ApiGateway::DomainName"))
      expect(properties).toMatchObject({ SecurityPolicy: "TLS_1_2", EndpointConfiguration: { Types: ["REGIONAL"] } });
    const mappings = named.of("AWS::ApiGateway::BasePathMapping");
    expect(mappings.map(({ properties }) => properties.BasePath)).toEqual([undefined, undefined]);
    for (const { properties } of mappings) expect(JSON.stringify(properties.Stage)).toMatch(/DeploymentStagev1/);
    const variablesOf = (of: string) =>
      named.of("AWS::Lambda::Function").find((each) => name(each) === of)?.properties.Environment.Variables;
    expect(variablesOf("endpoints")).toMatchObject({ BASE_URL: "https://api.acme.test", INGEST_URL: "https://events.acme.test" });
    // Letters say where limits are changed.
    expect(variablesOf("notices")).toMatchObject({ BASE_URL: "https://api.acme.test" });
    expect([named.outputs["test-ingest"], named.outputs.test]).toEqual([
      expect.arrayContaining(["IngestDomainTarget"]),
      expect.arrayContaining(["ManagementDomainTarget"]),
    ]);
    // What stacks hand to each other stays: taken back while another holds it, it would stop the deploy.
    expect(named.exports).toEqual(stage.exports);
    expect(named.findings).toEqual([]);
  });
  it.each([
    [{ ingestDomain: "events.acme.test" }, "needs -c ingestCertificate"],
    [{ apiCertificate: "arn:aws:acm:eu-central-1:123456789012:certificate/1" }, "needs -c apiDomain"],
    [{ apiDomain: "https://api.acme.test", apiCertificate: "arn:aws:acm:eu-central-1:123456789012:certificate/1" }, "give a domain"],
    [{ apiDomain: "api.acme.test", apiCertificate: "certificate" }, "the ARN of a certificate"],
  ])("take no domain from %j", async (settings, sentence) => {
    await expect(synthesisedWith(settings)).rejects.toThrow(sentence);
  });
  it("stand in a region, with one stage each, and an account-wide log role unless it is turned off", async () => {
    for (const api of stage.of("AWS::ApiGateway::RestApi")) expect(api.properties.EndpointConfiguration.Types).toEqual(["REGIONAL"]);
    expect(stage.of("AWS::ApiGateway::Account").map(({ deletion }) => deletion)).toEqual(["Retain"]);
    const without = await synthesisedWith({ logRole: "false" });
    expect([
      ...without.of("AWS::ApiGateway::Account"),
      ...without.of("AWS::IAM::Role").filter(({ properties }) => properties.ManagedPolicyArns),
    ]).toEqual([]);
  });
});

describe("what is kept", () => {
  it("is a table as the layout says: by the request, encrypted, restorable, protected", () => {
    const [table, ...others] = stage.of("AWS::DynamoDB::GlobalTable");
    expect(others).toEqual([]);
    expect(table?.deletion).toBe("Retain");
    expect(table?.properties.BillingMode).toBe("PAY_PER_REQUEST");
    expect(table?.properties.SSESpecification?.SSEEnabled ?? false).toBe(false);
    expect(table?.properties.TimeToLiveSpecification).toEqual({ AttributeName: "ttl", Enabled: true });
    expect(table?.properties.Replicas[0]).toMatchObject({
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
    const indexes = table?.properties.GlobalSecondaryIndexes.map((each: Record<string, { ProjectionType: string }>) => [
      each.IndexName,
      each.Projection?.ProjectionType,
    ]);
    expect(indexes).toEqual(Object.entries(INDEX_LAYOUT).map(([index, { projection }]) => [index, projection]));
  });
  it("is a private, encrypted bucket that forgets messages, exports, results and copies of what waits, and nothing else", () => {
    const [bucket, ...others] = stage.of("AWS::S3::Bucket");
    expect(others).toEqual([]);
    expect(bucket?.deletion).toBe("Retain");
    expect(bucket?.properties.BucketEncryption.ServerSideEncryptionConfiguration[0].ServerSideEncryptionByDefault.SSEAlgorithm).toBe(
      "AES256",
    );
    expect(Object.values(bucket?.properties.PublicAccessBlockConfiguration ?? {})).toEqual([true, true, true, true]);
    interface Rule {
      readonly Prefix?: string;
      readonly ExpirationInDays?: number;
      readonly NoncurrentVersionExpiration?: { readonly NoncurrentDays: number };
    }
    const rules: readonly Rule[] = bucket?.properties.LifecycleConfiguration.Rules;
    expect(rules.map((rule) => [rule.Prefix, rule.ExpirationInDays, rule.NoncurrentVersionExpiration?.NoncurrentDays])).toEqual([
      ["messages/", 15, 1],
      ["exports/", 1, 1],
      ["results/", 8, 1],
      ["waiting/", 1, 1],
      // As far back as the table can be restored, its files are there.
      [undefined, undefined, 35],
      [undefined, undefined, undefined],
    ]);
    expect(bucket?.properties.VersioningConfiguration).toEqual({ Status: "Enabled" });
  });
  it("is taken back by a stage that is told its names, with all it was made with", async () => {
    const again = await synthesisedWith({ keptTable: "old-table", keptBucket: "old-bucket" });
    const [table] = again.of("AWS::DynamoDB::GlobalTable");
    const [made] = stage.of("AWS::DynamoDB::GlobalTable");
    expect(table).toMatchObject({ deletion: "Retain", properties: { ...made?.properties, TableName: "old-table" } });
    const [bucket] = again.of("AWS::S3::Bucket");
    const [lake] = stage.of("AWS::S3::Bucket");
    expect(bucket).toMatchObject({ deletion: "Retain", properties: { ...lake?.properties, BucketName: "old-bucket" } });
    // The policy stays with its bucket: whoever made a second one would be refused.
    expect(stage.of("AWS::S3::BucketPolicy").map(({ deletion }) => deletion)).toEqual(["Retain"]);
    expect(again.of("AWS::S3::BucketPolicy")).toEqual([]);
    expect(again.outputs["test-data"]).toEqual(expect.arrayContaining(Object.values(KEPT_OUTPUTS)));
    for (const output of Object.values(KEPT_OUTPUTS)) expect(stage.outputs["test-data"]).not.toContain(output);
    expect(again.findings).toEqual([]);
  });
  it("keeps its id in the templates, as do queues and hosts: under another one an upgrade makes an empty one in its place", () => {
    const ids = (type: string): readonly string[] => stage.of(type).map(({ stack, id }) => `${stack} ${id}`);
    expect(ids("AWS::DynamoDB::GlobalTable")).toEqual(["test-data table8235A42E"]);
    expect(ids("AWS::S3::Bucket")).toEqual(["test-data lakeDBDDD6F6"]);
    expect(ids("AWS::ApiGateway::RestApi")).toEqual(["test-ingest ingestapiEF1DD901", "test managementapiECAE04CA"]);
    expect(ids("AWS::SQS::Queue")).toEqual([
      "test-ingest livedeadletters00FF54C3",
      "test-ingest livequeue74B984D8",
      "test-ingest historicaldeadlettersF21A6495",
      "test-ingest historicalqueue064A8421",
      "test-workers jobsdeadletters41C551CD",
      "test-workers jobsqueue51DFBD70",
    ]);
  });
  it("is no key, secret, network or dashboard with a monthly price", () => {
    const dear = /KMS::Key|SecretsManager|EC2|NatGateway|Dashboard|ProvisionedConcurrency/;
    expect(stage.resources.filter(({ type }) => dear.test(type))).toEqual([]);
  });
});

describe("queues", () => {
  const polled = () => stage.of("AWS::Lambda::EventSourceMapping");
  it("are three that are polled, each with dead letters, encrypted, and hidden until the consumer is surely over", () => {
    expect(polled()).toHaveLength(3);
    const queues = stage.of("AWS::SQS::Queue");
    expect(queues).toHaveLength(6);
    for (const { properties } of queues)
      expect(properties).toMatchObject({ SqsManagedSseEnabled: true, MaximumMessageSize: MAX_MESSAGE_BYTES });
    for (const consumer of consumers) {
      const queue = queues.find((each) => name(each) === `${consumer.queue}queue`);
      const letters = queues.find((each) => name(each) === `${consumer.queue}deadletters`);
      expect(queue?.properties.RedrivePolicy).toMatchObject({
        deadLetterTargetArn: { "Fn::GetAtt": [letters?.id, "Arn"] },
        maxReceiveCount: MAX_DELIVERIES[consumer.queue],
      });
      expect(queue?.properties.VisibilityTimeout).toBe(visibilitySeconds(consumer));
      for (const each of [queue, letters]) expect(each?.properties.MessageRetentionPeriod).toBe(14 * 86_400);
    }
  });
  it("hand jobs out one at a time, so that one that is killed takes no other with it, and soon tells of those that fail", () => {
    const jobs = stage.of("AWS::SQS::Queue").find((each) => name(each) === "jobsqueue");
    expect(jobs?.properties.RedrivePolicy.maxReceiveCount).toBe(4);
    expect(jobs?.properties.VisibilityTimeout).toBe(1_800);
    expect(polled().map(({ properties }) => properties.BatchSize)).toEqual(expect.arrayContaining([1, 1_000, 10_000]));
  });
  it("may be sent to by the functions that drain them as often as work is put off, which the service would take for a mistake", () => {
    const allowed = functions().filter(({ properties }) => properties.RecursiveLoop === "Allow");
    expect(allowed.map(name).sort()).toEqual(["ingesthistorical", "ingestlive", "jobs"]);
    // What sends to the queue that it drains sends in a circle.
    const circles = consumers.filter(({ queue, uses }) => uses.queues?.includes(queue));
    expect(circles.map((each) => functionNamed(each.name).id).sort()).toEqual(allowed.map(({ id }) => id).sort());
  });
  it("are drained by few functions, which name the messages that failed", () => {
    for (const { properties } of polled()) {
      expect(properties.FunctionResponseTypes).toEqual(["ReportBatchItemFailures"]);
      expect(properties.ScalingConfig.MaximumConcurrency).toBeLessThanOrEqual(4);
    }
  });
});

describe("traffic", () => {
  it("is let through to a bound on both hosts, without a price", () => {
    const settings = stage.of("AWS::ApiGateway::Stage").map(({ properties }) => properties.MethodSettings[0]);
    expect(settings.map(({ ThrottlingRateLimit, ThrottlingBurstLimit }) => [ThrottlingRateLimit, ThrottlingBurstLimit]).sort()).toEqual([
      [200, 400],
      [2_000, 4_000],
    ]);
    expect(stage.of("AWS::Budgets::Budget")).toEqual([]);
  });
  it("is bounded, watched and told of as the settings say", async () => {
    const context = { ingestPerSecond: "50", volumeAlarm: "1000", monthlyBudgetUsd: "20", alarmEmail: "ops@example.com" };
    const limited = await synthesisedWith(context);
    const rates = limited.of("AWS::ApiGateway::Stage").map(({ properties }) => properties.MethodSettings[0].ThrottlingRateLimit);
    expect(rates).toContain(50);
    const [budget] = limited.of("AWS::Budgets::Budget");
    expect(budget?.properties.Budget.BudgetLimit).toEqual({ Amount: 20, Unit: "USD" });
    const alarms = limited.of("AWS::CloudWatch::Alarm").map(({ properties }) => properties);
    expect(alarms.find(({ AlarmDescription }) => AlarmDescription.endsWith("#ingest-volume"))).toMatchObject({ Threshold: 1_000 });
    await expect(synthesisedWith({ volumeAlarm: "many" })).rejects.toThrow("give a whole number");
    await expect(synthesisedWith({ monthlyBudgetUsd: "20" })).rejects.toThrow("needs -c alarmEmail");
    await expect(synthesisedWith({ alarmEmail: "ops" })).rejects.toThrow("give an e-mail address");
  });
  it("has functions as large and as many as the settings say, and its own of an account that has enough", async () => {
    const reservations = (of: Templates) =>
      of.of("AWS::Lambda::Function").flatMap((each) => {
        const reserved = each.properties.ReservedConcurrentExecutions;
        return reserved === undefined ? [] : [[name(each), reserved]];
      });
    const large = await synthesisedWith({
      functionLimit: "1000",
      liveAtOnce: "20",
      jobsAtOnce: "5",
      historicalWindowSeconds: "60",
      captureMemoryMb: "1024",
      ingestMemoryMb: "3538",
      queryMemoryMb: "8192",
      fileRows: "500000",
    });
    expect(Object.fromEntries(reservations(large))).toEqual({ capture: 436, ingestlive: 20, ingesthistorical: 2, jobs: 5 });
    const mappings = large.of("AWS::Lambda::EventSourceMapping").map(({ properties }) => properties);
    expect(mappings.map(({ ScalingConfig }) => ScalingConfig.MaximumConcurrency).sort()).toEqual([2, 20, 5]);
    expect(mappings.map(({ MaximumBatchingWindowInSeconds }) => MaximumBatchingWindowInSeconds)).toContain(60);
    const memory = (wanted: string) => large.of("AWS::Lambda::Function").find((each) => name(each) === wanted)?.properties;
    expect(["capture", "ingestlive", "ingesthistorical", "jobs", "query", "keys"].map((each) => memory(each)?.MemorySize)).toEqual([
      1_024, 3_538, 3_538, 8_192, 8_192, 512,
    ]);
    expect(memory("query")?.Environment.Variables.ENGINE_MEMORY_MB).toBe("4096");
    expect(["jobs", "sweep"].map((each) => memory(each)?.Environment.Variables.FILE_ROWS)).toEqual(["500000", "500000"]);
    expect(large.findings).toEqual([]);
    const small = await synthesisedWith({ functionLimit: "10" });
    expect(reservations(small)).toEqual([]);
    await expect(synthesisedWith({ fileRows: "2000000" })).rejects.toThrow("at most 1000000");
    await expect(synthesisedWith({ liveAtOnce: "1" })).rejects.toThrow("a whole number from 2 to 1000");
    // The service refuses a mapping of more than ten messages that gathers for no time.
    for (const { properties } of stage.of("AWS::Lambda::EventSourceMapping"))
      expect(properties.BatchSize > 10 ? properties.MaximumBatchingWindowInSeconds : 1).toBeGreaterThan(0);
    await expect(synthesisedWith({ historicalWindowSeconds: "0" })).rejects.toThrow("a whole number from 1 to 300");
  });
  it("is stored as soon, in the formats, and written down as fully, as the settings say", async () => {
    const windowOf = (of: Templates) =>
      of.of("AWS::Lambda::EventSourceMapping").find(({ properties }) => properties.BatchSize === 1_000)?.properties
        .MaximumBatchingWindowInSeconds;
    const formatsOf = (of: Templates) =>
      new Set(of.of("AWS::Lambda::Function").map(({ properties }) => properties.Environment?.Variables?.WRITE_FORMATS));
    expect(windowOf(stage)).toBe(ingestLive.batch.windowSeconds);
    const patient = await synthesisedWith({ liveWindowSeconds: "30", logLevel: "debug", writeFormats: String(NEXT_GENERATION) });
    expect(windowOf(patient)).toBe(30);
    expect(formatsOf(stage)).toEqual(new Set([undefined]));
    expect(formatsOf(patient)).toContain(String(NEXT_GENERATION));
    const levels = patient.of("AWS::Lambda::Function").map(({ properties }) => properties.LoggingConfig?.ApplicationLogLevel);
    expect(new Set(levels.filter((level) => level !== undefined))).toEqual(new Set(["DEBUG"]));
    await expect(synthesisedWith({ liveWindowSeconds: "61" })).rejects.toThrow("give 60 at most");
    await expect(synthesisedWith({ writeFormats: String(NEXT_GENERATION + 1) })).rejects.toThrow(
      `must be one of ${GENERATION}, ${NEXT_GENERATION}`,
    );
    await expect(synthesisedWith({ logLevel: "all" })).rejects.toThrow("give info or debug");
  });
});

/** The functions that count something, whatever the settings. */
const COUNTING = ["canary", "capture", "billing", "closing", "ingestlive", "ingesthistorical"];

/** Alarms that a setting asks for. */
const ON_DEMAND = [
  "canary-errors",
  "canary-missing",
  "clickhouse-unreachable",
  "ingest-volume",
  "new-version-errors",
  "notices-errors",
  "payments-to-review",
];

describe("an event of the platform's own", () => {
  it("is followed, and missed, only where the stage has a token for it and a key", async () => {
    const watching = await synthesisedWith({ canary: "phc_own", canaryKeyParameter: "/platform/canary" });
    const alarms = (of: Templates) => of.of("AWS::CloudWatch::Alarm").map(({ properties }) => properties);
    const missing = alarms(watching).find(({ MetricName }) => MetricName === "AcceptedNotQueryable");
    expect(missing).toMatchObject({ Namespace: "platform/test", Threshold: 1, Period: 900 });
    expect(alarms(watching)).toHaveLength(alarms(stage).length + 2);
    const rules = (of: Templates) => of.of("AWS::Events::Rule").map(name);
    expect(rules(watching)).toEqual([...rules(stage), "canaryrule"]);
    const told = watching.of("AWS::Lambda::Function").filter(({ properties }) => "CANARY" in properties.Environment.Variables);
    expect(told.map(name)).toEqual(["canary"]);
    const { CANARY, CANARY_KEY_PARAMETER, INGEST_URL, BASE_URL } = told[0]?.properties.Environment.Variables ?? {};
    expect([CANARY, CANARY_KEY_PARAMETER]).toEqual(["phc_own", "/platform/canary"]);
    expect([INGEST_URL, BASE_URL].map((url) => JSON.stringify(url).includes("execute-api"))).toEqual([true, true]);
    expect(watching.exports).toEqual(stage.exports);
    expect(watching.findings).toEqual([]);
    await expect(synthesisedWith({ canary: "phc_own" })).rejects.toThrow("need each other");
    await expect(synthesisedWith({ canary: "7", canaryKeyParameter: "/p" })).rejects.toThrow("the token of a project");
    const gatheredForLong = synthesisedWith({ canary: "phc_own", canaryKeyParameter: "/p", liveWindowSeconds: "60" });
    await expect(gatheredForLong).rejects.toThrow("needs a liveWindowSeconds of 40 at most");
  });
});

describe("new versions", () => {
  it("are tried on a tenth of the calls where the stage says so, and given up when one fails", async () => {
    const trying = await synthesisedWith({ gradual: "true", alarmEmail: "ops@example.com" });
    const aliases = trying.of("AWS::Lambda::Alias");
    const tried = ["capture", "endpointruns", "ingesthistorical", "ingestlive"];
    expect(aliases.map((each) => name(each).replace(/Aliascurrent$/, "")).sort()).toEqual(tried);
    const shifts = trying.of("AWS::CodeDeploy::DeploymentGroup");
    expect(shifts.map((each) => name(each).replace(/versions$/, "")).sort()).toEqual(tried);
    for (const { properties } of shifts) {
      expect(properties.DeploymentConfigName).toBe("CodeDeployDefault.LambdaCanary10Percent5Minutes");
      expect(properties.AutoRollbackConfiguration).toEqual({ Enabled: true, Events: ["DEPLOYMENT_FAILURE", "DEPLOYMENT_STOP_ON_ALARM"] });
      expect(properties.AlarmConfiguration.Alarms).toHaveLength(1);
    }
    const calls = [
      ...trying.of("AWS::Lambda::EventSourceMapping").map(({ properties }) => properties.FunctionName),
      ...trying.of("AWS::ApiGateway::Method").map(({ properties }) => properties.Integration.Uri),
      ...trying.of("AWS::Lambda::Permission").map(({ properties }) => properties.FunctionName),
    ].map((called) => JSON.stringify(called));
    for (const { id, properties } of aliases) {
      expect(calls.filter((called) => called.includes(`"${id}"`)).length).toBeGreaterThan(0);
      // Whoever called the function itself would pass the new version by.
      expect(calls.filter((called) => called.includes(`"${properties.FunctionName.Ref}"`))).toEqual([]);
    }
    expect(trying.exports).toEqual(stage.exports);
    expect(trying.findings).toEqual([]);
  });
  it("and old ones are traced, with the gateways before them, where the stage says so", async () => {
    const traced = await synthesisedWith({ traces: "true" });
    const modes = traced.of("AWS::Lambda::Function").map(({ properties }) => properties.TracingConfig?.Mode);
    expect(new Set(modes)).toEqual(new Set(["Active"]));
    expect(traced.of("AWS::ApiGateway::Stage").map(({ properties }) => properties.TracingEnabled)).toEqual([true, true]);
    expect(traced.findings).toEqual([]);
    expect(functions().filter(({ properties }) => properties.TracingConfig !== undefined)).toEqual([]);
  });
});

describe("alarms", () => {
  const articles = (): readonly string[] =>
    stage
      .of("AWS::CloudWatch::Alarm")
      .map(({ properties }) => /infra\/runbook\.md#([a-z-]+)$/.exec(properties.AlarmDescription)?.[1] ?? "");
  it("look at fifteen metrics at most, with the dead letters and the age of each queue among them, which tells of a mapping that is off", () => {
    const metrics = stage
      .of("AWS::CloudWatch::Alarm")
      .flatMap(({ properties }) => properties.Metrics?.filter((each: { MetricStat?: unknown }) => each.MetricStat) ?? [properties]);
    expect(metrics.length).toBeLessThanOrEqual(15);
    for (const { queue } of consumers) expect(articles()).toEqual(expect.arrayContaining([`${queue}-dead-letters`, `${queue}-late`]));
  });
  it("tell of functions and of a table that refuse work for long", () => {
    const [functionAlarm, tableAlarm] = ["function-throttles", "table-throttles"].map((article) =>
      stage.of("AWS::CloudWatch::Alarm").find(({ properties }) => properties.AlarmDescription.endsWith(`#${article}`)),
    );
    expect(functionAlarm?.properties).toMatchObject({ Namespace: "AWS/Lambda", MetricName: "Throttles", EvaluationPeriods: 3 });
    expect(functionAlarm?.properties.Dimensions).toBeUndefined();
    const [table] = stage.of("AWS::DynamoDB::GlobalTable");
    expect(tableAlarm?.properties).toMatchObject({ Namespace: "AWS/DynamoDB", MetricName: "WriteThrottleEvents", EvaluationPeriods: 3 });
    expect(JSON.stringify(tableAlarm?.properties.Dimensions)).toContain(`Ref${table?.id}`);
  });
  it("have an article each in the runbook, and no article lacks its alarm", () => {
    const written = [...readFileSync("infra/runbook.md", "utf8").matchAll(/^## (.+)$/gm)].map(([, title]) => title);
    expect(written.sort()).toEqual([...articles(), ...ON_DEMAND].sort());
  });
  it("tell of what functions count, by the metrics of their stack, which their roles may put", () => {
    const [alarm, ...others] = stage.of("AWS::CloudWatch::Alarm").filter(({ properties }) => properties.MetricName === "RequestsTooLarge");
    expect(others).toEqual([]);
    expect(alarm?.properties).toMatchObject({ Namespace: "platform/test-ingest", Statistic: "Sum", Threshold: 0 });
    expect(alarm?.properties.Dimensions).toBeUndefined();
    expect(alarm?.properties.AlarmDescription).toMatch(/#ingest-too-large$/);
    const { METRICS_NAMESPACE, METRICS_URL } = functionNamed("capture").properties.Environment.Variables;
    expect(METRICS_NAMESPACE).toBe("platform/test-ingest");
    expect(JSON.stringify(METRICS_URL)).toContain("https://monitoring.");
    const puts = statements().filter(({ Action }) => listed(Action).includes("cloudwatch:PutMetricData"));
    const namespaces = COUNTING.map((name) => [
      name,
      { StringEquals: { "cloudwatch:namespace": functionNamed(name).properties.Environment.Variables.METRICS_NAMESPACE } },
    ]);
    expect(Object.fromEntries(puts.map(({ of, Condition }) => [COUNTING.find((name) => of.startsWith(name)), Condition]))).toEqual(
      Object.fromEntries(namespaces),
    );
    expect(puts).toHaveLength(COUNTING.length);
  });
  it("can be published by the service that raises them", () => {
    const [policy] = told.of("AWS::SNS::TopicPolicy");
    expect(policy?.properties.PolicyDocument.Statement).toContainEqual(
      expect.objectContaining({ Effect: "Allow", Action: "sns:Publish", Principal: { Service: "cloudwatch.amazonaws.com" } }),
    );
    for (const { properties } of told.of("AWS::CloudWatch::Alarm"))
      expect(JSON.stringify(properties.AlarmActions)).toContain(":test-data-notices");
    // Nothing is handed from stack to stack for it: what is taken back while another stack holds it stops every deploy.
    expect(told.exports).toEqual(stage.exports);
  });
  it("tell of a sweep that fails and of one that never runs", () => {
    const [alarm] = stage.of("AWS::CloudWatch::Alarm").filter(({ properties }) => properties.AlarmDescription.endsWith("#sweep-errors"));
    expect(alarm?.properties).toMatchObject({ MetricName: "Errors", Period: 900, Threshold: 3, TreatMissingData: "breaching" });
  });
  it("are not raised by one scanner", () => {
    const [alarm] = stage.of("AWS::CloudWatch::Alarm").filter(({ properties }) => properties.AlarmDescription.endsWith("#ingest-refusals"));
    expect(alarm?.properties).toMatchObject({ EvaluationPeriods: 2, Threshold: 0.05 });
    expect(alarm?.properties.Metrics[0].Expression).toBe("IF(requests > 1000, refused / requests, 0)");
  });
  it("leave a schedule that runs each minute to its next run, and what it starts to its next call", () => {
    const configs = stage.of("AWS::Lambda::EventInvokeConfig").map(({ properties }) => properties);
    for (const config of configs) expect(config).toMatchObject({ MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 });
    expect(configs.map(({ FunctionName }) => FunctionName.Ref)).toEqual(["tables", "sweep"].map((each) => functionNamed(each).id));
  });
  it("fit the schedules, which run as the registry says; nothing is sent where no setting says by whom or where", () => {
    expect(stage.of("AWS::Events::Rule").map(({ properties }) => properties.ScheduleExpression)).toEqual(
      schedules.filter(({ name }) => !["notices", "canary"].includes(name)).map(({ every }) => `rate(${every})`),
    );
  });
});

describe("rights", () => {
  it("name every action in full", () => {
    const actions = statements().flatMap(({ Action }) => listed(Action));
    expect(actions.filter((action) => String(action).includes("*"))).toEqual([]);
    expect(actions.length).toBeGreaterThan(20);
  });
  it("have no wildcard but the folders of the lake, and the metrics, which have no name", () => {
    const named = statements().filter(({ Action }) => listed(Action).join() !== "cloudwatch:PutMetricData");
    const wild = named.flatMap(({ of, Resource }) =>
      listed(Resource).flatMap((resource) => (JSON.stringify(resource).includes("*") ? [{ of, resource: JSON.stringify(resource) }] : [])),
    );
    expect(
      wild.filter(
        ({ resource }) =>
          !/"\/(messages|fresh|symbols|events|iceberg|state|results|waiting|tables|usage|exports|imports)\/\*"/.test(resource),
      ),
    ).toEqual([]);
  });
  it("are the matrix of functions and partitions that infra/rights.md shows, each cell with its reason", async () => {
    const touched: Readonly<Record<string, Touched>> = JSON.parse(readFileSync("test/infra/touched-partitions.json", "utf8"));
    const rows = registered.flatMap((needs): MatrixRow[] => {
      if (needs.uses.table === undefined) return [];
      const routes = "routes" in needs ? needs.routes : [];
      const operations = [...new Set(routes.map(operationId))];
      return [{ needs, operations, knowsCallers: routes.some(({ access }) => access.level !== "anyone"), may: mayTouch(needs.name) }];
    });
    const cells = rightsCells(rows, touched);
    expect(cells.filter(({ because }) => because === undefined).map(({ of, verb, partition }) => `${of}: ${verb} ${partition}`)).toEqual(
      [],
    );
    const hasRight = (of: string, partition: string): boolean => cells.some((cell) => cell.of === of && cell.partition === partition);
    const reasons = Object.entries(REASONS).flatMap(([of, each]) =>
      each.flatMap((reason) => reason.of.map((partition) => ({ of, partition }))),
    );
    expect(reasons.filter(({ of, partition }) => !hasRight(of, partition))).toEqual([]);
    await expect(rightsPage(rows, cells)).toMatchFileSnapshot("../../infra/rights.md");
  });
  it("fit into the inline policies of a role", () => {
    const lengths = [stage, told].flatMap((each) =>
      each.of("AWS::IAM::Policy").map((policy) => JSON.stringify(policy.properties.PolicyDocument).length),
    );
    // 10,240 characters without white space; names of other resources stand here as references, which are longer or a little shorter.
    expect(Math.max(...lengths)).toBeLessThan(9_000);
  });
  it("let capture write messages, look up tokens and count, and do nothing else", () => {
    const capture = statements().filter(({ of }) => of.startsWith("capture"));
    expect(capture.flatMap(({ Action }) => listed(Action)).sort()).toEqual(
      [
        "cloudwatch:PutMetricData",
        "dynamodb:BatchGetItem",
        "dynamodb:GetItem",
        "dynamodb:Query",
        "logs:CreateLogStream",
        "logs:PutLogEvents",
        "s3:AbortMultipartUpload",
        "s3:PutObject",
        "sqs:SendMessage",
      ].sort(),
    );
  });
  it("use no policy that somebody else may change, but the one that the gateway asks for", () => {
    const roles = stage.of("AWS::IAM::Role").filter(({ properties }) => properties.ManagedPolicyArns !== undefined);
    expect(roles.map(name)).toEqual(["gatewaylogrole"]);
  });
});

describe("the stage", () => {
  it("keeps every log for a month", () => {
    const logs = stage.of("AWS::Logs::LogGroup");
    expect(logs.map(({ properties }) => properties.RetentionInDays)).toEqual(logs.map(() => 30));
    // One for each function, what the management host let through, and what the gateways say of their own accord.
    expect(logs).toHaveLength(registered.length + 3);
    for (const { properties } of functions())
      expect(properties.LoggingConfig).toMatchObject({ LogFormat: "JSON", SystemLogLevel: "INFO", ApplicationLogLevel: "INFO" });
  });
  it.each(["dashboard", "gradual", "logRole", "traces"])("is told yes or no by %s, and nothing that could be either", async (setting) => {
    await expect(synthesisedWith({ [setting]: "yes" })).rejects.toThrow(`-c ${setting}=yes: give true or false`);
  });
  it("shows a dashboard where it is asked for, without another stack or another reference between them", () => {
    expect(told.of("AWS::CloudWatch::Dashboard").map(({ stack }) => stack)).toEqual(["test"]);
    expect(Object.keys(told.outputs)).toEqual(Object.keys(stage.outputs));
    expect(told.exports).toEqual(stage.exports);
  });
  it("tells the function that shows spend where generations are, and in which shape", async () => {
    const spend = told.of("AWS::Lambda::Function").find((each) => name(each) === "llmanalytics");
    expect(spend?.properties.Environment.Variables).toMatchObject({ LLM_ANALYTICS_PROJECT_ID: "7", PERSONAL_SPEND_SHAPE: "object" });
    await expect(synthesisedWith({ llmAnalyticsProjectId: "all" })).rejects.toThrow("llmAnalyticsProjectId");
  });
  it("stays far from the 500 resources that a stack may have: beyond these it is split", () => {
    for (const count of [...stage.counts, ...told.counts]) expect(count).toBeLessThan(400);
    // The functions of the API are in a stack within the front stack.
    expect(stage.counts).toHaveLength(new Set(stage.resources.map((each) => each.stack)).size + 1);
  });
  it("tells the operator's commands where everything is", () => {
    const { queues, deadLetters, ...single } = STACK_OUTPUTS;
    const wanted = [...Object.values(single), ...Object.values(queues), ...Object.values(deadLetters)];
    expect(stage.outputs.test).toEqual(expect.arrayContaining(wanted));
    expect(stage.outputs["test-data"]).toContain(FORMATS_WRITTEN);
  });
  it("has no unexplained finding of the nag rules", () => {
    expect(stage.findings).toEqual([]);
  });
  it("would not synthesise with one", () => {
    const app = new App();
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    new Bucket(new Stack(app, "careless"), "open");
    expect(() => app.synth()).toThrow("AwsSolutions-S10");
  });
});

const CERTIFICATE = "arn:aws:acm:eu-central-1:123456789012:certificate/1";

/** Settings by which the templates hold something that they do not without. */
const TOLD: readonly Readonly<Record<string, string>>[] = [
  {
    ...{ ingestDomain: "events.acme.test", ingestCertificate: CERTIFICATE, apiDomain: "api.acme.test", apiCertificate: CERTIFICATE },
    ...{ gradual: "true", traces: "true", functionLimit: "1000", canary: "phc_own", canaryKeyParameter: "/c" },
    ...{ clickhouseUrl: "https://clickhouse.acme.test", clickhousePasswordSecret: "/p", publish: "iceberg", glueDatabase: "shop" },
    ...{ alarmEmail: "ops@acme.test", monthlyBudgetUsd: "100", volumeAlarm: "9000", dashboard: "true" },
    ...{ mailFrom: "us@acme.test", modelId: "eu.maker.model-v1:0", webhookHosts: "hooks.acme.test" },
  },
  { keptTable: "old-table", keptBucket: "old-bucket", logRole: "false" },
];

describe("the stage, stood up from its templates and assets alone", () => {
  it.each(TOLD)("can be rehearsed, as far as its templates go, with %j", async (settings) => {
    const { output } = await synthesisedWith(settings);
    const made = resolveStage(output, "http://queues");
    checkRoles(made);
    const names = made.of("AWS::Lambda::Function").map(({ ref }) => ref);
    const called = ["AWS::Lambda::EventSourceMapping", "AWS::Lambda::Permission", "AWS::Lambda::Alias"]
      .flatMap((type) => made.of(type))
      .map(({ properties }) => functionName(properties.FunctionName));
    expect(called.filter((each) => !names.includes(each))).toEqual([]);
    // A role whose policy would be too long has the rest of it in another one, which counts as well.
    const rightsAt = rightsOf(made);
    for (const type of ["AWS::IAM::Policy", "AWS::IAM::ManagedPolicy"])
      for (const { properties } of made.of(type))
        for (const role of properties.Roles)
          expect(rightsAt(role)).toEqual(
            expect.arrayContaining(properties.PolicyDocument.Statement.map((each: object) => expect.objectContaining(each))),
          );
  });
  it("lives through its first day without a call that is denied or fails", async () => {
    const standing = await boot(stage.output);
    try {
      await applyTable(standing, await firstDay(standing));
      expect(standing.denials).toEqual([]);
      expect([...standing.faults, ...standing.functions.faults]).toEqual([]);
    } finally {
      await standing.stop();
    }
  });
});
