import { Agent, request as open } from "node:http";
import type { FuzzRequest } from "./request.ts";

export interface Answered {
  readonly status: number;
  readonly mediaType: string;
  readonly body: string;
}

/** No operation takes longer; what does is a fault. */
const MAX_MS = 300_000;

type Sent = Pick<FuzzRequest, "method" | "path" | "headers" | "body">;

/** Connections that are tried for one request. */
const MAX_TRIES = 8;

export interface Line {
  send(request: Sent): Promise<Answered>;
  close(): void;
}

/** Sends requests as they are: `fetch` would mend paths and refuse methods. */
export const lineTo = (origin: string): Line => {
  const agent = new Agent({ keepAlive: true });
  const { hostname, port } = new URL(origin);
  const once = ({ method, path, headers, body }: Sent): Promise<Answered | "closed"> =>
    new Promise((resolve, reject) => {
      const outgoing = open({
        agent,
        hostname,
        port,
        method,
        path,
        timeout: MAX_MS,
        headers: { ...headers, "content-length": body.length },
      });
      outgoing.on("timeout", () => outgoing.destroy(new Error(`no answer within ${MAX_MS} ms`)));
      // A connection that lay idle may be closed from the other side just as it is used again.
      outgoing.on("error", (error) => (outgoing.reusedSocket && "code" in error ? resolve("closed") : reject(error)));
      outgoing.on("response", (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", () => {
          const mediaType = (incoming.headers["content-type"] ?? "").split(";", 1)[0] ?? "";
          resolve({ status: incoming.statusCode ?? 0, mediaType, body: Buffer.concat(chunks).toString() });
        });
      });
      outgoing.end(body);
    });
  return {
    close: () => agent.destroy(),
    async send(request) {
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        const answered = await once(request);
        if (answered !== "closed") return answered;
      }
      throw new Error("the connection was closed without an answer, again and again");
    },
  };
};
