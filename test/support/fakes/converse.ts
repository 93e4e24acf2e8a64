import { createServer, type ServerHttp2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, vi } from "vitest";

/** What the fake says next: words, with why it stopped; a refusal of the service; or nothing at all. */
export type Said =
  | { readonly text: string; readonly stopReason?: string }
  | { readonly status: number; readonly error: string }
  | { readonly silence: true };

export interface HeardConversation {
  readonly path: string;
  readonly authorization: string;
  readonly body: {
    readonly system: readonly { readonly text: string }[];
    readonly messages: readonly { readonly role: string; readonly content: readonly { readonly text: string }[] }[];
    readonly inferenceConfig: object;
  };
}

/** Speaks the part of Bedrock's runtime that is used here, over HTTP/2 as the service does: `POST /model/{modelId}/converse`. */
export const aConverse = () => {
  const heard: HeardConversation[] = [];
  const script: Said[] = [];
  const state = { url: "" };
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer(async (request, response) => {
    heard.push({
      path: request.url,
      authorization: String(request.headers.authorization),
      body: JSON.parse(await text(request)),
    });
    const said = script.length > 1 ? script.shift() : script[0];
    if (said === undefined || "silence" in said) return;
    const head = { "content-type": "application/json", "x-amzn-requestid": "0190a1b2-c3d4-7e5f-8a9b-000000000001" };
    if ("status" in said) {
      response.writeHead(said.status, { ...head, "x-amzn-errortype": said.error });
      response.end(JSON.stringify({ message: "No." }));
      return;
    }
    const message = { role: "assistant", content: said.text === "" ? [] : [{ text: said.text }] };
    const usage = { inputTokens: 100, outputTokens: 10, totalTokens: 110 };
    response.writeHead(200, head);
    response.end(JSON.stringify({ output: { message }, stopReason: said.stopReason ?? "end_turn", usage, metrics: { latencyMs: 5 } }));
  });
  server.on("session", (session) => sessions.add(session));
  beforeAll(async () => {
    vi.stubEnv("AWS_REGION", "eu-central-1");
    vi.stubEnv("AWS_ACCESS_KEY_ID", "AKID");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    // A listening server of this kind has an address of this kind.
    state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    for (const session of sessions) session.destroy();
    server.close();
  });
  return {
    heard,
    state,
    /** From here on the fake says these, one after the other, and the last of them again and again. */
    says(...next: readonly Said[]): void {
      heard.length = 0;
      script.splice(0, script.length, ...next);
    },
  };
};
