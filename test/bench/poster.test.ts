import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { post } from "./poster.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});
const serverThat = async (does: RequestListener): Promise<string> => {
  const server = createServer(does).listen(0, "127.0.0.1");
  closing.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  await once(server, "listening");
  return `http://127.0.0.1:${Object(server.address()).port}/`;
};

describe("a sender with kept connections", () => {
  it("sends again what it sent over one that the server has closed meanwhile", async () => {
    const used = new WeakSet<Socket>();
    const stored: string[] = [];
    const url = await serverThat(async (incoming, outgoing) => {
      if (used.has(incoming.socket)) return incoming.socket.destroy();
      used.add(incoming.socket);
      stored.push(Buffer.concat(await incoming.toArray()).toString());
      return outgoing.end();
    });
    for (const body of ["one", "two", "three"]) await post(url, Buffer.from(body));
    expect(stored).toEqual(["one", "two", "three"]);
  });
  it("fails where a new connection is closed on it", async () => {
    const url = await serverThat((incoming) => incoming.socket.destroy());
    await expect(post(url, Buffer.from("one"))).rejects.toThrow("socket hang up");
  });
  it("fails on a refusal", async () => {
    const url = await serverThat((_, outgoing) => outgoing.writeHead(413).end());
    await expect(post(url, Buffer.from("one"))).rejects.toThrow("status 413");
  });
});
