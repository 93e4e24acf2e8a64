import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, request, type Server } from "node:http";
import { buffer } from "node:stream/consumers";
import { asks, asksOfMissing, type Facts, type ServiceRequest } from "./asks.ts";
import type { Ask } from "./rights.ts";

/** Who asks: a function by its resource's id, or the operator, who may do anything. */
export const OPERATOR = "operator";

/** An answer that the front gives itself. */
export interface Answer {
  readonly status: number;
  readonly type?: string;
  readonly body: string;
}

/** A call that a function's role did not allow. */
export interface Denial extends Ask {
  readonly caller: string;
}

export interface Services {
  readonly port: number;
  stop(): Promise<void>;
}

export interface ServicesOptions {
  /** Where the embedded parts answer. */
  readonly table: string;
  readonly store: string;
  /** How much faster than on AWS the queues' clock goes. */
  readonly speed: number;
  readonly facts: Facts;
  /** Whether the caller's role allows it; told of every call. */
  mayAsk(caller: string, ask: Ask): boolean;
  /** The trace of the call in which messages were sent. */
  sent(messageIds: readonly string[], trace: string | undefined): void;
  /** Services that no embedded part has. */
  answer(caller: string, request: ServiceRequest): Promise<Answer>;
}

/** The fields of a form come before its file. */
const FORM_FIELDS_BYTES = 16_384;

const NOT_FOUND = 404;

const CREDENTIAL = /Credential=([^/]+)\/\d+\/[^/]+\/([^/]+)\//;

/** Who signed an address or a form that anybody may use. */
const lentCredential = (url: URL, body: Buffer): string => {
  const inForm = /name="X-Amz-Credential"\r\n\r\n([^\r]+)/.exec(body.subarray(0, FORM_FIELDS_BYTES).toString("latin1"))?.[1];
  return `Credential=${url.searchParams.get("X-Amz-Credential") ?? inForm}/`;
};

/**
 * All services of AWS behind one address, as functions reach them: each call is held to the rights of its caller, whom the keys of its
 * signature name, and then handed to the embedded part.
 */
export const startServices = async (options: ServicesOptions): Promise<Services> => {
  const server = createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming);
    const headers = flat(incoming.headers);
    const url = new URL(incoming.url ?? "/", "http://services");
    const [, caller = "", service = ""] = CREDENTIAL.exec(headers.authorization ?? lentCredential(url, body)) ?? [];
    const received: ServiceRequest = { service, method: incoming.method ?? "GET", url, headers, body };
    try {
      const isRefused = (wanted: readonly Ask[]): boolean => {
        const refused = wanted.find((ask) => caller !== OPERATOR && !options.mayAsk(caller, ask));
        if (refused === undefined) return false;
        const message = `${caller} is not authorized to perform: ${refused.action} on ${refused.resource}`;
        const { status, type, body: said } = denial(service, message);
        outgoing.writeHead(status, { "content-type": type }).end(said);
        return true;
      };
      if (isRefused(asks(received, options.facts))) return;
      if (service === "dynamodb" || service === "s3" || service === "sqs") {
        const to = service === "dynamodb" ? options.table : options.store;
        const answer = await forward(to, received, service === "sqs" ? scaled(body, options.speed) : body);
        if (answer.status === NOT_FOUND && isRefused(asksOfMissing(received))) return;
        if (service === "sqs") noteSent(received, answer.body, options);
        outgoing.writeHead(answer.status, answer.headers).end(answer.body);
        return;
      }
      const { status, type = "application/json", body: said } = await options.answer(caller, received);
      outgoing.writeHead(status, { "content-type": type }).end(said);
    } catch (fault) {
      outgoing.writeHead(500, { "content-type": "text/plain" }).end(`the rehearsal has no answer: ${String(fault)}`);
    }
  });
  // A frozen function finds its connections again.
  server.keepAliveTimeout = 600_000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: portOf(server), stop: () => stop(server) };
};

export const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
};

export const stop = async (server: Server): Promise<void> => {
  server.close();
  server.closeAllConnections();
  if (server.listening) await once(server, "close");
};

export const flat = (headers: IncomingHttpHeaders): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]));

const denial = (service: string, message: string): Required<Answer> =>
  service === "s3"
    ? { status: 403, type: "application/xml", body: `<Error><Code>AccessDenied</Code><Message>${message}</Message></Error>` }
    : {
        status: 400,
        type: "application/x-amz-json-1.0",
        body: JSON.stringify({ __type: "com.amazonaws#AccessDeniedException", message, Message: message }),
      };

/** The hidden and the delayed time of messages, on the rehearsal's clock. */
const scaled = (body: Buffer, speed: number): Buffer => {
  const seconds = (name: string, value: unknown): unknown =>
    name === "VisibilityTimeout" || name === "DelaySeconds" ? Math.ceil(Number(value) / speed) : value;
  return Buffer.from(JSON.stringify(JSON.parse(body.toString(), seconds)));
};

const noteSent = ({ headers }: ServiceRequest, answer: Buffer, { sent }: ServicesOptions): void => {
  if (!headers["x-amz-target"]?.includes("SendMessage")) return;
  const ids = [...answer.toString().matchAll(/"MessageId":"([^"]+)"/g)].flatMap(([, id]) => id ?? []);
  sent(ids, headers["x-amzn-trace-id"]);
};

const forward = (to: string, { method, url, headers }: ServiceRequest, body: Buffer) =>
  new Promise<{ readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer }>((resolve, reject) => {
    const sent = { ...headers, "content-length": String(body.length) };
    const onward = request(new URL(`${url.pathname}${url.search}`, to), { method, headers: sent }, async (answer) => {
      resolve({ status: answer.statusCode ?? 500, headers: answer.headers, body: await buffer(answer) });
    });
    onward.once("error", reject);
    onward.end(body);
  });
