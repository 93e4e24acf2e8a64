import { gzipSync } from "node:zlib";
import { groups } from "../../functions/index.ts";
import type { Group } from "../../lib/app/routes.ts";
import type { HttpRequest } from "../../lib/http/request.ts";
import { readConfig } from "../../lib/ports/config.ts";
import { apiWorld } from "../support/worlds/api-world.ts";
import { FORM, JSON_TYPE, list, MIB, MULTIPART } from "./attack.ts";

type Body = string | Uint8Array;

/** A route that can be reached without a key, and the dearest requests to it that are known. */
export interface KeylessRoute {
  readonly name: string;
  readonly requests: readonly HttpRequest[];
}

/** Every route of the registry that can be reached without a key, by group. Those that need one are a row together. */
export const registeredKeyless = (): readonly string[] =>
  groups.flatMap((group) => {
    if (group.routes.length === 0) return group.paths.map((path) => `${group.name} ${path}`);
    return group.routes.filter(({ access }) => access.level === "anyone").map(({ id }) => `${group.name} ${id}`);
  });

const request = (method: string, target: string, body: Body = "", headers: Readonly<Record<string, string>> = {}): HttpRequest => {
  const url = new URL(target, "http://localhost");
  return {
    id: "r",
    method,
    path: url.pathname,
    query: [...url.searchParams],
    headers: { host: "localhost", "content-type": JSON_TYPE, ...headers },
    ip: "192.0.2.1",
    origin: url.origin,
    body: Buffer.from(body),
  };
};

const get = (target: string): readonly HttpRequest[] => [request("GET", target)];
const posts = (target: string, bodies: readonly Body[], headers = {}): readonly HttpRequest[] =>
  bodies.map((body) => request("POST", target, body, headers));

/** The row that stands for every operation that needs a key, asked without one. */
export const KEYED = "every operation that needs a key";

const TOKEN = `phc_${"x".repeat(43)}`;
const EVENT = '{"event":"a","distinct_id":"b"}';
const events = (count: number): string => `${`${EVENT},`.repeat(count)}${EVENT}`;

/** They are tens of megabytes, and the same for every path. */
const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

/** Bodies of capture: a token that nobody has before and behind as much as may come, and none at all. */
const captured = once((): readonly Body[] => [
  gzipSync(`{"api_key":"${TOKEN}","batch":[${events(650_000)}]}`),
  `{"api_key":"${TOKEN}","batch":[${events(600_000)}]}`,
  `{"batch":[${events(600_000)}],"api_key":"${TOKEN}"}`,
  `{"batch":[${events(200_000)}],"api_key":"${TOKEN}"}`,
  gzipSync(`{"batch":[${events(200_000)}],"api_key":"${TOKEN}"}`),
  gzipSync(Buffer.alloc(64 * MIB)),
  `[${"1,".repeat(3 * MIB)}1]`,
]);

/** Bodies of an operation of the API: its largest, in every form in which a key is looked for. */
const keyed = (): readonly HttpRequest[] => {
  const path = "/api/projects/1/endpoints/";
  const part = (headers: string): string => `--b\r\ncontent-disposition: form-data; name="personal_api_key"${headers}\r\n\r\nx\r\n`;
  return [
    ...posts(path, [`{"list":[${"1,".repeat(2 * MIB - 20)}1]}`, `{"personal_api_key":"phx_no","list":[${list(290_000, String)}]}`]),
    ...posts(path, ["a&".repeat(2 * MIB - 1), "&".repeat(4 * MIB)], { "content-type": FORM }),
    ...posts(path, [`${part("\r\na: b".repeat(690_000))}--b--\r\n`, `${part("; a=b".repeat(800_000))}--b--\r\n`], {
      "content-type": MULTIPART,
    }),
    request("GET", path, "", { authorization: "Bearer phx_no" }),
  ];
};

const notices = (): readonly HttpRequest[] => {
  const path = "/api/billing/webhooks/stripe/";
  const notice = `{"type":"a","data":{"object":{"list":[${"1,".repeat(499_000)}1]}}}`;
  return [
    ...posts(path, [notice]),
    ...posts(path, [notice], { "stripe-signature": `t=1${",v1=a".repeat(2_500)}` }),
    ...posts(path, [notice], { "stripe-signature": `t=${Math.floor(Date.now() / 1_000)},v1=${"a".repeat(64)}` }),
  ];
};

const ASKED = JSON.stringify({ token: TOKEN, distinct_id: "a", person_properties: {}, more: "x".repeat(MIB - 200) });

/** One of each way in which capture reads a body: the other paths are only tried with what is refused by its beginning. */
const READ_APART: ReadonlySet<string> = new Set(["/batch/", "/e/", "/s/"]);

