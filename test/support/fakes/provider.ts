import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach } from "vitest";

/** A call as a provider sees it. */
export interface ProviderRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
}

export interface ProviderAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent as it is. */
  readonly body: unknown;
  /** Where it stops and says nothing more: before anything, or before its end. */
  readonly silent?: "at once" | "in the middle";
}

export interface FakeProvider {
  readonly base: string;
  /** Every call since the test began, in order. */
  readonly requests: ProviderRequest[];
  /** How calls are answered until the test ends; 404 where nothing is said. */
  answers(answer: (request: ProviderRequest) => ProviderAnswer): void;
}

const NOTHING = (): ProviderAnswer => ({ status: 404, body: { message: "Not Found" } });

/** A provider of issues and code on this machine, which answers as a test says. `ready` is told where it is before the tests begin. */
export const aFakeProvider = (ready: (base: string) => void): (() => FakeProvider) => {
  const requests: ProviderRequest[] = [];
  let answer: (request: ProviderRequest) => ProviderAnswer = NOTHING;
  let base = "";
  const server = createServer(async (incoming, outgoing) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(Buffer.from(part));
    const text = Buffer.concat(parts).toString("utf8");
    const url = new URL(incoming.url ?? "/", "http://provider");
    const { method = "", headers } = incoming;
    const request = { method, path: url.pathname, query: url.searchParams, headers, body: text === "" ? undefined : JSON.parse(text) };
    requests.push(request);
    const said = answer(request);
    if (said.silent === "at once") return;
    outgoing.writeHead(said.status, { "content-type": "application/json", ...said.headers });
    const body = typeof said.body === "string" ? said.body : JSON.stringify(said.body);
    if (said.silent === "in the middle") outgoing.write(body.slice(0, -1));
    else outgoing.end(body);
  });
  beforeAll(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    base = `http://127.0.0.1:${port(server.address())}`;
    ready(base);
  });
  beforeEach(() => {
    requests.length = 0;
    answer = NOTHING;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return () => ({
    base,
    requests,
    answers(given) {
      answer = given;
    },
  });
};

const port = (address: string | AddressInfo | null): number => (typeof address === "object" && address !== null ? address.port : 0);
