import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { afterEach, expect, test, vi } from "vitest";
import { Unavailable } from "../core/unavailable.ts";
import { openAws } from "./aws.ts";
import { openSecrets } from "./aws-secrets.ts";

let server: Server | undefined;

afterEach(() => {
  vi.restoreAllMocks();
  server?.closeAllConnections();
  server?.close();
});

const SECRET_ARN = "arn:aws:secretsmanager:eu-west-1:123456789012:secret:platform/stripe-AbCdEf";
const PARAMETER_ANSWER = JSON.stringify({ Parameter: { Name: "/platform/stripe", Value: "sk_live_1" } });

/** Both services in one, which keeps its requests and gives one answer to all. */
const aService = async (status: number, answer: string) => {
  const requests: { readonly target: unknown; readonly service: string | undefined; readonly body: unknown }[] = [];
  const listening = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const [, service] = /\/eu-west-1\/(\w+)\/aws4_request/.exec(request.headers.authorization ?? "") ?? [];
    requests.push({ target: request.headers["x-amz-target"], service, body: JSON.parse(Buffer.concat(chunks).toString()) });
    response.writeHead(status).end(answer);
  });
  server = listening.listen(0, "127.0.0.1");
  await once(listening, "listening");
  const address = listening.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  const credentials = { accessKeyId: "AKID", secretAccessKey: "secret" };
  return { url, requests, ...openSecrets({ parametersUrl: url, secretsUrl: url, region: "eu-west-1", credentials }) };
};

test("a parameter is read decrypted, by its name", async () => {
  const { read, requests } = await aService(200, PARAMETER_ANSWER);
  expect(await read("/platform/stripe")).toBe("sk_live_1");
  expect(requests).toEqual([
    { target: "AmazonSSM.GetParameter", service: "ssm", body: { Name: "/platform/stripe", WithDecryption: true } },
  ]);
});

test("what has the ARN of a secret is read from the secret store", async () => {
  const { read, requests } = await aService(200, JSON.stringify({ SecretString: "sk_live_2" }));
  expect(await read(SECRET_ARN)).toBe("sk_live_2");
  expect(requests).toEqual([{ target: "secretsmanager.GetSecretValue", service: "secretsmanager", body: { SecretId: SECRET_ARN } }]);
});

test("a text is given without the end of its line, which belongs to the file that it was put from", async () => {
  const { read } = await aService(200, JSON.stringify({ Parameter: { Value: "sk_live_1\n" } }));
  expect(await read("/platform/stripe")).toBe("sk_live_1");
});

test.each([
  ["/platform/stripe", "AmazonSSM.GetParameter", { Name: "/platform/stripe", WithDecryption: false }],
  [SECRET_ARN, "secretsmanager.DescribeSecret", { SecretId: SECRET_ARN }],
])("whether there is something under %s is asked without its text", async (name, target, body) => {
  const { isThere, requests } = await aService(200, "{}");
  expect(await isThere(name)).toBe(true);
  expect(requests).toMatchObject([{ target, body }]);
});

test.each([
  ["/platform/stripe", 400, JSON.stringify({ __type: "ParameterNotFound" })],
  [SECRET_ARN, 400, JSON.stringify({ __type: "ResourceNotFoundException" })],
])("where nothing lies under %s a sentence says what to do", async (name, status, answer) => {
  const { read, isThere } = await aService(status, answer);
  expect(await isThere(name)).toBe(false);
  await expect(read(name)).rejects.toThrow("nothing lies under this name in this region: put the secret there");
});

test("an empty text is no secret", async () => {
  const { read } = await aService(200, JSON.stringify({ Parameter: { Value: " \n" } }));
  await expect(read("/platform/stripe")).rejects.toThrow("is empty");
});

test.each([
  ["that is no JSON", 'sk_live_1 "sk_live_1'],
  ["without a text", JSON.stringify({ Parameter: { Value: ["sk_live_1"] } })],
  ["of another form", JSON.stringify(["sk_live_1"])],
])("an answer %s is a fault that shows nothing of it", async (_, answer) => {
  const { read } = await aService(200, answer);
  const fault: unknown = await read("/platform/stripe").catch((thrown: unknown) => thrown);
  expect(fault).toBeInstanceOf(Error);
  expect(String(fault)).not.toContain("sk_live");
});

/** The world of a function whose environment has the name of a secret, and what it logs. */
const deployed = (url: string) => {
  const printed: string[] = [];
  vi.spyOn(process.stdout, "write").mockImplementation((line) => printed.push(String(line)) > 0);
  const environment = {
    STRIPE_SECRET_KEY_PARAMETER: "/platform/stripe",
    PARAMETERS_URL: url,
    SECRETS_URL: url,
    AWS_REGION: "eu-west-1",
    AWS_ACCESS_KEY_ID: "AKID",
    AWS_SECRET_ACCESS_KEY: "secret",
  };
  return { key: openAws({}, environment).config.stripeSecretKey, printed };
};

test("a deployed function reads its secret when it first uses it, and then no more", async () => {
  const { url, requests } = await aService(200, PARAMETER_ANSWER);
  const { key, printed } = deployed(url);
  expect(requests).toEqual([]);
  expect([await key.read(), await key.read()]).toEqual(["sk_live_1", "sk_live_1"]);
  expect([requests.length, printed]).toEqual([1, []]);
});

test("a secret that cannot be read makes its users unavailable, and a line that names it", async () => {
  const { url } = await aService(400, JSON.stringify({ __type: "AccessDeniedException" }));
  const { key, printed } = deployed(url);
  await expect(key.read()).rejects.toThrow(Unavailable);
  const [line, ...others] = printed.map((text): unknown => JSON.parse(text));
  expect(line).toMatchObject({
    level: "error",
    event: "secret.unread",
    setting: "stripeSecretKey",
    name: "/platform/stripe",
    reason: expect.stringContaining("AccessDeniedException"),
  });
  expect(others).toEqual([]);
});
