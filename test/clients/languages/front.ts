import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";

/** A request that came to a front, and what was answered. */
export interface Arrived {
  readonly path: string;
  readonly status: number;
  /** Its body says that it is history. */
  readonly historical: boolean;
}

export interface Front {
  readonly address: string;
  readonly arrived: readonly Arrived[];
  close(): Promise<void>;
}

/** Headers that belong to one connection, or that a client makes anew. */
const OWN = new Set(["host", "connection", "content-length", "transfer-encoding", "keep-alive"]);

/**
 * Stands before a platform as a gateway does: at the root of a domain, or below the path of a stage. What is asked for outside of that path
 * never comes to the platform, and is 403.
 */
export const openFront = async (platform: string, stage: "" | "/v1"): Promise<Front> => {
  const arrived: Arrived[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const path = incoming.url ?? "/";
    const body = await buffer(incoming);
    const within = path.startsWith(`${stage}/`) ? path.slice(stage.length) : undefined;
    const answer = within === undefined ? undefined : await handOn(`${platform}${within}`, incoming, body);
    const status = answer?.status ?? 403;
    arrived.push({ path, status, historical: textOf(incoming, body).includes('"historical_migration":true') });
    outgoing.writeHead(status, { "content-type": answer?.headers.get("content-type") ?? "application/json" });
    outgoing.end(answer === undefined ? '{"message":"Forbidden"}' : Buffer.from(await answer.arrayBuffer()));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    address: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}${stage}`,
    arrived,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};

const handOn = (address: string, incoming: IncomingMessage, body: Buffer): Promise<Response> => {
  const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values]): [string, string][] =>
    OWN.has(name) ? [] : [[name, (values ?? []).join(", ")]],
  );
  const method = incoming.method ?? "GET";
  return fetch(address, { method, headers, ...(body.length > 0 && { body: new Uint8Array(body) }) });
};

/** A body as text without spaces between names and values, whatever its language's JSON looks like. */
const textOf = (incoming: IncomingMessage, body: Buffer): string =>
  (incoming.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body).toString().replaceAll(/":\s+/g, '":');
