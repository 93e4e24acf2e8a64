import { createServer } from "node:http";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Account, callersAccount, checkAccount, functionsToShare } from "./account.ts";

const account = (changes: Partial<Account> = {}): Account => ({
  outputs: async () => new Map(),
  resources: async () => [],
  functionLimit: async () => 1_000,
  unreservedFunctions: async () => 1_000,
  reservedFor: async () => 0,
  messages: async () => 0,
  subscribers: async () => [],
  loopsAllowed: async () => true,
  hasSecret: async () => true,
  ...changes,
});

const failing = (name: string, message: string): Partial<Account> => ({
  outputs: () => Promise.reject(Object.assign(new Error(message), { name })),
});

describe("before a deployment", () => {
  it("an account that can take it is left alone", async () => {
    expect(await checkAccount(account())).toEqual([]);
  });
  it.each([
    ["no region", failing("Error", "Region is missing"), "set AWS_REGION"],
    ["no credentials", failing("CredentialsProviderError", "Could not load credentials from any providers"), "No AWS credentials"],
    ["expired credentials", failing("ExpiredToken", "The security token included in the request is expired"), "sign in again"],
    ["no rights", failing("AccessDenied", "User x is not authorized to perform y"), "may not do this"],
    ["no network", failing("TimeoutError", "connect ETIMEDOUT"), "cannot be reached"],
    ["no bootstrap", { outputs: async () => undefined }, "npx cdk bootstrap"],
    ["too few functions", { functionLimit: async () => 5 }, "needs 10"],
  ])("%s is told in a sentence that says what to do", async (_, changes, sentence) => {
    await expect(checkAccount(account(changes))).rejects.toThrow(sentence);
  });
  it("a small account is told that it is enough to begin with", async () => {
    expect(await checkAccount(account({ functionLimit: async () => 10 }))).toEqual([expect.stringContaining("enough to begin with")]);
  });
});

describe("functions that are reserved", () => {
  const reserved = new Map([
    ["shop-capture", 446],
    ["shop-jobs", 2],
  ]);
  const aFunction = (name: string) => ({ type: "AWS::Lambda::Function", name, left: false });
  const stacks = new Map([
    ["shop-ingest", [aFunction("shop-capture"), { type: "AWS::SQS::Queue", name: "https://queue", left: false }]],
    ["shop-workers", [aFunction("shop-jobs"), aFunction("shop-sweep")]],
  ]);
  const shared = account({
    unreservedFunctions: async () => 552,
    reservedFor: async (name) => reserved.get(name) ?? 0,
    resources: async (stack) => stacks.get(stack),
  });
  it("are a stage's own to share out again", async () => {
    expect(await functionsToShare(shared, "shop")).toBe(1_000);
  });
  it("are nobody's to look at without the right to", async () => {
    const denied = async () => Promise.reject(Object.assign(new Error("not authorized to perform y"), { name: "AccessDeniedException" }));
    await expect(functionsToShare({ ...shared, reservedFor: denied }, "shop")).rejects.toThrow("may not do this");
  });
  it("are no other stage's of the account", async () => {
    expect(await functionsToShare(shared, "trial")).toBe(552);
  });
  describe("as the service tells them", () => {
    afterEach(() => vi.unstubAllEnvs());
    it("are none for a function that somebody removed by hand", async () => {
      const service = createServer((_, response) => {
        response.writeHead(404, { "x-amzn-errortype": "ResourceNotFoundException" }).end('{"Message":"Function not found"}');
      });
      await new Promise<void>((listening) => service.listen(0, "127.0.0.1", listening));
      vi.stubEnv("AWS_ENDPOINT_URL", `http://127.0.0.1:${Object(service.address()).port}`);
      vi.stubEnv("AWS_REGION", "eu-west-1");
      vi.stubEnv("AWS_ACCESS_KEY_ID", "operator");
      vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
      expect(await callersAccount().reservedFor("shop-sweep")).toBe(0);
      service.closeAllConnections();
      service.close();
    });
  });
});
