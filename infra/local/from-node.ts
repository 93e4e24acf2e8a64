import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { HttpRequest } from "../../lib/http/request.ts";

/** A request of node's own server in the shape that groups read. */
export const fromNode = (incoming: IncomingMessage, body: Uint8Array, ownOrigin: string): HttpRequest => {
  const url = incoming.url ?? "/";
  const mark = url.indexOf("?");
  const { host } = incoming.headers;
  return {
    id: randomUUID(),
    method: (incoming.method ?? "GET").toUpperCase(),
    path: mark < 0 ? url : url.slice(0, mark),
    query: mark < 0 ? [] : [...new URLSearchParams(url.slice(mark + 1))],
    headers: Object.fromEntries(
      Object.entries(incoming.headersDistinct).map(([name, values = []]) => [name.toLowerCase(), values.join(", ")]),
    ),
    body,
    origin: host ? `http://${host}` : ownOrigin,
    ip: incoming.socket.remoteAddress ?? "",
  };
};
