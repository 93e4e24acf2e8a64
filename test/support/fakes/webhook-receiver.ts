import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll } from "vitest";

/** A call as the receiver heard it. */
interface HeardWebhook {
  readonly path: string;
  readonly body: string;
  readonly signature: string;
}

/** How a receiver answers: with a status, by leading elsewhere, with headers and headers, by breaking off, half a head, an offer to talk otherwise, or not at all. */
type Behaviour = number | "redirect" | "headers" | "break" | "drip" | "upgrade" | "silence";

/** Receives webhooks on this machine; `behaviours` are those of the next calls, and then all are answered 200. */
export const aWebhookReceiver = () => {
  const heard: HeardWebhook[] = [];
  const behaviours: Behaviour[] = [];
  const state = { url: "" };
  const server = createServer(async (request, response) => {
    heard.push({ path: request.url ?? "", body: await text(request), signature: String(request.headers["x-signature"]) });
    const behaviour = behaviours.shift() ?? 200;
    if (behaviour === "silence") return;
    if (behaviour === "break") request.socket.destroy();
    else if (behaviour === "drip") request.socket.write("HTTP/1.1 200 OK\r\nx-half: ");
    else if (behaviour === "upgrade")
      request.socket.write("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n");
    else if (behaviour === "headers") request.socket.write(`HTTP/1.1 200 OK\r\nx-long: ${"x".repeat(100_000)}\r\n\r\n`);
    else if (behaviour === "redirect") response.writeHead(302, { location: `${state.url}/elsewhere` }).end();
    // A reply without an end: nobody may wait for it.
    else response.writeHead(behaviour).write("x".repeat(1_000_000));
  });
  beforeAll(async () => {
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    // A listening server of this kind has an address of this kind.
    state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return { heard, behaviours, state };
};
