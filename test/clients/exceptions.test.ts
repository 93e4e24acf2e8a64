import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EventMessage, PostHog } from "posthog-node";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { type ApiClient, apiClient } from "../support/api-client.ts";
import { type ATenant, aPlatform, aTenant, eventually } from "../support/processes/platform.ts";
import { sqlQuery } from "../support/samples/saved-query.ts";
import { buildShop } from "../support/symbols/shop-bundle.ts";
import { sourceAndMap } from "../support/symbols/symbol-file.ts";
import { uploadSets } from "../support/symbols/upload.ts";

const platform = aPlatform();
let tenant: ATenant;
let api: ApiClient;
let base = "";

beforeAll(async () => {
  tenant = await aTenant(platform().world);
  api = apiClient(platform().baseUrl, tenant.personalKey);
  base = `/api/projects/${tenant.projectId}/error_tracking`;
  const severity = (level: string, key: string, value: unknown) => ({
    severity: level,
    filters: { type: "AND", values: [{ key, type: "event", operator: "exact", value }] },
  });
  for (const rule of [severity("critical", "$exception_handled", "false"), severity("low", "$exception_types", ["CartError"])]) {
    expect((await api.post(`${base}/severity_rules/`, rule)).status).toBe(201);
  }
});

const Frame = z.looseObject({
  filename: z.string(),
  function: z.string(),
  lineno: z.int().optional(),
  module: z.string().optional(),
  in_app: z.boolean(),
  context_line: z.string().optional(),
  pre_context: z.array(z.string()).default([]),
  post_context: z.array(z.string()).default([]),
});
type Frame = z.output<typeof Frame>;
const Sent = z.looseObject({
  $exception_list: z.array(
    z.looseObject({ type: z.string(), value: z.string(), stacktrace: z.object({ frames: z.array(Frame) }).optional() }),
  ),
});
type Sent = z.output<typeof Sent>;

const sha512 = (...parts: readonly (string | Buffer)[]): string =>
  createHash("sha512")
    .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
    .digest("hex");

/** What the frames of an SDK that runs in node are known by. */
const rawIdOf = ({ context_line = "", filename, function: name, lineno = 0, module = "", pre_context, post_context }: Frame): string => {
  const line = Buffer.alloc(4);
  line.writeUInt32BE(lineno);
  return `${sha512(context_line, filename, name, line, module, ...pre_context, ...post_context)}/0`;
};

const isOwn = ({ filename, in_app }: Frame): boolean => in_app && !filename.includes("node_modules") && !filename.startsWith("node:");

/** Types, and of stacks the frames of the program's own code. */
const fingerprintOf = ({ $exception_list }: Sent): string =>
  sha512(
    ...$exception_list.flatMap(({ type, value, stacktrace }) => {
      if (stacktrace === undefined) return [type, value];
      const own = stacktrace.frames.filter(isOwn);
      const hashed = own.length > 0 ? own : stacktrace.frames.slice(0, 1);
      return [type, ...hashed.flatMap((frame) => [frame.filename, frame.module ?? "", frame.function])];
    }),
  );

/** A client that also tells what it sends. */
const telling = () => {
  const sent: EventMessage[] = [];
  const client = new PostHog(tenant.projectToken, {
    host: platform().baseUrl,
    flushAt: 1,
    before_send: (event) => {
      if (event !== null) sent.push(event);
      return event;
    },
  });
  const all = async (): Promise<readonly Sent[]> => {
    await client.shutdown();
    return sent.map(({ properties }) => Sent.parse(properties));
  };
  return { client, all };
};

const Stored = z.looseObject({ $exception_issue_id: z.string(), $exception_fingerprint: z.string() });
type Stored = z.output<typeof Stored>;

