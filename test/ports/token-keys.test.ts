import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { tokenKeyFile } from "../../infra/local/token-key-file.ts";
import { openTokenKeys } from "../../lib/aws/parts/aws-token-keys.ts";
import { memoryKeyPlace } from "../support/memory-token-keys.ts";
import { tokenKeysSuite } from "./token-keys.suite.ts";

const folders: string[] = [];

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

const aFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "token-keys-"));
  folders.push(folder);
  return folder;
};

const NAME = "/shop/token-keys";

/** A parameter store that has one parameter at most, and keeps the operations that it was asked for. */
const aParameterStore = async () => {
  const kept: { text?: string } = {};
  const asked: unknown[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { Name, Value, ...input } = JSON.parse(Buffer.concat(chunks).toString());
    const operation = String(request.headers["x-amz-target"]);
    asked.push({ operation, Name, ...input });
    const answer = (status: number, body: object): void => void response.writeHead(status).end(JSON.stringify(body));
    if (operation === "AmazonSSM.PutParameter") {
      if (kept.text !== undefined) return answer(400, { __type: "ParameterAlreadyExists" });
      kept.text = Value;
      return answer(200, { Version: 1, Tier: "Standard" });
    }
    if (kept.text === undefined) return answer(400, { __type: "ParameterNotFound" });
    answer(200, { Parameter: { Name, Type: "SecureString", Value: kept.text } });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  const credentials = { accessKeyId: "AKID", secretAccessKey: "secret" };
  return { place: openTokenKeys({ url, parameter: NAME, region: "eu-west-1", credentials }), kept, asked };
};

tokenKeysSuite("memory", async () => {
  const place = memoryKeyPlace();
  return {
    place,
    write: async (text) => {
      place.text = text;
    },
  };
});

tokenKeysSuite("a file of the data directory", async () => {
  const folder = await aFolder();
  return { place: tokenKeyFile(folder), write: (text) => writeFile(join(folder, "token-keys"), text) };
});

tokenKeysSuite("a parameter of Systems Manager", async () => {
  const { place, kept } = await aParameterStore();
  return {
    place,
    write: async (text) => {
      kept.text = text;
    },
  };
});

test("the file is its owner's alone, and nothing else is left of its making", async () => {
  const folder = await aFolder();
  expect(await tokenKeyFile(folder).create("a")).toBe(true);
  expect(await tokenKeyFile(folder).create("b")).toBe(false);
  expect(await readdir(folder)).toEqual(["token-keys"]);
  expect((await stat(join(folder, "token-keys"))).mode & 0o777).toBe(0o600);
});

test("the parameter is encrypted, and never overwritten", async () => {
  const { place, asked } = await aParameterStore();
  expect(await place.read()).toBeUndefined();
  expect(await place.create("a")).toBe(true);
  expect(await place.create("b")).toBe(false);
  expect(await place.read()).toBe("a");
  expect(asked.slice(0, 2)).toEqual([
    { operation: "AmazonSSM.GetParameter", Name: NAME, WithDecryption: true },
    expect.objectContaining({ operation: "AmazonSSM.PutParameter", Name: NAME, Type: "SecureString", Overwrite: false }),
  ]);
});
