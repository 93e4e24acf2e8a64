import type { IncomingMessage } from "node:http";
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";

/** A request freed of any gateway's shape. Only `fromRest` and `fromNode` make one. */
export interface HttpRequest {
  readonly id: string;
  /** Upper case. */
  readonly method: string;
  /** Path as sent, still percent-encoded, without the query. */
  readonly path: string;
  /** Decoded query parameters in order; the last value of a name wins where one is asked for. */
  readonly query: readonly (readonly [string, string])[];
  /** Lower-case names; several values joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Scheme and host as the client used them, with the gateway's stage where its own address has one: `https://host/stage`. */
  readonly origin: string;
  readonly ip: string;
}

export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** For the line of the request, and not sent. */
  readonly logged?: Readonly<Record<string, string | number>>;
}

/** An answer, which needs no more of a request, as its sender is nobody; else whether the sender is known before the rest is read. */
export type BeginningVerdict = HttpReply | "known" | "unknown";

/** The last value of a query parameter. */
export const queryValue = (request: HttpRequest, name: string): string | undefined =>
  request.query.findLast(([candidate]) => candidate === name)?.[1];

/** Whether a request is a browser's for a page that it shows: SDKs and scripts do not ask for HTML. */
export const asksForPage = ({ method, headers }: Pick<HttpRequest, "method" | "headers">): boolean =>
  (method === "GET" || method === "HEAD") && (headers.accept ?? "").split(",").some((range) => /^\s*text\/html\s*(?:;|$)/i.test(range));

/** A request as a REST API of the gateway hands it over (payload format 1.0), whose bodies are base64 where it calls them binary. */
export const fromRest = (event: APIGatewayProxyEvent): HttpRequest => {
  const headers = joined(Object.entries(event.multiValueHeaders ?? {}));
  return {
    id: event.requestContext.requestId,
    method: event.httpMethod.toUpperCase(),
    path: event.path,
    query: Object.entries(event.multiValueQueryStringParameters ?? {}).flatMap(([name, values]) =>
      (values ?? []).map((value): readonly [string, string] => [name, value]),
    ),
    headers,
    body: Buffer.from(event.body ?? "", event.isBase64Encoded ? "base64" : "utf8"),
    origin: `${headers["x-forwarded-proto"] === "http" ? "http" : "https"}://${validHost(headers) ?? event.requestContext.domainName ?? ""}${stageOf(event)}`,
    ip: event.requestContext.identity.sourceIp,
  };
};

/** What the client's path has before the one that is routed: `/stage` at an address of the gateway's own, nothing at a domain. */
const stageOf = ({ path, requestContext }: APIGatewayProxyEvent): string =>
  requestContext.path?.endsWith(path) ? requestContext.path.slice(0, -path.length) : "";

/** A reply as the gateway takes it. */
export const toRest = (reply: HttpReply): APIGatewayProxyResult =>
  typeof reply.body === "string"
    ? { statusCode: reply.status, headers: { ...reply.headers }, body: reply.body }
    : { statusCode: reply.status, headers: { ...reply.headers }, body: Buffer.from(reply.body).toString("base64"), isBase64Encoded: true };

/** A request of Node's own server, with its body read. */
export const fromNode = (request: IncomingMessage, body: Uint8Array, id: string): HttpRequest => {
  const target = request.url ?? "/";
  const mark = target.indexOf("?");
  const headers = joined(Object.entries(request.headersDistinct));
  return {
    id,
    method: (request.method ?? "GET").toUpperCase(),
    path: mark === -1 ? target : target.slice(0, mark),
    query: mark === -1 ? [] : [...new URLSearchParams(target.slice(mark + 1))],
    headers,
    body,
    origin: `http://${validHost(headers) ?? "localhost"}`,
    ip: request.socket.remoteAddress ?? "",
  };
};

/** The host as the client named it, where that can stand in an address: whatever else the header holds is nothing to repeat. */
const validHost = ({ host }: Readonly<Record<string, string>>): string | undefined =>
  host !== undefined && host.length <= MAX_HOST && HOST.test(host) ? host : undefined;

const HOST = /^(?:[\w.-]+|\[[0-9a-fA-F:.]+\])(?::\d{1,5})?$/;
const MAX_HOST = 255;

const joined = (headers: readonly (readonly [string, readonly string[] | undefined])[]): Readonly<Record<string, string>> =>
  Object.fromEntries(headers.flatMap(([name, values]) => (values === undefined ? [] : [[name.toLowerCase(), values.join(", ")]])));
