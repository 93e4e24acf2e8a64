import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";

/** A request that went through, with what was answered. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly allowedOrigin: string | null;
}

export interface RecordingProxy {
  readonly address: string;
  readonly requests: readonly SeenRequest[];
  close(): Promise<void>;
}

/** Headers that belong to one connection, or that a client makes anew. */
const OWN = new Set(["host", "connection", "content-length", "transfer-encoding", "content-encoding", "keep-alive"]);

/**
 * Hands every request on as it came, and keeps what was asked and answered: what a page's network view shows. `below`: the path of a stage, as
 * a gateway's address has one; what is asked for outside of it is 403.
 */
export const recordingProxy = async (target: () => string, below = ""): Promise<RecordingProxy> => {
  const requests: SeenRequest[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const url = incoming.url ?? "";
    const within = url.startsWith(`${below}/`);
    const reply = within ? await handOn(`${target()}${url.slice(below.length)}`, incoming) : new Response(null, { status: 403 });
    const path = (within ? url.slice(below.length) : url).replace(/\?.*/, "");
    const allowedOrigin = reply.headers.get("access-control-allow-origin");
    requests.push({ method: incoming.method ?? "", path, status: reply.status, allowedOrigin });
    const answered = Buffer.from(await reply.arrayBuffer());
    // A document without a browser puts something behind a script, which must not fall into its last line's comment.
    const body = path.endsWith(".js") ? Buffer.concat([answered, Buffer.from("\n")]) : answered;
    outgoing.writeHead(reply.status, Object.fromEntries([...reply.headers].filter(([name]) => !OWN.has(name))));
    outgoing.end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    address: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}${below}`,
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};

const handOn = async (address: string, incoming: IncomingMessage): Promise<Response> => {
  const body = await buffer(incoming);
  const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values]): [string, string][] =>
    OWN.has(name) && name !== "content-encoding" ? [] : [[name, (values ?? []).join(", ")]],
  );
  const method = incoming.method ?? "GET";
  return fetch(address, { method, headers, ...(body.length > 0 && method !== "GET" && { body }) });
};
