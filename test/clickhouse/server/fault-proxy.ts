import { once } from "node:events";
import { createServer, request, type Server, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";

/** An answer of ClickHouse's, as it came. */
interface Whole {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** What stands between the platform and ClickHouse does with an answer, and the one before it. */
export type Fault = (answer: Whole, response: ServerResponse, before: Whole | undefined) => void;

const send = ({ status, headers }: Whole, body: Buffer | string, response: ServerResponse): void => {
  const { "transfer-encoding": _chunked, "content-length": _length, connection: _connection, ...rest } = headers;
  response.writeHead(status, Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)])));
  response.end(body);
};

const begin = (answer: Whole, response: ServerResponse): void => {
  response.writeHead(answer.status, { ...answer.headers, connection: "close" } as Record<string, string>);
  response.write(answer.body.subarray(0, Math.floor(answer.body.length / 2)));
};

const lines = ({ body }: Whole): readonly string[] => body.toString().split("\n");

export const PASS: Fault = (answer, response) => send(answer, answer.body, response);

export const FAULTS: Readonly<Record<string, Fault>> = {
  "closes the connection": (_, response) => response.destroy(),
  "closes it amid the answer": (answer, response) => {
    begin(answer, response);
    setImmediate(() => response.destroy());
  },
  "ends amid the answer, as if it were whole": (answer, response) =>
    send(answer, answer.body.subarray(0, Math.floor(answer.body.length / 2)), response),
  "leaves the last row out": (answer, response) => send(answer, [...lines(answer).slice(0, -2), ""].join("\n"), response),
  "says the last row twice": (answer, response) =>
    send(answer, [...lines(answer).slice(0, -1), ...lines(answer).slice(-2)].join("\n"), response),
  "gives no rows": (answer, response) => send(answer, lines(answer).slice(0, 2).join("\n").concat("\n"), response),
  "gives nothing": (answer, response) => send(answer, "", response),
  "gives the answer to the query before": (_, response, before) =>
    before === undefined ? response.destroy() : send(before, before.body, response),
  "gives garbage": (answer, response) => send(answer, Buffer.from([0, 255, 10, 7, 10, 13, 10]), response),
  "gives a page of its own": (_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>Please sign in</html>"),
  "says that it is overloaded": (_, response) => response.writeHead(503).end("overloaded"),
};

/** Those that take all the time that a query has. */
export const HANGS: Readonly<Record<string, Fault>> = {
  "stops amid the answer": (answer, response) => begin(answer, response),
  "never answers": () => undefined,
};

export interface FaultProxy {
  readonly url: string;
  /** What becomes of each answer from now on. */
  use(fault: Fault): void;
  close(): Promise<void>;
}

/** Passes requests on to a server, and what it answers through a fault. */
export const openFaultProxy = async (target: string): Promise<FaultProxy> => {
  let fault = PASS;
  let before: Whole | undefined;
  const server: Server = createServer(async (incoming, response) => {
    const body = await buffer(incoming);
    const onward = request(new URL(incoming.url ?? "", target), { method: incoming.method ?? "POST", headers: incoming.headers });
    onward.once("error", () => response.destroy());
    onward.once("response", async (answer) => {
      const whole = { status: answer.statusCode ?? 500, headers: answer.headers, body: await buffer(answer).catch(() => Buffer.alloc(0)) };
      if (response.destroyed) return;
      fault(whole, response, before);
      before = whole;
    });
    response.once("close", () => onward.destroy());
    onward.end(body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`,
    use: (next) => {
      fault = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};