/** The stored properties of the exceptions that carry a marker, once there are as many. */
const storedOf = async (marker: string, count: number): Promise<readonly Stored[]> => {
  const path = `/api/projects/${tenant.projectId}/endpoints/`;
  const query = `SELECT toString(properties) FROM events WHERE event = '$exception' AND properties.marker = '${marker}' ORDER BY timestamp`;
  await api.post(path, { name: marker, query: sqlQuery(query) });
  return eventually(
    async () => {
      const { body } = await api.post(`${path}${marker}/run/`, { refresh: "force" });
      const { results } = z.object({ results: z.array(z.tuple([z.string()])) }).parse(body);
      expect(results).toHaveLength(count);
      return results.map(([text]) => Stored.parse(JSON.parse(text)));
    },
    { everyMs: 100 },
  );
};

const issueOf = async ({ $exception_issue_id }: Stored) => (await api.get(`${base}/issues/${$exception_issue_id}/`)).body;

const sendByHand = async (...events: readonly object[]): Promise<void> => {
  const body = JSON.stringify({ api_key: tenant.projectToken, batch: events });
  expect((await fetch(`${platform().baseUrl}/batch/`, { method: "POST", body })).status).toBe(200);
};

class CartError extends Error {
  override readonly name = "CartError";
}

describe("captureException of the posthog-node SDK, unmodified", () => {
  it("makes one issue of an error that is caught twice: fingerprint, frames, release and severity are right", async () => {
    const { body } = await api.post(`${base}/releases/`, { version: "1.4.2", project: "shop", hash_id: "shop-1.4.2" });
    const release = z.looseObject({ id: z.string() }).parse(body);
    const { client, all } = telling();
    const failed = () => new CartError("cart is empty");
    for (const $release_id of ["shop-1.4.2", release.id]) client.captureException(failed(), "ana", { marker: "handled", $release_id });
    const [first] = await all();
    const stored = await storedOf("handled", 2);
    expect(new Set(stored.map(({ $exception_issue_id }) => $exception_issue_id)).size).toBe(1);
    for (const each of stored) {
      expect(each).toMatchObject({
        $exception_fingerprint: first && fingerprintOf(first),
        $exception_fingerprint_version: "v1",
        $exception_handled: true,
        $exception_types: ["CartError"],
        $exception_release: release,
      });
      expect(await issueOf(each)).toMatchObject({ name: "CartError", description: "cart is empty", severity: "low", status: "active" });
    }
    const frames = first?.$exception_list[0]?.stacktrace?.frames ?? [];
    const [own] = frames.filter(isOwn).slice(-1);
    expect(own).toMatchObject({ filename: "test/clients/exceptions.test.ts", context_line: expect.stringContaining("new CartError") });
    const found = await api.post(`${base}/stack_frames/batch_get/`, { raw_ids: frames.map(rawIdOf) });
    const { results } = z.object({ results: z.array(z.looseObject({ raw_id: z.string() })) }).parse(found.body);
    expect(results.map(({ raw_id }) => raw_id).sort()).toEqual([...new Set(frames.map(rawIdOf))].sort());
    expect(results.find(({ raw_id }) => own !== undefined && raw_id === rawIdOf(own))).toMatchObject({
      resolved: true,
      contents: { mangled_name: own?.function, source: own?.filename, line: own?.lineno, lang: "javascript", in_app: true },
      context: { line: { number: own?.lineno, line: own?.context_line } },
      release,
    });
  });

  it("keeps a chain of causes in order, and tells it from the same error without them", async () => {
    const { client, all } = telling();
    const failed = (cause?: Error) => new Error("checkout failed", { cause });
    client.captureException(failed(new TypeError("no cart", { cause: new RangeError("0 items") })), "ana", { marker: "chain" });
    client.captureException(failed(), "ana", { marker: "chain" });
    const sent = await all();
    const stored = await storedOf("chain", 2);
    expect(stored.map(({ $exception_fingerprint }) => $exception_fingerprint).sort()).toEqual(sent.map(fingerprintOf).sort());
    const chain = stored.find(({ $exception_types }) => Array.isArray($exception_types) && $exception_types.length === 3);
    expect(chain).toMatchObject({
      $exception_types: ["Error", "TypeError", "RangeError"],
      $exception_values: ["checkout failed", "no cart", "0 items"],
      $exception_list: [{ type: "Error" }, { type: "TypeError", mechanism: { type: "chained", source: "cause" } }, { type: "RangeError" }],
    });
    expect(new Set(stored.map(({ $exception_issue_id }) => $exception_issue_id)).size).toBe(2);
    expect(chain && (await issueOf(chain))).toMatchObject({ name: "Error", description: "checkout failed", severity: null });
  });

  it("of a minified program, whose map was uploaded, comes out as the sources' names and lines", async () => {
    const chunk = "0197c7f2-6f0e-7c1e-9a8f-5d1b8f6f9e14";
    const built = await buildShop(chunk);
    await uploadSets(api, tenant.projectId, { [chunk]: sourceAndMap(built) });
    const folder = await mkdtemp(join(tmpdir(), "shop-"));
    await writeFile(join(folder, "app.cjs"), built.code);
    const program = `
      import { createRequire } from "node:module";
      import { PostHog } from "posthog-node";
      const client = new PostHog(process.env.TOKEN, { host: process.env.HOST });
      createRequire(import.meta.url)(process.env.PROGRAM);
      try { shop.noPrice(); } catch (error) { client.captureException(error, "ana", { marker: "minified" }); }
      await client.shutdown();`;
    const environment = { ...process.env, TOKEN: tenant.projectToken, HOST: platform().baseUrl, PROGRAM: join(folder, "app.cjs") };
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], { env: environment, stdio: "ignore" });
    expect(await once(child, "exit")).toEqual([0, null]);
    await rm(folder, { recursive: true });
    const [stored] = await storedOf("minified", 1);
    expect(stored).toMatchObject({
      $exception_types: ["TypeError"],
      $exception_functions: expect.arrayContaining(["noPrice", "handlePay", "pay", "total", "addPrice"]),
      $exception_sources: expect.arrayContaining(["src/checkout.ts", "src/cart.ts"]),
    });
    expect(stored && (await issueOf(stored))).toMatchObject({ name: "TypeError", description: "no price" });
  });

  it("tells of what nobody caught before its process ends", async () => {
    const program = `
      import { PostHog } from "posthog-node";
      const client = new PostHog(process.env.TOKEN, { host: process.env.HOST, enableExceptionAutocapture: true, before_send: (event) => ({ ...event, properties: { ...event.properties, marker: "unhandled" } }) });
      setTimeout(() => { throw new ReferenceError("nobody cares"); }, 1);`;
    const environment = { ...process.env, TOKEN: tenant.projectToken, HOST: platform().baseUrl };
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], { env: environment, stdio: "ignore" });
    expect(await once(child, "exit")).toEqual([1, null]);
    const [stored] = await storedOf("unhandled", 1);
    expect(stored).toMatchObject({
      $exception_handled: false,
      $exception_list: [{ mechanism: { type: "onuncaughtexception", handled: false } }],
    });
    expect(stored && (await issueOf(stored))).toMatchObject({
      name: "ReferenceError",
      description: "nobody cares",
      severity: "critical",
    });
  });
});

