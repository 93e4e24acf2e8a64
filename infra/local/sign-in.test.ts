import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { groups } from "../../functions/index.ts";
import { forgetCallers } from "../../lib/auth/callers.ts";
import { keyHash } from "../../lib/keys/credential.ts";
import { PersonalApiKeys } from "../../lib/keys/personal-api-keys.ts";
import { readConfig } from "../../lib/ports/config.ts";
import { remove } from "../../lib/table/store.ts";
import { aHousehold, apiWorld, aRequest } from "../../test/support/worlds/api-world.ts";
import { writeCredentials } from "./credentials.ts";
import { groupOfPath } from "./group-of-path.ts";
import { type HttpServer, startServer } from "./server.ts";
import { signIn } from "./sign-in.ts";

const PATH = "/local/sign-in/";

let dataDir = "";
let server: HttpServer | undefined;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "sign-in-"));
});
afterEach(async () => {
  await server?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** A platform's world whose demo is the household, and whose credentials hold the owner's key. */
const aWorld = async (baseUrl: string) => {
  const made = apiWorld({ config: { ...readConfig(() => undefined), baseUrl } });
  const { key, user } = await aHousehold(made.world, 1);
  writeCredentials(dataDir, { base_url: baseUrl, ingest_url: baseUrl, personal_api_key: key });
  return { ...made, key, user };
};

const start = async (host = "127.0.0.1") => {
  server = await startServer([signIn(dataDir)], host, 0);
  const port = Number(new URL(server.origin).port);
  const made = await aWorld(server.origin);
  server.open(made.world);
  const send = async (method: string, headers: Readonly<Record<string, string>> = {}) => {
    const sent = request({ host: "127.0.0.1", port, path: PATH, method, headers: { host: `127.0.0.1:${port}`, ...headers } }).end();
    const [answer]: IncomingMessage[] = await once(sent, "response");
    if (answer === undefined) throw new Error("no answer");
    return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
  };
  return { ...made, port, send };
};

describe("signing in as the demo's owner", () => {
  test("is offered by name, and gives the key to whoever posts", async () => {
    const { send, key, user, log } = await start();
    const offered = await send("GET");
    expect([offered.status, JSON.parse(offered.body)]).toEqual([200, { user: user.email }]);
    expect((await send("HEAD")).status).toBe(200);
    const signedIn = await send("POST");
    expect([signedIn.status, JSON.parse(signedIn.body)]).toEqual([200, { personal_api_key: key }]);
    for (const { headers, body } of [offered, signedIn]) {
      expect(headers["cache-control"]).toBe("no-store");
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
      expect(body.includes(key)).toBe(body === signedIn.body);
    }
    expect(log.lines.length).toBeGreaterThan(0);
    expect(JSON.stringify(log.lines)).not.toContain(key);
  });

  test("is taken by the page itself, by either of the host's names", async () => {
    const { send, port } = await start();
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`])
      expect((await send("POST", { host, origin: `http://${host}`, "sec-fetch-site": "same-origin" })).status).toBe(200);
  });

  test.each<[string, (port: number) => Readonly<Record<string, string>>]>([
    ["names a foreign host that resolves to this one", (port) => ({ host: `evil.test:${port}` })],
    ["names the host without its port", () => ({ host: "127.0.0.1" })],
    ["names another port", (port) => ({ host: `localhost:${port + 1}` })],
    ["puts a name before the host", (port) => ({ host: `evil.test@127.0.0.1:${port}` })],
    ["comes from another site", () => ({ "sec-fetch-site": "cross-site" })],
    ["comes from another port of this machine", () => ({ "sec-fetch-site": "same-site" })],
    ["is typed into a browser", () => ({ "sec-fetch-site": "none" })],
    ["has another origin", () => ({ origin: "https://evil.test" })],
    ["has an origin that is hidden", () => ({ origin: "null" })],
    ["has the origin of another port", (port) => ({ origin: `http://127.0.0.1:${port + 1}` })],
    ["has the host's other name for an origin", (port) => ({ origin: `http://localhost:${port}` })],
    ["has the host's origin under another scheme", (port) => ({ origin: `https://127.0.0.1:${port}` })],
    ["was passed on by a tunnel", () => ({ "x-forwarded-for": "192.0.2.1" })],
    ["was passed on for another host", () => ({ "x-forwarded-host": "demo.tunnel.test" })],
    ["was passed on by a proxy", () => ({ via: "1.1 proxy" })],
    ["was passed on in the standard's words", () => ({ forwarded: "for=192.0.2.1" })],
  ])("is not there for a request that %s", async (_, headers) => {
    const { send, port, key } = await start();
    for (const method of ["GET", "POST", "PUT", "OPTIONS"]) {
      const answer = await send(method, headers(port));
      expect([method, answer.status]).toEqual([method, 404]);
      expect(JSON.stringify(answer)).not.toMatch(/access-control-/i);
      expect(answer.body).not.toContain(key);
    }
  });

  test.each(["PUT", "PATCH", "DELETE", "OPTIONS"])("is not done by %s", async (method) => {
    const { send, key } = await start();
    const answer = await send(method);
    expect([answer.status, answer.headers.allow]).toEqual([405, "GET, HEAD, POST"]);
    expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
    expect(answer.body).not.toContain(key);
  });

  test("is not there on a platform that listens to other machines, not even for this one", async () => {
    const { send, port } = await start("0.0.0.0");
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `0.0.0.0:${port}`])
      for (const method of ["GET", "POST"]) expect((await send(method, { host })).status).toBe(404);
  });

  test.each([
    ["http://127.0.0.1", "localhost", 200],
    ["http://localhost:8000", "localhost:8000", 200],
    ["http://127.0.0.2:8000", "127.0.0.2:8000", 200],
    ["http://[::1]:8000", "[::1]:8000", 200],
    ["http://[::1]:8000", "localhost:8000", 200],
    ["http://[::]:8000", "localhost:8000", 404],
    ["http://192.0.2.1:8000", "192.0.2.1:8000", 404],
    ["http://127.0.0.1.evil.test:8000", "127.0.0.1.evil.test:8000", 404],
    ["http://:8000", "localhost:8000", 404],
    ["", "localhost:8000", 404],
  ])("bound to %j and asked as %j, it answers %d", async (baseUrl, host, status) => {
    const { world } = await aWorld(baseUrl);
    expect((await signIn(dataDir).serve(aRequest("POST", PATH, { headers: { host } }), world)).status).toBe(status);
  });

  test("is not there without a demo, nor once its key opens nothing", async () => {
    const { send, world, key } = await start();
    expect((await send("POST")).status).toBe(200);
    await remove(world.table, PersonalApiKeys, { hash: keyHash(key) });
    forgetCallers(world.table);
    for (const method of ["GET", "POST"]) expect((await send(method)).status).toBe(404);
    writeCredentials(dataDir, { base_url: "", ingest_url: "" });
    for (const method of ["GET", "POST"]) expect((await send(method)).status).toBe(404);
    await rm(dataDir, { recursive: true });
    for (const method of ["GET", "POST"]) expect((await send(method)).status).toBe(404);
  });

  test("is no part of what is deployed", () => {
    expect(groupOfPath(groups)(PATH)).toBeUndefined();
  });
});