/** A token that no project has is what a path of the ingest host has in its place. */
const WORST: Readonly<Record<string, () => readonly HttpRequest[]>> = {
  ...Object.fromEntries(
    ["/batch/", "/i/v0/e/", "/i/v0/ai/batch/", "/e/", "/capture/", "/track/", "/engage/", "/s/"].map((path) => [
      `capture ${path}`,
      () => posts(path, READ_APART.has(path) ? captured() : captured().slice(0, 2)),
    ]),
  ),
  ...Object.fromEntries(["/", "/_readiness/", "/_liveness/"].map((path) => [`capture ${path}`, () => get(path)])),
  ...Object.fromEntries(
    ["config", "config.js", "array.js"].map((file) => [`browser /array/{token}/${file}/`, () => get(`/array/${TOKEN}/${file}`)]),
  ),
  ...Object.fromEntries(["/flags/", "/decide/"].map((path) => [`browser ${path}`, () => posts(`${path}?v=2`, [ASKED])])),
  ...Object.fromEntries(
    ["/flags/definitions/", "/api/feature_flag/local_evaluation/"].map((path) => [`browser ${path}`, () => get(`${path}?token=${TOKEN}`)]),
  ),
  ...Object.fromEntries(
    ["surveys", "early_access_features", "web_experiments", "product_tours"].map((name) => [
      `browser /api/${name}/`,
      () => get(`/api/${name}/?token=${TOKEN}`),
    ]),
  ),
  "browser /api/projects/@current/feature_flags/{flag}/remote_config/": () => get("/api/projects/@current/feature_flags/a/remote_config/"),
  ...Object.fromEntries(["/i/v1/logs/", "/i/v1/metrics/"].map((path) => [`browser ${path}`, () => posts(path, [ASKED])])),
  "browser /static/toolbar.js/": () => get("/static/toolbar.js"),
  "browser /static/{version}/toolbar.js/": () => get("/static/1.2.3/toolbar.js"),
  "browser /static/{file}/": () => get("/static/array.full.js"),
  "browser /static/{version}/{file}/": () => get("/static/1.2.3/array.full.js"),
  "billing POST /api/billing/webhooks/stripe/": notices,
  "code GET /api/code/sandbox-pricing/": () => get("/api/code/sandbox-pricing/"),
  "iceberg /iceberg/v1/{proxy+}": () => [
    ...get("/iceberg/v1/config"),
    ...posts("/iceberg/v1/oauth/tokens", [`grant_type=client_credentials&client_id=a&client_secret=phx_no&${"a&".repeat(MIB / 2)}`], {
      "content-type": FORM,
    }),
  ],
  "shared-dashboards GET /shared/{token}/": () => get("/shared/nothing"),
  "shared-dashboards GET /shared/{token}/tiles/{tile_id}/": () => get("/shared/nothing/tiles/1"),
  "docs GET /api/schema/": () => get("/api/schema/"),
  "reference /docs/": () => get("/docs/"),
  "reference /docs/{file}/": () => get("/docs/redoc.js"),
  "console /": () => [request("GET", "/", "", { accept: "text/html" })],
  "console /project/{proxy+}": () => [request("GET", "/project/1/live", "", { accept: "text/html" })],
  "console /organization/billing/": () => [request("GET", "/organization/billing", "", { accept: "text/html" })],
  "console /console/{file}/": () => get("/console/icon.svg"),
  [KEYED]: keyed,
};

/** The names of the list, without any request being made. */
export const listedKeyless: readonly string[] = Object.keys(WORST);

/** The list itself: each row's requests are made when it is reached, since all of them are hundreds of megabytes. */
export function* keylessRoutes(): Generator<KeylessRoute> {
  for (const [name, requests] of Object.entries(WORST)) yield { name, requests: requests() };
}

/** The group that serves a row. */
const groupOf = (name: string): Group => {
  const of = groups.find((group) => name.startsWith(`${group.name} `)) ?? groups.find((group) => group.name === "endpoints");
  if (of === undefined) throw new Error(`nobody serves ${name}`);
  return of;
};

/** What one request made a process do. */
export interface Answered {
  readonly status: number;
  readonly bytes: number;
  readonly tableCalls: number;
}

/** A platform that knows nobody, with payments, and without the budget of unknown callers: what each request costs by itself. */
export const keylessPlatform = () => {
  const settings: Readonly<Record<string, string>> = {
    throttleScale: "100000",
    paymentProvider: "stripe",
    stripeSecretKey: "sk_test",
    stripeWebhookSecret: "whsec_test",
  };
  const { world, calls } = apiWorld({
    config: readConfig((field) => settings[field]),
    counts: { add: async () => undefined },
  });
  return async (name: string, asked: HttpRequest): Promise<Answered> => {
    const before = calls.length;
    const { status, body } = await groupOf(name).serve(asked, world);
    return { status, bytes: Buffer.byteLength(body), tableCalls: calls.length - before };
  };
};
