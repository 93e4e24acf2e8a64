import { createServer, type Server } from "node:http";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openAws } from "../aws.ts";
import { openFileCredentials } from "./aws-file-credentials.ts";

const ROLE = "arn:aws:iam::123456789012:role/reader";
const KEYS = { accessKeyId: "ASIA1", secretAccessKey: "secret", sessionToken: "session", expiresAt: Date.UTC(2026, 10, 20, 13) };

let server: Server | undefined;
beforeEach(() => {
  vi.stubEnv("AWS_REGION", "eu-west-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "AKID");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
});
afterEach(() => {
  vi.unstubAllEnvs();
  server?.closeAllConnections();
  server?.close();
});

const ANSWER = `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>
<AccessKeyId>ASIA1</AccessKeyId><SecretAccessKey>secret</SecretAccessKey><SessionToken>session</SessionToken>
<Expiration>2026-11-20T13:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`;

/** A token service that keeps its requests and gives one answer to all. */
const aService = async (status = 200, answer = ANSWER) => {
  const forms: Record<string, string>[] = [];
  const listening = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    forms.push(Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString())));
    response.writeHead(status, { "content-type": "text/xml" }).end(answer);
  });
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  const address = listening.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  const time = { now: Date.UTC(2026, 10, 20, 12) };
  return { forms, time, vend: openFileCredentials({ bucket: "lake", role: ROLE, url }, { now: () => time.now }) };
};

test("credentials are those of the reader's role, for an hour, held to fetching what lies in the folders", async () => {
  const { vend, forms } = await aService();
  expect(await vend(["events/project=1/", "iceberg/project=1/"], "user-7")).toEqual(KEYS);
  expect(forms).toMatchObject([{ Action: "AssumeRole", RoleArn: ROLE, RoleSessionName: "user-7", DurationSeconds: "3600" }]);
  expect(JSON.parse(forms[0]?.Policy ?? "")).toEqual({
    Version: "2012-10-17",
    Statement: [
      {
        Effect: "Allow",
        Action: "s3:GetObject",
        Resource: ["arn:aws:s3:::lake/events/project=1/*", "arn:aws:s3:::lake/iceberg/project=1/*"],
      },
    ],
  });
});

test("credentials are given out again to the same reader of the same folders, for a while", async () => {
  const { vend, forms, time } = await aService();
  await vend(["events/project=1/"], "user-7");
  await vend(["events/project=1/"], "user-7");
  expect(forms.length).toBe(1);
  await vend(["events/project=1/"], "user-8");
  await vend(["events/project=2/"], "user-7");
  expect(forms.length).toBe(3);
  time.now += 10 * 60_000;
  await vend(["events/project=1/"], "user-7");
  expect(forms.length).toBe(4);
});

test("a refusal is an error with its reason, and nothing is kept of it", async () => {
  const { vend, forms } = await aService(
    403,
    "<ErrorResponse><Error><Code>AccessDenied</Code><Message>not authorized</Message></Error></ErrorResponse>",
  );
  for (const sent of [1, 2]) {
    await expect(vend(["events/project=1/"], "user-7")).rejects.toThrow("not authorized");
    expect(forms.length).toBe(sent);
  }
});

test("a stage without a role for readers vends none, and says where the files are", async () => {
  const { fileAccess } = openAws({ fileAccess: true }, { BUCKET_NAME: "lake", AWS_REGION: "eu-west-1" });
  expect(fileAccess.store).toEqual({ region: "eu-west-1" });
  expect(await fileAccess.vend(["events/project=1/"], "user-7")).toBeUndefined();
});
