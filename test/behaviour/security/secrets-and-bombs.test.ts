import { readdirSync, readFileSync, statSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { apiClient } from "../../support/api-client.ts";
import { lz64Bomb, lz64Letters } from "../../support/lz64.ts";
import { type ATenant, aTenant, itsOwnPlatform } from "../../support/processes/platform.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";

/** What a deployment would log, not only what goes wrong. */
process.env.LOG = "all";

const MIB = 1024 * 1024;
const lines: string[] = [];
const spies = [process.stdout, process.stderr].map((stream) =>
  vi.spyOn(stream, "write").mockImplementation((text: unknown) => {
    lines.push(String(text));
    return true;
  }),
);
afterAll(() => {
  for (const spy of spies) spy.mockRestore();
});

const platform = itsOwnPlatform();
let tenant: ATenant;
beforeAll(async () => {
  tenant = await aTenant(platform().world);
});

const post = (path: string, body: string | Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${platform().ingestUrl}${path}`, { method: "POST", body, headers });

/** 20,000 codes of lz-string, which stand for 200 million letters; and as many digits as a body may have, which fill its dictionary. */
const LZ_PIECES = 20_000;
const LZ_DIGITS = 20 * MIB;

const bytes = (content: Uint8Array): Uint8Array<ArrayBuffer> => Uint8Array.from(content);

describe("capture", () => {
  it("refuses bombs, depth, values and size within bounded memory, and goes on", async () => {
    const zeros = gzipSync(Buffer.alloc(200 * MIB, " "));
    const before = process.memoryUsage().rss;
    const cases: readonly (readonly [number, Promise<Response>])[] = [
      [413, post("/batch/", bytes(zeros))],
      [413, post("/batch/?compression=gzip", bytes(zeros))],
      [413, post("/batch/", bytes(Buffer.from(zeros.toString("base64"))))],
      [400, post("/e/", `data=${encodeURIComponent(zeros.toString("base64"))}`, { "content-type": "application/x-www-form-urlencoded" })],
      [400, post("/batch/", "[".repeat(10_000))],
      [400, post("/batch/", bytes(gzipSync("[".repeat(10_000))))],
      [413, post("/batch/", `[${",".repeat(2_000_001)}]`)],
      [413, post("/batch/", bytes(Buffer.alloc(20 * MIB + 1, " ")))],
    ];
    for (const [status, sent] of cases) expect((await sent).status).toBe(status);
    expect(process.memoryUsage().rss - before).toBeLessThan(600 * MIB);
    const event = { event: "after", distinct_id: "ana" };
    expect((await post("/batch/", JSON.stringify({ api_key: tenant.projectToken, batch: [event] }))).status).toBe(200);
  });

  it("refuses what lz-string can blow up within bounded memory, and goes on", async () => {
    const before = process.memoryUsage().rss;
    const form = { "content-type": "application/x-www-form-urlencoded" };
    for (const bomb of [lz64Bomb(LZ_PIECES), lz64Letters(LZ_DIGITS).toString()]) {
      expect([400, 413]).toContain((await post("/batch/?compression=lz64", bomb)).status);
      const data = bomb.slice(0, LZ_DIGITS / 2);
      expect([400, 413]).toContain((await post("/e/?compression=lz64", `data=${encodeURIComponent(data)}`, form)).status);
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(600 * MIB);
    const event = { event: "after", distinct_id: "ana" };
    expect((await post("/batch/", JSON.stringify({ api_key: tenant.projectToken, batch: [event] }))).status).toBe(200);
  });

  it("is not hurt by an upload that ends early", async () => {
    const { hostname, port } = new URL(platform().ingestUrl);
    const socket = connect(Number(port), hostname);
    socket.write("POST /batch/ HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\n{");
    await new Promise((done) => setImmediate(done));
    socket.destroy();
    expect((await post("/batch/", "{}")).status).toBe(400);
  });
});

it("logs no key, token, address, body or query", async () => {
  const api = apiClient(platform().baseUrl, tenant.personalKey);
  const path = `/api/projects/${tenant.projectId}/endpoints/`;
  const said = ["someone-private@example.test", "private-value-5521"];
  const batch = [{ event: "seen", distinct_id: said[0], properties: { note: said[1] } }];
  await post("/batch/", JSON.stringify({ api_key: tenant.projectToken, batch }));
  await post("/batch/", JSON.stringify({ api_key: "phx_not_a_token_7781", batch }));
  await api.post(path, {
    name: "logged",
    query: sqlQuery(`SELECT '${said[1]}', event FROM events WHERE distinct_id = {variables.who}`, { who: said[0] }),
  });
  await api.post(`${path}logged/run/`, { variables: { who: said[0] } });
  await api.post(path, `{"personal_api_key":"phx_broken_${said[1]}`);
  await fetch(`${platform().baseUrl}${path}?personal_api_key=${tenant.personalKey}&q=${said[1]}`);
  const log = lines.join("");
  expect(log).toContain('"request"');
  for (const secret of [tenant.personalKey, tenant.secretKey, tenant.secretToken, tenant.projectToken, "phx_not_a_token_7781", ...said])
    expect(log).not.toContain(secret);
});

it("keeps no key's value at rest, and its credentials for their owner alone", () => {
  const folder = platform().dataDir;
  const database = readdirSync(folder).filter((file) => file.startsWith("table.db"));
  expect(database.length).toBeGreaterThan(0);
  const contents = database.map((file) => readFileSync(join(folder, file)));
  expect(tenant.secretToken).toMatch(/^phs_.{20,}/);
  // What is public is there as it is: so a search that finds nothing of the others says something.
  for (const open of [tenant.organizationId, tenant.projectToken]) expect(contents.some((content) => content.includes(open))).toBe(true);
  for (const content of contents) {
    for (const key of [tenant.personalKey, tenant.secretKey, tenant.secretToken]) expect(content.includes(key)).toBe(false);
  }
  expect(statSync(join(folder, "credentials.json")).mode & 0o777).toBe(0o600);
});
