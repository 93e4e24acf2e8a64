import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { openUnreadAnswers, UNREAD, type Unread } from "./unread-answers.ts";

/** More than any socket takes without a reader. */
const ANSWER = Buffer.alloc(32 * 1024 * 1024);

/** A server that answers everything with much, and tells how each of its connections ends. */
const setUp = async (unread: Unread) => {
  const watch = openUnreadAnswers(unread);
  const server = createServer((_, answer) => {
    answer.write(ANSWER);
    watch(answer, ANSWER.byteLength);
    answer.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const asking: Socket[] = [];
  onTestFinished(() => {
    for (const socket of asking) socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  /** Asks and does not read. The end is the server's, since who does not read never hears of it. */
  const ask = async (): Promise<{ readonly ended: Promise<unknown>; readonly socket: Socket }> => {
    const socket = connect(port, "127.0.0.1").pause();
    asking.push(socket);
    const [taken] = await once(server, "connection");
    const ended = once(taken, "close");
    socket.write("GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    await once(server, "request");
    return { ended, socket };
  };
  return { ask };
};

it("ends the oldest of the answers that nobody reads, where they are too many", async () => {
  const { ask } = await setUp({ ...UNREAD, maxBytes: 2 * ANSWER.byteLength });
  const [oldest, newer] = [await ask(), await ask()];
  const newest = await ask();
  await oldest.ended;
  const read = async ({ socket }: { readonly socket: Socket }): Promise<number> => {
    let bytes = 0;
    for await (const chunk of socket) bytes += chunk.length;
    return bytes;
  };
  const [lost, whole, last] = await Promise.all([oldest, newer, newest].map(read));
  expect(lost).toBeLessThan(ANSWER.byteLength);
  expect([whole, last].every((bytes = 0) => bytes > ANSWER.byteLength)).toBe(true);
});

it("ends an answer once nobody has read any of it for a while", async () => {
  const { ask } = await setUp({ ...UNREAD, idleMs: 50 });
  await (await ask()).ended;
});
