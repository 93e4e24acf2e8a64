import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { setImmediate as immediate, setTimeout as pause } from "node:timers/promises";
import type { Group } from "../../lib/app/routes.ts";
import type { World } from "../../lib/app/world.ts";
import { serverError } from "../../lib/http/errors.ts";
import { asksForPage, type BeginningVerdict, fromNode, type HttpReply, type HttpRequest } from "../../lib/http/request.ts";
import { logRequest } from "../../lib/http/request-log.ts";
import { HeldMessage } from "./body-turns.ts";
import { asFunction } from "./function-rights.ts";
import { groupOfPath } from "./group-of-path.ts";
import { MAX_IN_FLIGHT_BYTES, openIncomingBodies } from "./incoming-bodies.ts";
import { openUnreadAnswers, UNREAD, type Unread } from "./unread-answers.ts";
import { UserError } from "./user-error.ts";

/** How long a request's head, and the whole of it, may take to come; then it is answered 408 and its connection ends. */
export const ARRIVAL: Arrival = { headMs: 60_000, wholeMs: 120_000 };
/** How long the rest of a body that is too large is read and dropped, so that its sender comes to see the answer. */
const DRAIN_MS = 5_000;
/** How long a connection is kept for another request: longer than clients keep theirs, as one that is used while it is closed fails. */
const KEPT_MS = 65_000;
/** How long requests in flight may take after the server was told to stop. */
const STOP_BUDGET_MS = 2_500;
const IDLE_CHECK_MS = 20;
/** How often the server looks for requests that are late, at most. */
const MAX_CHECK_MS = 30_000;

/** What is held for requests, all of them together. */
export interface Held {
  readonly maxInFlightBytes: number;
  readonly unread: Unread;
}

export const HELD: Held = { maxInFlightBytes: MAX_IN_FLIGHT_BYTES, unread: UNREAD };

/** Milliseconds. */
export interface Arrival {
  readonly headMs: number;
  readonly wholeMs: number;
}

export interface HttpServer {
  readonly origin: string;
  /** Requests that come before this wait for it. */
  open(world: World): void;
  stop(): Promise<void>;
}

/** Listens at once and answers from when the world is open. Throws a `UserError` when the port is taken. */
export const startServer = async (
  groups: readonly Group[],
  host: string,
  port: number,
  arrival: Arrival = ARRIVAL,
  { maxInFlightBytes, unread }: Held = HELD,
): Promise<HttpServer> => {
  const { promise: opened, resolve: open } = Promise.withResolvers<World>();
  const find = groupOfPath(groups);
  let origin = "";
  const options = {
    IncomingMessage: HeldMessage,
    headersTimeout: arrival.headMs,
    requestTimeout: arrival.wholeMs,
    keepAliveTimeout: KEPT_MS,
    connectionsCheckingInterval: Math.min(arrival.headMs, MAX_CHECK_MS),
  };
  const bodies = openIncomingBodies(maxInFlightBytes);
  const watchUnread = openUnreadAnswers(unread);
  const asked = new WeakMap<Duplex, Group>();
  let isStopping = false;
  const server = createServer(options, async (incoming, outgoing) => {
    const head = fromNode(incoming, NO_BYTES, randomUUID());
    const group = find(head.path, asksForPage(head));
    if (group === undefined) asked.delete(incoming.socket);
    else asked.set(incoming.socket, group);
    const most = group?.bodyBytes(head.method, head.path) ?? 0;
    const judge = async (body: Uint8Array): Promise<BeginningVerdict> =>
      group === undefined ? "unknown" : judgedByBeginning(group, { ...head, body }, await opened);
    const send = async (reply: HttpReply, whole: boolean, dropRest: () => Promise<void>): Promise<void> => {
      if (isStopping) outgoing.shouldKeepAlive = false;
      watchUnread(outgoing, write(outgoing, reply, { whole, headOnly: head.method === "HEAD" }));
      // The end of an answer closes the connection: who still sends would be told so, and not what the answer says.
      if (!whole) await drain(incoming, dropRest);
      outgoing.end();
    };
    await bodies.read(incoming, most, judge, async (incomingBody, dropRest) => {
      switch (incomingBody.kind) {
        case "read":
          return send(await answer(group, { ...head, body: incomingBody.body }, await opened), incomingBody.whole, dropRest);
        case "refused":
          return send(incomingBody.reply, false, dropRest);
        case "no room":
          return send(noRoom(await opened, head), false, dropRest);
        case "gone":
          return;
      }
    });
  });
  server.on("clientError", (fault, socket) => refuse(fault, socket, asked.get(socket)));
  await listen(server, host, port);
  const address = server.address();
  origin = `http://${host.includes(":") ? `[${host}]` : host}:${typeof address === "object" && address ? address.port : port}`;
  return {
    origin,
    open,
    stop() {
      isStopping = true;
      return stop(server);
    },
  };
};

const listen = async (server: Server, host: string, port: number): Promise<void> => {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
    if (code === "EADDRINUSE")
      throw new UserError(`Port ${port} on ${host} is in use: choose another one with --port, or 0 for any free one.`);
    if (code === "ENOTFOUND" || code === "EAI_AGAIN")
      throw new UserError(`"${host}" is no host of this machine: give an address with --host.`);
    if (code === "EACCES" || code === "EADDRNOTAVAIL") throw new UserError(`Cannot listen on ${host}, port ${port} (${code}).`);
    throw thrown;
  }
};

