import { gzipSync } from "node:zlib";
import type { Random } from "../../simulation/random.ts";
import type { ATenant } from "../../support/processes/platform.ts";
import type { DescribedOperation } from "./description.ts";
import { mutated } from "./mutations.ts";
import { ODD_TEXTS, oddValue } from "./odd.ts";
import { type Maker, sampleOf } from "./samples.ts";

export interface FuzzRequest {
  readonly operation: DescribedOperation;
  readonly method: string;
  /** With its query, as it stands on the wire. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Sent with the key that opens the operation. */
  readonly isAuthorized: boolean;
}

export interface Sender {
  readonly tenant: ATenant;
  readonly stranger: ATenant;
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "PROPFIND"] as const;

/** A request of an operation: valid as far as the description says what that is, or changed in some way. */
export const requestOf = (operation: DescribedOperation, maker: Maker, sender: Sender): FuzzRequest => {
  const { random } = maker;
  const method = random.chance(0.05) ? random.pick(METHODS) : operation.method;
  const sent = bodyOf(operation, maker, sender);
  const right = operation.key === "secret" ? sender.tenant.secretKey : sender.tenant.personalKey;
  const isAuthorized = operation.key !== undefined && random.chance(0.94);
  return {
    operation,
    method,
    path: pathOf(operation, maker, sender) + queryOf(operation, maker, sender),
    headers: {
      ...sent.headers,
      ...(isAuthorized ? { authorization: `Bearer ${right}` } : otherKey(random, sender)),
      ...oddHeaders(random),
    },
    body: sent.body,
    isAuthorized,
  };
};

const pathOf = (operation: DescribedOperation, maker: Maker, sender: Sender): string => {
  const { random, pool } = maker;
  const path = operation.path.replace(/\{(\w+)\}/g, (_, hole: string, at: number) => {
    if (random.chance(0.04)) return encoded(String(oddValue(random))) || "%00";
    if (hole === "project_id") return random.chance(0.02) ? "@current" : String(random.chance(0.97) ? sender.tenant.projectId : 1);
    const before = operation.path.slice(0, at - 1);
    if (hole === "organization_id" || before === "/api/organizations") return sender.tenant.organizationId;
    return encoded(pool.at(before, hole, random) ?? "0190d0aa-0000-7000-8000-00000000000f");
  });
  return random.chance(0.7) && path !== "/" ? `${path}/` : path;
};

/** Percent-encoded; what is half of a character is sent as what no decoder reads. */
const encoded = (text: string): string => (text.isWellFormed() ? encodeURIComponent(text.slice(0, 2_000)) : "%ED%A0%80");

const queryOf = (operation: DescribedOperation, maker: Maker, { tenant }: Sender): string => {
  const { random } = maker;
  const pairs = operation.parameters.flatMap(({ name, in: place, schema }) => {
    if (place !== "query" || random.chance(0.5)) return [];
    const value = random.chance(0.2) ? oddValue(random) : sampleOf(schema, maker, name);
    return [`${name}=${encoded(typeof value === "string" ? value : JSON.stringify(value))}`];
  });
  if (random.chance(0.03)) pairs.push(random.pick(["=", "&&", "a=%zz", "limit=-1", "format=csv", "__proto__=1", "limit=1&limit=2"]));
  if (random.chance(0.02)) pairs.push(`personal_api_key=${tenant.personalKey}`);
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
};

const otherKey = (random: Random, { tenant, stranger }: Sender): Readonly<Record<string, string>> => {
  return random.pick<Readonly<Record<string, string>>>([
    {},
    { authorization: `Bearer ${stranger.personalKey}` },
    { authorization: `Bearer ${tenant.secretKey}` },
    { authorization: `Bearer ${tenant.secretToken}` },
    { authorization: `Bearer ${tenant.personalKey}` },
    { authorization: `Bearer phx_${random.int(1, 50)}` },
    { authorization: random.pick(["Bearer", "Bearer  ", "Basic YTpi", "bearer x y", "ü"]) },
  ]);
};

const oddHeaders = (random: Random): Readonly<Record<string, string>> => {
  if (random.chance(0.94)) return {};
  return random.pick([
    { accept: "text/html" },
    { accept: "application/json;q=0" },
    { accept: "*/*;q=0.1, text/csv" },
    { accept: ",;=/" },
    { host: "evil.example:99999" },
    { host: "a b<c>" },
    { origin: "https://a.example" },
    { "x-forwarded-for": "1.2.3.4, ::1" },
    { "accept-encoding": "gzip;q=0, br" },
    { "if-none-match": '"x"' },
    { range: "bytes=0-1" },
    { "content-encoding": "gzip" },
    { "x-http-method-override": "DELETE" },
  ]);
};

interface Sent {
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

const JSON_TYPE = { "content-type": "application/json" } as const;

const bodyOf = (operation: DescribedOperation, maker: Maker, sender: Sender): Sent => {
  const { random } = maker;
  if (operation.body === undefined) return random.chance(0.9) ? NO_BODY : junk(random, "{}");
  const { schema, example } = operation.body;
  const made = example !== undefined && random.chance(0.25) ? example : sampleOf(schema, maker);
  const value = withToken(random.chance(0.35) ? mutated(made, random) : made, operation, sender);
  const text = JSON.stringify(value) ?? "";
  if (random.chance(0.04)) return junk(random, text);
  if (random.chance(0.04)) return form(value);
  return { body: Buffer.from(text), headers: JSON_TYPE };
};

const withToken = (value: unknown, { isCapture }: DescribedOperation, { tenant }: Sender): unknown =>
  isCapture && typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value, api_key: tenant.projectToken } : value;

const NO_BODY: Sent = { body: new Uint8Array(), headers: {} };

const form = (value: unknown): Sent => {
  const fields = Object.entries(typeof value === "object" && value !== null ? value : { value });
  const body = fields.map(([name, inner]) => `${encoded(name)}=${encoded(typeof inner === "string" ? inner : JSON.stringify(inner))}`);
  return { body: Buffer.from(body.join("&")), headers: { "content-type": "application/x-www-form-urlencoded" } };
};

/** A body that is not what it says, or nothing at all. */
const junk = (random: Random, text: string): Sent => {
  const bytes = Buffer.from(text);
  return random.pick<Sent>([
    { body: bytes.subarray(0, bytes.length / 2), headers: JSON_TYPE },
    { body: gzipSync(bytes), headers: { ...JSON_TYPE, "content-encoding": "gzip" } },
    { body: gzipSync(bytes).subarray(0, 20), headers: JSON_TYPE },
    { body: Buffer.from([0x22, 0xc3, 0x22]), headers: JSON_TYPE },
    { body: Buffer.from(`\ufeff${text}`), headers: JSON_TYPE },
    { body: bytes, headers: { "content-type": "text/plain" } },
    { body: bytes, headers: { "content-type": "multipart/form-data; boundary=b" } },
    { body: bytes, headers: {} },
    { body: new Uint8Array(), headers: JSON_TYPE },
    { body: Buffer.from(JSON.stringify(random.pick(ODD_TEXTS))), headers: JSON_TYPE },
    { body: Buffer.from("[".repeat(5_000)), headers: JSON_TYPE },
  ]);
};