describe("exceptions sent by hand", () => {
  const exception = (marker: string, item: object) => ({
    event: "$exception",
    distinct_id: "ana",
    timestamp: "2026-03-01T10:00:00Z",
    properties: { marker, $lib: "web", $exception_list: [item] },
  });
  const raw = (...frames: readonly object[]) => ({ stacktrace: { type: "raw", frames } });
  const python = { platform: "python", filename: "app/views.py", module: "app.views", function: "checkout", lineno: 42, in_app: true };
  const minified = { platform: "web:javascript", filename: "https://shop.test/static/app.min.js", function: "t", lineno: 1, colno: 4321 };

  it.each([
    [
      "no-stack",
      { type: "TypeError", value: "Cannot read properties of undefined (reading 'map')" },
      "b60c4ee338dd967b8f2c26e15285b04f0418ba8d39554a985020bc515100307705d70e19c4c132e6ca883c6ecddaef65d59a04bd8ff808781226ccf7ae6a5ac3",
      ["Exception Type", "Exception Message"],
    ],
    [
      "python-frame",
      { type: "ValueError", value: "cart is empty", ...raw(python) },
      "f9ea5193e67255f1ad572dcd8642e462e1d432e2733852847c0ba395a3e388e7559ae925f5346761a4eb6cb46af65551eb0028b04ed8c3dc57048130504cac55",
      ["Source file name", "Module name", "Resolved function name"],
    ],
    [
      "minified-frame",
      { type: "Error", value: "x", ...raw(minified) },
      "88cf2f8d178bf054d96130e6816ea8deee31ef1541b3957dbf6e72776be627b651e1ad1f44c3d170bff22b80e94a082ea1e8b7bffd8104e23e4ec26845980396",
      ["Source file name", "Mangled function name", "Line number", "Column number", "Language"],
    ],
  ])(
    "of %s have the fingerprint that they have everywhere, and their issue says of what it is made",
    async (marker, item, fingerprint, pieces) => {
      await sendByHand(exception(marker, item));
      const [stored] = await storedOf(marker, 1);
      expect(stored?.$exception_fingerprint).toBe(fingerprint);
      const issue = `${base}/issues/${stored?.$exception_issue_id}`;
      expect((await api.get(`${base}/fingerprints/resolve/?fingerprint=${fingerprint}`)).body).toMatchObject({
        fingerprint,
        issue_id: stored?.$exception_issue_id,
        first_seen: "2026-03-01T10:00:00Z",
      });
      const { body } = await api.get(`${issue}/grouping/`);
      const { fingerprints } = z
        .object({ fingerprints: z.array(z.looseObject({ record: z.array(z.looseObject({ pieces: z.array(z.string()) })) })) })
        .parse(body);
      expect(fingerprints).toMatchObject([{ fingerprint, how: "automatic", moved: false, rule: null }]);
      expect(fingerprints[0]?.record.at(-1)?.pieces).toEqual(pieces);
    },
  );

  it("keep a minified frame as it was sent, and know a frame with its lines by its raw id", async () => {
    const lines = { context_line: "    total = cart.total()", pre_context: ["def checkout(cart):"], post_context: ["    return total"] };
    await sendByHand(exception("frames", { type: "E", value: "x", ...raw({ ...python, ...lines }, { ...minified, in_app: true }) }));
    const [stored] = await storedOf("frames", 1);
    const raw_id =
      "83782efde9a97e9dfbac07896803a52117b7f0153ebfafaea47d0fddf3648e58b38a498667d7500c7cac785e5a71c0d78c5f2997770dbaec5575496d40b1bad2/0";
    expect(stored).toMatchObject({
      $exception_sources: ["app/views.py", "/static/app.min.js"],
      $exception_functions: ["checkout"],
      $exception_list: [
        {
          stacktrace: {
            type: "resolved",
            frames: [
              { raw_id, resolved: true, resolved_name: "checkout" },
              {
                resolved: false,
                mangled_name: "t",
                line: 1,
                column: 4321,
                source: "/static/app.min.js",
                resolve_failure: expect.any(String),
              },
            ],
          },
        },
      ],
    });
    const found = await api.post(`${base}/stack_frames/batch_get/`, { raw_ids: [raw_id] });
    expect(found.body).toMatchObject({
      results: [
        {
          raw_id,
          resolved: true,
          contents: {
            raw_id,
            mangled_name: "checkout",
            line: 42,
            source: "app/views.py",
            module: "app.views",
            in_app: true,
            lang: "python",
          },
          context: {
            before: [{ number: 41, line: "def checkout(cart):" }],
            line: { number: 42, line: "    total = cart.total()" },
            after: [{ number: 43, line: "    return total" }],
          },
          symbol_set_ref: null,
          release: null,
        },
      ],
    });
  });
});