const NO_BYTES = new Uint8Array();

/** Seconds after which one whose body found no room may come again. */
const COME_AGAIN_S = 5;

const noRoom = (world: World, request: HttpRequest): HttpReply => {
  logRequest(world, { request, route: "none", status: 503, began: world.clock.now(), code: "service_unavailable" });
  const body = {
    type: "server_error",
    code: "service_unavailable",
    detail: "Too much is being sent at the moment. Try again in a moment.",
    attr: null,
  };
  return ownAnswer(503, body, { "retry-after": String(COME_AGAIN_S) });
};

/** What no group answers. A page reads this, too, as it reads what the gateways answer by themselves. */
const ownAnswer = (status: number, body: unknown, headers: HttpReply["headers"] = {}): HttpReply => ({
  status,
  headers: { "content-type": "application/json", ...headers, "access-control-allow-origin": "*" },
  body: JSON.stringify(body),
});

const NOT_FOUND = ownAnswer(404, { type: "invalid_request", code: "not_found", detail: "Endpoint not found.", attr: null });

const answer = async (group: Group | undefined, request: HttpRequest, world: World): Promise<HttpReply> => {
  if (group) return answerOf(group, request, world);
  logRequest(world, { request, route: "none", status: NOT_FOUND.status, began: world.clock.now() });
  return NOT_FOUND;
};

/** A group answers its own faults. One beside it is the fault of one request, as it is of a function that serves no other. */
const answerOf = async (group: Group, request: HttpRequest, world: World): Promise<HttpReply> => {
  const began = world.clock.now();
  try {
    return await asFunction(group, () => group.serve(request, world));
  } catch (fault) {
    const { status, body } = serverError(request.id, fault);
    logRequest(world, { request, route: group.name, status, began, fault });
    return ownAnswer(status, body);
  }
};

/** What cannot be judged by its beginning is judged when all of it is there. */
const judgedByBeginning = async (group: Group, beginning: HttpRequest, world: World): Promise<BeginningVerdict> => {
  try {
    return await asFunction(group, async () => group.judgeBeginning?.(beginning, world) ?? "unknown");
  } catch {
    return "unknown";
  }
};

/** Writes an answer whole, and leaves it open. Returns the bytes of its body. */
const write = (
  outgoing: ServerResponse,
  reply: HttpReply,
  { whole, headOnly }: { readonly whole: boolean; readonly headOnly: boolean },
): number => {
  if (!whole) outgoing.shouldKeepAlive = false;
  const body = typeof reply.body === "string" ? Buffer.from(reply.body) : reply.body;
  // The length of a body that was left out is not known here any more, and must not be said to be 0.
  outgoing.writeHead(reply.status, headOnly ? reply.headers : { ...reply.headers, "content-length": body.byteLength });
  outgoing.write(body);
  return body.byteLength;
};

/**
 * Answers what Node's parser refuses before there is a request, a head that is too long or no HTTP at all, and a body that does not come;
 * `group` is whose request was the connection's last one. SDKs are told in plain text, as of all else.
 */
const refuse = (fault: Error & { readonly code?: string }, socket: Duplex, group: Group | undefined): void => {
  if (fault.code === "ECONNRESET" || !socket.writable) return;
  const [status, code, detail] = REFUSALS.get(fault.code ?? "") ?? [400, "parse_error", "The request is not valid HTTP."];
  const [type, body] =
    group?.gateway === "ingest"
      ? ["text/plain; charset=utf-8", detail]
      : ["application/json", JSON.stringify({ type: "invalid_request", code, detail, attr: null })];
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}`;
  socket.end(`${head}\r\n\r\n${body}`);
};

const REFUSALS: ReadonlyMap<string, readonly [number, string, string]> = new Map([
  ["HPE_HEADER_OVERFLOW", [431, "headers_too_large", "The headers of the request are too large."]],
  ["ERR_HTTP_REQUEST_TIMEOUT", [408, "request_timeout", "The request took too long to arrive."]],
]);

const drain = async (incoming: HeldMessage, dropRest: () => Promise<void>): Promise<void> => {
  await Promise.race([dropRest(), pause(DRAIN_MS, undefined, { ref: false })]);
  if (!incoming.complete) incoming.destroy();
};

/** Connections that clients keep open are closed as soon as no request is on them, and all in the end. */
const stop = async (server: Server): Promise<void> => {
  const closed = once(server, "close");
  const late = setTimeout(() => server.closeAllConnections(), STOP_BUDGET_MS);
  // Closing the server ends kept connections, also those on which a request has come that is not read yet.
  await pause(IDLE_CHECK_MS);
  await readArrived();
  server.close();
  const idle = setInterval(() => readArrived().then(() => server.closeIdleConnections()), IDLE_CHECK_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
};

/** Settles when all that had come on connections before the last timer is read: the event loop looks at those in between. */
const readArrived = (): Promise<void> => immediate();
