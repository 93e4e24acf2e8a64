import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { crc32 } from "node:zlib";
import { S3Client } from "@aws-sdk/client-s3";
import { afterEach, describe, expect, it } from "vitest";
import { s3Objects } from "./aws-objects.ts";

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const whole: Answer = (response) => response.writeHead(200, { "content-length": "10" }).end("0123456789");
const brokenOff: Answer = (response) => {
  response.writeHead(200, { "content-length": "10" }).write("01234", () => response.destroy());
};
const standing: Answer = (response) => void response.writeHead(200, { "content-length": "10" }).write("01234");
const silent: Answer = () => undefined;
const missing: Answer = (response) =>
  void response.writeHead(404, { "content-type": "application/xml" }).end("<Error><Code>NoSuchKey</Code><Message>none</Message></Error>");

describe("the object store's adapter", () => {
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });

  /** A store that gives these answers, one after the other. */
  const storeOf = async (...answers: readonly Answer[]) => {
    let requests = 0;
    const server = createServer((request, response) => answers[Math.min(requests++, answers.length - 1)]?.(response, request));
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const { port } = server.address() as AddressInfo;
    const credentials = { accessKeyId: "test", secretAccessKey: "test" };
    const client = new S3Client({
      endpoint: `http://127.0.0.1:${port}`,
      region: "us-east-1",
      credentials,
      forcePathStyle: true,
      maxAttempts: 1,
    });
    closing.push(() => {
      client.destroy();
      server.closeAllConnections();
      server.close();
    });
    return { objects: s3Objects(client, "lake", { bodyMs: 500 }), requests: () => requests };
  };

  it.each([
    ["breaks off", brokenOff],
    ["stands still", standing],
    ["never begins", silent],
  ])("reads an object anew whose body %s", async (_, broken) => {
    const store = await storeOf(broken, whole);
    expect(Buffer.from((await store.objects.get("key")) ?? []).toString()).toBe("0123456789");
    expect(store.requests()).toBe(2);
  });

  it("tells the store of the checksums of parts when an upload begins, and repeats them when it ends", async () => {
    const MIB = 1024 * 1024;
    const sent = [8 * MIB, 1 * MIB].map((length, index) => Buffer.alloc(length, index + 1));
    const told: string[] = [];
    const store = await storeOf(async (response, request) => {
      const checksum = request.headers["x-amz-checksum-crc32"];
      const algorithm = request.headers["x-amz-checksum-algorithm"];
      if (algorithm !== undefined) told.push(`begins with ${algorithm}`);
      if (request.method === "PUT") {
        request.resume();
        response.writeHead(200, { etag: '"e"', "x-amz-checksum-crc32": `${checksum}` }).end();
        return;
      }
      const body = await text(request);
      told.push(...[...body.matchAll(/<ChecksumCRC32>(.*?)</g)].map(([, found]) => `ends with ${found}`));
      response.end(body === "" ? "<Begun><UploadId>u</UploadId></Begun>" : "<Ended></Ended>");
    });
    await store.objects.put("key", Buffer.concat(sent));
    const checksums = sent.map((part) => Buffer.from(crc32(part).toString(16).padStart(8, "0"), "hex").toString("base64"));
    expect(told).toEqual(["begins with CRC32", ...checksums.map((each) => `ends with ${each}`)]);
  });

  it("says why parts were not stored, also where the store lets nobody give the upload up", async () => {
    const store = await storeOf((response, request) => {
      request.resume();
      const refusal = (code: string) => response.writeHead(400).end(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
      if (request.method === "POST") response.end("<Begun><UploadId>u</UploadId></Begun>");
      else refusal(request.method === "PUT" ? "EntityTooLarge" : "AccessDenied");
    });
    await expect(store.objects.put("key", new Uint8Array(9 * 1024 * 1024))).rejects.toThrow("EntityTooLarge");
  });

  it("gives up on one that never comes whole", async () => {
    const store = await storeOf(brokenOff);
    await expect(store.objects.getRange("key", 0, 10)).rejects.toThrow();
    expect(store.requests()).toBe(3);
  });

  it.each([
    ["eu-central-1", "https://lake.s3.eu-central-1.amazonaws.com/"],
    ["cn-north-1", "https://lake.s3.cn-north-1.amazonaws.com.cn/"],
    ["eusc-de-east-1", "https://lake.s3.eusc-de-east-1.amazonaws.eu/"],
  ])("gives addresses in the domain of %s", async (region, place) => {
    const client = new S3Client({ region, credentials: { accessKeyId: "test", secretAccessKey: "test" } });
    const objects = s3Objects(client, "lake");
    const { form, put } = await objects.admit("symbols/1", { most: 10, exact: 5 });
    expect(form.url).toBe(place);
    for (const address of [put, await objects.address("symbols/1")]) expect(address).toContain(`${place}symbols/1?`);
  });

  it("does not ask again for what is not there", async () => {
    const store = await storeOf(missing);
    expect(await store.objects.get("key")).toBeUndefined();
    expect(store.requests()).toBe(1);
  });
});
