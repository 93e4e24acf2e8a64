import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { groups } from "../../functions/index.ts";
import { groupOfPath } from "../../infra/local/group-of-path.ts";
import type { HttpRequest } from "../../lib/http/request.ts";
import { readConfig } from "../../lib/ports/config.ts";
import { lz64Bomb, lz64Letters } from "../support/lz64.ts";
import { apiWorld } from "../support/worlds/api-world.ts";
import type { KeylessCost } from "./keyless.ts";

/** Prints, as JSON, what requests without a valid key cost the handlers: all of them in one process, each the second time that it comes. */

const MIB = 1024 * 1024;
const FORM = "application/x-www-form-urlencoded";
const PARTS = "multipart/form-data; boundary=b";

interface KeylessRequest {
  readonly name: string;
  readonly path: string;
  readonly body?: string | Buffer;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
}

/** So many bytes of whole pieces. */
const filled = (piece: string, bytes: number): Buffer => Buffer.alloc(Math.floor(bytes / piece.length) * piece.length, piece);
const between = (start: string, piece: string, bytes: number, end: string): Buffer =>
  Buffer.concat([Buffer.from(start), filled(piece, bytes - start.length - end.length), Buffer.from(end)]);
const inBase64 = (bytes: Buffer): Buffer => Buffer.from(bytes.toString("base64"));
const LZ64 = { path: "/e/", query: { compression: "lz64" } };
const EVENT = '{"event":"a","distinct_id":"b","properties":{"c":"d"}},';
const FIELD = 'content-disposition: form-data; name="personal_api_key"';

const API = "/api/projects/1/endpoints/";
const atApi = (name: string, body: string | Buffer, type = "application/json"): KeylessRequest => ({
  name: `API, ${name}`,
  path: API,
  body,
  type,
});
const atCapture = (name: string, body: string | Buffer, more: Partial<KeylessRequest> = {}): KeylessRequest => ({
  name: `capture, ${name}`,
  path: "/batch/",
  body,
  ...more,
});

const largest = 6.25 * MIB - 1;
const keylessRequests: readonly KeylessRequest[] = [
  atApi("a wrong key in the header, 4 MiB", filled("a", 4 * MIB)),
  atApi("JSON without a key", between('{"personal_api_key":"', "a", 4 * MIB, '"}')),
  atApi("JSON of short names", between('{"personal_api_key":"phx_no",', '"":"",', 4 * MIB, '"":""}')),
  atApi("a form of short names", between("personal_api_key=no", "&a", 4 * MIB, "&b=1"), FORM),
  atApi("parts with many headers", between(`--b\r\n${FIELD}\r\n`, "x: y\r\n", 4 * MIB, "\r\n\r\n1\r\n--b--\r\n"), PARTS),
  atApi("parts that name the key everywhere", filled('name="personal_api_key"', 4 * MIB), PARTS),
  atCapture("an unknown token first, 20 MiB", between('{"api_key":"phc_no","batch":[', EVENT, 20 * MIB, "{}]}")),
  atCapture("an unknown token last, 6 MiB", between('{"batch":[', EVENT, largest, '{}],"api_key":"phc_no"}')),
  atCapture("no token, short names", between("{", '"":"",', largest, '"":""}')),
  atCapture("no token, small events in a list", between("[", '{"token":0},', largest, "{}]")),
  atCapture("no token, gzip of 6 MiB", gzipSync(between('{"batch":[', EVENT, largest, "{}]}"))),
  atCapture("no token, gzip of short names", gzipSync(between("{", '"":"",', largest, '"":""}'))),
  atCapture("no token, gzip of names that nearly are", gzipSync(between("[", '{"tokem":0},', largest, "{}]"))),
  atCapture("a bomb of gzip", gzipSync(Buffer.alloc(256 * MIB, 32))),
  atCapture(
    "128 KB of ever new names",
    `{"api_key":"phc_no","batch":[${Array.from({ length: 12_500 }, (_, at) => `{"${at.toString(36)}":1}`).join()}]}`,
  ),
  atCapture("a form of plus signs", between("data=", "+abc", largest, ""), { type: FORM }),
  atCapture("a form of separators", between("data=1", "&", largest, ""), { type: FORM }),
  atCapture("base64", filled("eyJiYXRjaCI6W3t9", largest)),
  atCapture("base64 of base64", inBase64(inBase64(between("[", '{"token":0},', (largest * 9) / 16 - 9, "{}]"))), { path: "/e/" }),
  atCapture("lz64, a few codes of long texts", lz64Bomb(3_000), LZ64),
  atCapture("lz64, a code for each letter", lz64Letters(largest), LZ64),
  { name: "recordings, no token", path: "/s/", body: between("[", '{"token":0},', largest, "{}]") },
  { name: "flags, ever new names", path: "/flags/", body: between('{"token":"phc_no",', '"":{},', MIB, '"":{}}') },
  { name: "logs, 1 MiB", path: "/i/v1/logs/", body: filled("a", MIB) },
  { name: "the payment provider's notice, unsigned", path: "/api/billing/webhooks/stripe/", body: filled("[", 1_000_000) },
  {
    name: "the payment provider's notice, wrongly signed",
    path: "/api/billing/webhooks/stripe/",
    body: Buffer.alloc(1_000_000, 0xff),
    headers: { "stripe-signature": `t=1,${"v1=ab,".repeat(2_500)}` },
  },
  { name: "a token of the catalogue", path: "/iceberg/v1/oauth/tokens", body: filled("a&", MIB), type: FORM },
];

const settings: Readonly<Record<string, string>> = {
  paymentProvider: "stripe",
  stripeSecretKey: "sk_test_1",
  stripeWebhookSecret: "whsec_1",
};
const { world } = apiWorld({
  config: readConfig((field) => settings[field]),
  counts: { add: async () => undefined },
});
const groupAt = groupOfPath(groups);

const highestKb = (): number => Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1]);

const costOf = async (keyless: KeylessRequest, ip: string): Promise<KeylessCost> => {
  const { name, path, body = "", type = "application/json", headers = {}, query = {} } = keyless;
  const bytes = Buffer.from(body);
  const authorization = name.includes("in the header") ? { authorization: "Bearer phx_no" } : {};
  const request: HttpRequest = {
    id: "r",
    method: "POST",
    path,
    query: Object.entries(query),
    headers: { "content-type": type, ...authorization, ...headers },
    body: bytes,
    origin: "http://localhost",
    ip,
  };
  globalThis.gc?.();
  writeFileSync("/proc/self/clear_refs", "5");
  const [before, spent] = [highestKb(), process.cpuUsage()];
  const reply = await groupAt(path)?.serve(request, world);
  const { user, system } = process.cpuUsage(spent);
  return { name, status: reply?.status ?? 0, ms: (user + system) / 1_000, mb: (1024 * (highestKb() - before)) / 1_000_000 };
};

const costs: KeylessCost[] = [];
for (const [at, keyless] of keylessRequests.entries()) {
  const runs = [await costOf(keyless, `10.0.${at}.1`), await costOf(keyless, `10.0.${at}.2`), await costOf(keyless, `10.0.${at}.3`)];
  const [, second = runs[0], third = second] = runs;
  if (second === undefined || third === undefined) continue;
  costs.push({ ...second, ms: Math.min(second.ms, third.ms), mb: Math.max(...runs.map(({ mb }) => mb)) });
}
console.log(`COSTS ${JSON.stringify(costs)}`);
