import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll } from "vitest";

/** A call as the fake heard it, with the claims of its token. */
export interface HeardQuestion {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** The caller's own key of the call. */
  readonly key: string | undefined;
  readonly claims: Readonly<Record<string, unknown>>;
}

export const LICENSE = "license-1::shared-secret";
const [, SECRET = ""] = LICENSE.split("::");

type Reply =
  | readonly [status: number, body: unknown, headers?: Readonly<Record<string, string>>]
  | "never"
  | { readonly write: (to: ServerResponse) => void };

/** Speaks as an upstream billing service does: answers only who proves the license, by the path that is asked. */
export const aBillingService = () => {
  const heard: HeardQuestion[] = [];
  const replies = new Map<string, Reply | ((question: HeardQuestion) => Reply)>();
  const state = { url: "" };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://fake");
    const sent = await text(request);
    const claims = claimsOf(request.headers.authorization ?? "");
    const send = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): void =>
      void response
        .writeHead(status, { "content-type": "application/json", ...headers })
        .end(typeof body === "string" ? body : JSON.stringify(body));
    if (claims === undefined) return send(403, { detail: "This is no token of a license." });
    const question: HeardQuestion = {
      method: request.method ?? "",
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      body: sent === "" ? null : JSON.parse(sent),
      key: String(request.headers["idempotency-key"] ?? "") || undefined,
      claims,
    };
    heard.push(question);
    const found = replies.get(`${question.method} ${question.path}`) ?? ([404, { detail: "Not found." }] as const);
    const reply = typeof found === "function" ? found(question) : found;
    if (reply === "never") return;
    if ("write" in reply) reply.write(response);
    else send(...reply);
  });
  beforeAll(async () => {
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    // A listening server of this kind has an address of this kind.
    state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return { heard, replies, state };
};

/** The claims of a token that the license's secret signed; undefined for any other. */
const claimsOf = (authorization: string): Readonly<Record<string, unknown>> | undefined => {
  const [head = "", claims = "", signature = ""] = authorization.replace(/^Bearer /, "").split(".");
  const expected = createHmac("sha256", SECRET).update(`${head}.${claims}`).digest();
  const given = Buffer.from(signature, "base64url");
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  return JSON.parse(Buffer.from(claims, "base64url").toString());
};
