import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { FakeAccount, HeardCall } from "./stripe-account.ts";

export const WEBHOOK_SECRET = "whsec_1";

/** Stripe over HTTP, with as many accounts as are opened, each known by its key. */
export const openStripe = async () => {
  const accounts = new Map<string, FakeAccount>();
  const server = createServer(async (request, response) => {
    const account = accounts.get(request.headers.authorization?.replace("Bearer ", "") ?? "");
    const call = heard(request, await text(request));
    const reply = account?.answer(call) ?? { status: 401, body: { error: { type: "invalid_request_error", message: "Invalid API Key." } } };
    if (reply === "reset") {
      request.socket.destroy();
      return;
    }
    // What stands between may answer in its place, and not in JSON.
    const body = reply.status === 504 ? "<html>Gateway Time-out</html>" : JSON.stringify(reply.body);
    response.writeHead(reply.status, { "content-type": "application/json", "stripe-should-retry": "false" }).end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A listening server of this kind has an address of this kind.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    accounts,
    async stop(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};

export type FakeStripe = Awaited<ReturnType<typeof openStripe>>;

const heard = ({ method = "", url = "", headers }: IncomingMessage, body: string): HeardCall => {
  const [path = "", query = ""] = url.split("?");
  const form = Object.fromEntries(new URLSearchParams(method === "GET" ? query : body));
  return { method, path, form, key: headers["idempotency-key"]?.toString() };
};

/** The header that Stripe signs a notice with. */
export const signatureOf = (body: string, atMs: number, secret = WEBHOOK_SECRET): string => {
  const time = Math.floor(atMs / 1_000);
  return `t=${time},v1=${createHmac("sha256", secret).update(`${time}.${body}`).digest("hex")}`;
};
