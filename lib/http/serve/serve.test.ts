import { describe, expect, it, test } from "vitest";
import * as z from "zod";
import { type Asked, apiWorld, aRequest, ask } from "../../../test/support/worlds/api-world.ts";
import { group, refusal, route } from "../../app/routes.ts";
import { anyone } from "../../auth/access.ts";
import { Unavailable } from "../../core/unavailable.ts";
import { ApiError, bare, throttled } from "../errors.ts";
import { boolean, datetime, integer, text as textField } from "../fields.ts";
import { PageQuery, page, paginated } from "../pagination.ts";
import { empty, json, text } from "../reply.ts";

const Thing = z
  .object({
    name: textField({ max: 5 }),
    count: integer({ min: 1, max: 9 }).optional(),
    on: boolean().optional(),
    at: datetime().optional(),
  })
  .extend({
    nested: z.object({ kind: z.enum(["a", "b"]) }).optional(),
    either: z.discriminatedUnion("kind", [z.object({ kind: z.literal("a") }), z.object({ kind: z.literal("b") })]).optional(),
    tags: z.array(z.string().max(3)).optional(),
    labels: z.record(z.string(), z.string()).optional(),
    items: z.array(z.object({ n: z.int() })).optional(),
  });
/** How the parts of a laptop say that their disk is full, word for word. */
const FULL_DISKS: Readonly<Record<string, Error>> = {
  table: Object.assign(
    new Error(
      "commit failed (backend: database or disk is full) and rollback also failed (backend: cannot rollback - no transaction is active)",
    ),
    { name: "InternalServerError" },
  ),
  engine: new Error('IO Error: Could not write file "/data/spill/duckdb_temp_storage_DEFAULT-0.tmp": No space left on device'),
  objects: new Error("the file was not written", { cause: new Error("ENOSPC: no space left on device, write") }),
};

const shared = { tags: ["t"], summary: "A thing", access: anyone } as const;

const things = group({
  name: "things",
  gateway: "management",
  uses: {},
  routes: [
    route({
      ...shared,
      method: "GET",
      path: "/api/things/",
      query: PageQuery.extend({ search: z.string().optional() }),
      reply: json(200, paginated(z.object({ n: z.int() }))),
      async handle({ query, request }) {
        const all = Array.from({ length: 250 }, (_, n) => ({ n, secret: "not declared" }));
        return page(request, query, all.length, all.slice(query.offset, query.offset + query.limit));
      },
    }),
    route({
      ...shared,
      method: "POST",
      path: "/api/things/",
      body: Thing,
      reply: json(201, z.object({ got: z.unknown() })),
      handle: async ({ body }) => ({ got: body }),
    }),
    route({
      ...shared,
      method: "GET",
      path: "/api/things/{id}/",
      query: z.object({ version: integer({ min: 1 }).optional() }),
      reply: json(200, z.object({ id: z.string(), version: z.int().optional() })),
      handle: async ({ params, query }) => ({ id: params.id, ...(query.version !== undefined && { version: query.version }) }),
    }),
    route({
      ...shared,
      method: "PATCH",
      path: "/api/things/{id}/",
      body: z.strictObject({ name: z.string() }),
      bodyErrors: "parse",
      reply: empty(204),
      async handle() {},
    }),
    route({
      ...shared,
      method: "POST",
      path: "/api/things/{id}/run/",
      body: z.strictObject({
        refresh: z.enum(["cache"]).optional(),
        limit: z.int().nullish(),
        debug: z.boolean().nullish(),
        deep: z.object({ n: z.int() }).optional(),
      }),
      bodyErrors: "dotted",
      reply: empty(204),
      async handle() {},
    }),
    refusal({ ...shared, method: "DELETE", path: "/api/things/{id}/", body: null }),
    route({
      ...shared,
      method: "GET",
      path: "/api/fails/{how}/",
      reply: json(200, z.object({ n: z.int() })),
      async handle({ params }) {
        if (params.how === "bare") throw bare(404, { error: "Version 9 not found" });
        if (params.how === "throttled") throw throttled(0.2);
        if (params.how === "stopping") throw new Unavailable("The platform is being stopped.");
        if (params.how in FULL_DISKS) throw FULL_DISKS[params.how];
        if (params.how === "wrong") return JSON.parse('{"n":"no number"}');
        throw new Error("a secret of ours");
      },
    }),
    route({ ...shared, method: "GET", path: "/api/page/", reply: text(200, "text/html"), handle: async () => "<p>" }),
  ],
});

const call = (method: string, target: string, asked?: Asked) => ask(things, apiWorld().world, method, target, asked);
const posted = (body: unknown, headers: Readonly<Record<string, string>> = {}) => call("POST", "/api/things/", { body, headers });
const envelope = (type: string, code: string, detail: string, attr: string | null = null) => ({ type, code, detail, attr });
const field = (code: string, detail: string, attr: string | null) => envelope("validation_error", code, detail, attr);

describe("200", () => {
  it("answers with and without the final slash alike", async () => {
    const [with_, without] = [await call("GET", "/api/things/7/"), await call("GET", "/api/things/7")];
    expect(without).toEqual(with_);
    expect(with_.json).toEqual({ id: "7" });
  });
  it("sends only what the reply declares", async () => {
    expect(String((await call("GET", "/api/things/?limit=1")).body)).not.toContain("not declared");
  });
  it("decodes holes and matches literals however they are escaped", async () => {
    expect((await call("GET", "/api/th%69ngs/a%2Fb%20c/")).json).toEqual({ id: "a/b c" });
  });
  it("answers HEAD as GET without a body", async () => {
    const head = await call("HEAD", "/api/things/7/");
    expect([head.status, head.body]).toEqual([200, ""]);
  });
  it("says what lies at a path to OPTIONS", async () => {
    const reply = await call("OPTIONS", "/api/things/");
    expect(reply.status).toBe(200);
    expect(reply.headers.allow).toBe("GET, POST, HEAD, OPTIONS");
    expect(reply.json).toMatchObject({
      renders: ["application/json"],
      parses: ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"],
    });
  });
  it("lets any page call: preflight and plain requests carry the header", async () => {
    const preflight = await call("OPTIONS", "/api/things/", {
      headers: { origin: "https://a.example", "access-control-request-method": "POST" },
    });
    expect([preflight.status, preflight.headers["access-control-allow-origin"], preflight.headers["access-control-allow-methods"]]).toEqual(
      [200, "*", "GET, POST, HEAD, OPTIONS"],
    );
    expect((await call("GET", "/api/things/7/", { headers: { origin: "https://a.example" } })).headers["access-control-allow-origin"]).toBe(
      "*",
    );
    expect((await call("GET", "/api/things/7/")).headers).not.toHaveProperty("access-control-allow-origin");
  });
});

describe("bodies", () => {
  it("reads JSON, forms and multipart forms through the same validation", async () => {
    const got = { name: "ab", count: 3, on: true, at: Date.UTC(2026, 0, 1) };
    const fields = { name: "ab", count: "3", on: "true", at: "2026-01-01T00:00:00Z" };
    const form = new Response(new URLSearchParams(fields));
    const data = new FormData();
    for (const [name, value] of Object.entries(fields)) data.append(name, value);
    const multipart = new Response(data);
    const sent = [
      await posted({ ...fields, unknown: 1 }, { "content-type": "application/json; charset=utf-8" }),
      await posted(await form.text(), { "content-type": "application/x-www-form-urlencoded" }),
      await posted(new Uint8Array(await multipart.arrayBuffer()), { "content-type": multipart.headers.get("content-type") ?? "" }),
    ];
    expect(sent.map((reply) => [reply.status, reply.json])).toEqual(sent.map(() => [201, { got }]));
  });
  it("counts an absent boolean of a form as false, and collects repeated names where a list is wanted", async () => {
    const reply = await posted("name=a&name=b&tags=x&tags=y", { "content-type": "application/x-www-form-urlencoded" });
    expect(reply.json).toEqual({ got: { name: "b", on: false, tags: ["x", "y"] } });
  });
  it("takes the last of two equal keys, and numbers where text is meant", async () => {
    expect((await posted('{"name":"a","name":5}')).json).toEqual({ got: { name: "5" } });
  });
  it("never treats the key of the caller as a field", async () => {
    expect((await call("PATCH", "/api/things/7/", { body: { name: "a", personal_api_key: "phx_1" } })).status).toBe(204);
  });
  it("reads an empty body as an empty object", async () => {
    expect((await posted("")).json).toEqual(field("required", "This field is required.", "name"));
    expect((await call("POST", "/api/things/")).json).toEqual(field("required", "This field is required.", "name"));
  });
});

describe("400", () => {
  test.each([
    [{}, "required", "This field is required.", "name"],
    [{ name: null }, "null", "This field may not be null.", "name"],
    [{ name: "" }, "blank", "This field may not be blank.", "name"],
    [{ name: "  " }, "blank", "This field may not be blank.", "name"],
    [{ name: "abcdef" }, "max_length", "Ensure this field has no more than 5 characters.", "name"],
    [{ name: {} }, "invalid_input", "Not a valid string.", "name"],
    [{ name: true }, "invalid_input", "Not a valid string.", "name"],
    [{ name: "a", count: 10 }, "max_value", "Ensure this value is less than or equal to 9.", "count"],
    [{ name: "a", count: 1e30 }, "max_value", "Ensure this value is less than or equal to 9.", "count"],
    [{ name: "a", count: "-99999999999999999999" }, "min_value", "Ensure this value is greater than or equal to 1.", "count"],
    [{ name: "a", count: 0 }, "min_value", "Ensure this value is greater than or equal to 1.", "count"],
    [{ name: "a", count: "1.5" }, "invalid_input", "A valid integer is required.", "count"],
    [{ name: "a", on: "maybe" }, "invalid_input", "Must be a valid boolean.", "on"],
    [{ name: "a", nested: { kind: "z" } }, "invalid_choice", '"z" is not a valid choice.', "nested__kind"],
    ['{"name":"a","nested":{"kind":1e400}}', "invalid_choice", '"Infinity" is not a valid choice.', "nested__kind"],
    [{ name: "a", either: { kind: "z", other: 1 } }, "invalid_choice", '"z" is not a valid choice.', "either__kind"],
    [{ name: "a", either: {} }, "required", "This field is required.", "either__kind"],
    [{ name: "a", either: { kind: null } }, "null", "This field may not be null.", "either__kind"],
    [{ name: "a", either: 5 }, "invalid_input", "Invalid data. Expected a dictionary, but got int.", "either__non_field_errors"],
    [{ name: "a", nested: [] }, "invalid_input", "Invalid data. Expected a dictionary, but got list.", "nested__non_field_errors"],
    [{ name: "a", tags: ["a", "abcd"] }, "max_length", "Ensure this field has no more than 3 characters.", "tags__1"],
    [{ name: "a", tags: "abc" }, "not_a_list", 'Expected a list of items but got type "str".', "tags"],
    [{ name: "a", labels: [] }, "not_a_dict", 'Expected a dictionary of items but got type "list".', "labels"],
    [{ name: "a", items: [{ n: 1 }, { n: "x" }] }, "invalid_input", "A valid integer is required.", "items__1__n"],
    [[], "invalid_input", "Invalid data. Expected a dictionary, but got list.", null],
    ["null", "null", "No data provided", null],
  ])("names the first field that is wrong: %j", async (body, code, detail, attr) => {
    const reply = await posted(body);
    expect([reply.status, reply.json]).toEqual([400, field(code, detail, attr)]);
  });
  it("begins a datetime's complaint as the contract does", async () => {
    expect((await posted({ name: "a", at: "yesterday" })).json).toMatchObject({
      code: "invalid_input",
      attr: "at",
      detail: expect.stringMatching(/^Datetime has wrong format\./),
    });
  });
  test.each([
    ["a syntax error", "{"],
    ["a byte order mark", "\u{feff}{}"],
    ["only a byte order mark", "\u{feff}"],
    ["bad UTF-8", new Uint8Array([0x22, 0xff, 0x22])],
    ["a gzipped body", new Uint8Array([0x1f, 0x8b, 0x08, 0x00])],
    ["129 levels", "[".repeat(129) + "]".repeat(129)],
    ["ten thousand levels", "[".repeat(10_000)],
    ["a key that reaches for the prototype", '{"__proto__":{}}'],
  ])("answers parse_error to %s", async (_, body) => {
    const reply = await posted(body);
    expect([reply.status, reply.json]).toEqual([
      400,
      envelope("invalid_request", "parse_error", expect.stringMatching(/^JSON parse error - \S/)),
    ]);
  });
  it("says where a body stops being JSON, and nothing of what it holds", async () => {
    const reply = await posted('{\n  "name": secret\n}');
    expect(reply.json).toMatchObject({ detail: "JSON parse error - The text is not valid JSON (line 2, column 11)." });
  });
  it.each(['{\n"__proto__":{}}', '{"a":[{"\\u005f_proto__":1}]}', '{"constructor":{"prototype":1}}'])(
    "says of JSON with a key that reaches for the prototype that it is the key: %s",
    async (body) => {
      const reply = await posted(body);
      expect(reply.json).toMatchObject({
        detail:
          "JSON parse error - No key may be called `__proto__`, and none that is called `constructor` may hold a `prototype`: leave that key out or rename it.",
      });
    },
  );
  it("reads numbers and booleans of a form also where JSON may not send them as text", async () => {
    const run = (body: string, type: string) => call("POST", "/api/things/7/run/", { body, headers: { "content-type": type } });
    const form = "application/x-www-form-urlencoded";
    expect((await run("limit=1&debug=true", form)).status).toBe(204);
    for (const [body, attr] of [
      ["limit=1.5", "limit"],
      ["limit=ten", "limit"],
      ["debug=maybe", "debug"],
    ] as const) {
      expect((await run(body, form)).json).toMatchObject({ code: "invalid_input", attr });
    }
    expect((await run('{"limit":"1"}', "application/json")).json).toMatchObject({ code: "invalid_input", attr: "limit" });
    expect((await run('{"debug":"true"}', "application/json")).json).toMatchObject({ code: "invalid_input", attr: "debug" });
  });

  it("tells whoever sends JSON as a form how to send it", async () => {
    const reply = await posted('{"name": "a"}', { "content-type": "application/x-www-form-urlencoded" });
    expect([reply.status, reply.json]).toEqual([
      400,
      envelope("invalid_request", "parse_error", expect.stringContaining("send `Content-Type: application/json`")),
    ]);
  });
  it("answers parse_error to a multipart form without a boundary", async () => {
    expect((await posted("x", { "content-type": "multipart/form-data" })).json).toMatchObject({
      type: "invalid_request",
      code: "parse_error",
    });
  });
  it("answers an unknown or wrong key as a parse error where the route says so", async () => {
    const reply = await call("PATCH", "/api/things/7/", { body: { name: "a", other: 1 } });
    expect(reply.json).toEqual(envelope("invalid_request", "parse_error", 'JSON parse error - other: Unexpected field "other".'));
    expect((await call("PATCH", "/api/things/7/", { body: { name: 1 } })).json).toMatchObject({ code: "parse_error", attr: null });
  });
  it("names an unknown key, and a nested one with dots, where the route says so", async () => {
    const at = async (body: unknown) => (await call("POST", "/api/things/7/run/", { body })).json;
    expect(await at({ query_override: 1 })).toMatchObject({ type: "validation_error", code: "invalid_input", attr: "query_override" });
    expect(await at({ deep: { n: "x" } })).toMatchObject({ code: "invalid_input", attr: "deep.n" });
    expect(await at({ refresh: "z" })).toMatchObject({ code: "invalid_input", attr: "refresh" });
  });
  it("cuts names that were sent, so that what is wrong with them fits into an answer", async () => {
    const name = '"'.repeat(300_000);
    const cut = `${'"'.repeat(200)}…`;
    const at = async (method: string, path: string, body: unknown) => (await call(method, path, { body })).json;
    expect(await at("POST", "/api/things/7/run/", { [name]: 1 })).toEqual(field("invalid_input", `Unexpected field "${cut}".`, cut));
    expect(await at("POST", "/api/things/7/run/", { [name]: "\ud800" })).toMatchObject({ code: "invalid_input", attr: cut });
    expect(await at("PATCH", "/api/things/7/", { name: "a", [name]: 1 })).toMatchObject({
      detail: `JSON parse error - ${cut}: Unexpected field "${cut}".`,
    });
  });
  it("checks query parameters like fields", async () => {
    expect((await call("GET", "/api/things/7/?version=x")).json).toEqual(field("invalid_input", "A valid integer is required.", "version"));
    expect((await call("GET", "/api/things/7/?version=x&version=2")).json).toEqual({ id: "7", version: 2 });
  });
});

describe("404", () => {
  it("tells an unknown path from an unknown thing", async () => {
    for (const path of ["/api/other/", "/api/things/1/2/3/", "/api/things//", "/api/things/%zz/", "/"]) {
      const reply = await call("GET", path);
      expect([path, reply.status, reply.json]).toEqual([path, 404, envelope("invalid_request", "not_found", "Endpoint not found.")]);
    }
  });
  it.each([
    ["application/json;q=0", 406],
    ["application/json;q=0, */*", 406],
    ["*/*;q=0", 406],
    ["*/*;q=0, application/json", 200],
    ["text/html, */*;q=0.1", 200],
    ["application/json; q=0.000", 406],
  ])("takes the quality of Accept: %s into account", async (accept, status) => {
    expect((await call("GET", "/api/things/7/", { headers: { accept } })).status).toBe(status);
  });
  it("answers ?format= of another kind", async () => {
    expect((await call("GET", "/api/things/7/?format=xml")).json).toEqual(envelope("invalid_request", "not_found", "Not found."));
    expect((await call("GET", "/api/things/7/?format=json")).status).toBe(200);
  });
  it("sends a body of its own where the contract has one", async () => {
    const reply = await call("GET", "/api/fails/bare/");
    expect([reply.status, reply.json]).toEqual([404, { error: "Version 9 not found" }]);
  });
});

describe("405", () => {
  it("names the methods that a path offers", async () => {
    const reply = await call("PUT", "/api/things/7/");
    expect([reply.status, reply.headers.allow, reply.json]).toEqual([
      405,
      "GET, PATCH, DELETE, HEAD, OPTIONS",
      envelope("invalid_request", "method_not_allowed", 'Method "PUT" not allowed.'),
    ]);
  });
  it("has no body where a method is offered to be refused", async () => {
    const reply = await call("DELETE", "/api/things/7/");
    expect([reply.status, reply.headers.allow, reply.body]).toEqual([405, "GET, PATCH, DELETE, HEAD, OPTIONS", ""]);
  });
  it("does not take HEAD where there is no GET", async () => {
    expect((await call("HEAD", "/api/things/7/run/")).status).toBe(405);
  });
});

describe("406", () => {
  test.each(["application/xml", "text/html", "text/html, image/png;q=0.9"])("is the answer to Accept: %s", async (accept) => {
    const reply = await call("GET", "/api/things/7/", { headers: { accept } });
    expect([reply.status, reply.json]).toEqual([
      406,
      envelope("invalid_request", "not_acceptable", "Could not satisfy the request Accept header."),
    ]);
  });
  test.each(["*/*", "application/json", "application/*", "", "text/html, */*;q=0.1", "application/json; indent=4"])(
    "is not the answer to Accept: %s",
    async (accept) => {
      expect((await call("GET", "/api/things/7/", { headers: { accept } })).status).toBe(200);
    },
  );
  it("is never the answer of an operation that sends text", async () => {
    expect((await call("GET", "/api/page/", { headers: { accept: "text/html" } })).body).toBe("<p>");
  });
});

describe("413 and 415", () => {
  it("refuses more than 4 MiB", async () => {
    const reply = await posted(`"${"a".repeat(4 * 1024 * 1024)}"`);
    expect([reply.status, reply.json]).toEqual([413, envelope("invalid_request", "payload_too_large", expect.any(String))]);
  });
  it("refuses more values than a parser should make", async () => {
    expect((await posted(`[${"1,".repeat(300_001)}1]`)).json).toMatchObject({
      type: "invalid_request",
      code: "payload_too_large",
      attr: null,
    });
  });
  it("refuses a media type that it does not read, naming it", async () => {
    const reply = await posted("x", { "content-type": "text/plain" });
    expect([reply.status, reply.json]).toEqual([
      415,
      envelope("invalid_request", "unsupported_media_type", 'Unsupported media type "text/plain" in request.'),
    ]);
    expect((await posted("{}", { "content-type": "" })).json).toMatchObject({ detail: 'Unsupported media type "" in request.' });
  });
});

describe("429", () => {
  it("says in whole seconds when to come again", async () => {
    const reply = await call("GET", "/api/fails/throttled/");
    expect([reply.status, reply.headers["retry-after"], reply.json]).toEqual([
      429,
      "1",
      envelope("throttled_error", "throttled", "Request was throttled. Expected available in 1 second."),
    ]);
    expect(new ApiError(429, throttled(59.1).body).message).toBe("Request was throttled. Expected available in 60 seconds.");
  });
});

describe("503", () => {
  it.each([...Object.keys(FULL_DISKS), "stopping"])("answers what nobody can be given now so, and tells the log why: %s", async (how) => {
    const { world, log } = apiWorld();
    const reply = await ask(things, world, "GET", `/api/fails/${how}/`);
    expect([reply.status, reply.headers["retry-after"]]).toEqual([503, "5"]);
    expect(reply.json).toEqual(
      envelope("server_error", "service_unavailable", "The service cannot answer this now. Try again in a moment."),
    );
    expect(log.lines.at(-1)).toMatchObject({ level: "error", event: "request", fields: { status: 503 } });
    expect(Object(log.lines.at(-1)?.fields).fault).toMatch(/disk is full|no space left on device|being stopped/i);
  });
});

describe("500", () => {
  it("tells the caller nothing and the log everything", async () => {
    const { world, log } = apiWorld();
    const reply = await ask(things, world, "GET", "/api/fails/now/");
    expect([reply.status, reply.json]).toEqual([
      500,
      { ...envelope("server_error", "error", "A server error occurred."), error_event_id: "request-1" },
    ]);
    expect(log.lines).toMatchObject([{ level: "error", fields: { status: 500, fault: "Error: a secret of ours" } }]);
  });
  it("is the answer when a reply does not fit its own declaration", async () => {
    expect((await call("GET", "/api/fails/wrong/")).status).toBe(500);
  });
});

describe("the log", () => {
  it("gets one line a request, with nothing of key, query or body in it", async () => {
    const { world, log } = apiWorld();
    await things.serve(aRequest("POST", "/api/things/?personal_api_key=phx_query", { key: "phx_header", body: { name: "a@b.c" } }), world);
    expect(log.lines).toHaveLength(1);
    expect(log.lines[0]).toMatchObject({
      level: "info",
      event: "request",
      fields: { request_id: "request-1", route: "POST /api/things/", status: 201, duration_ms: 0 },
    });
    expect(JSON.stringify(log.lines)).not.toMatch(/phx_|a@b/);
  });
  it("names the path of what it refused, without query, keys and addresses", async () => {
    const { world, log } = apiWorld();
    await things.serve(aRequest("GET", `/api/nothing/phx_path/a@b.c/${"aB-_0".repeat(9)}/\u009b2J?q=query`, {}), world);
    await things.serve(aRequest("POST", "/api/things/?q=query", {}), world);
    expect(log.lines).toMatchObject([
      { fields: { status: 404, method: "GET", path: "/api/nothing/…/…/…/?2J" } },
      { fields: { status: 400, method: "POST", path: "/api/things/" } },
    ]);
    expect(JSON.stringify(log.lines)).not.toMatch(/phx_|a@b|aB-|query/);
  });
});

describe("pages", () => {
  const at = async (query: string) =>
    (await call("GET", `/api/things/${query}`)).json as {
      count: number;
      next: string | null;
      previous: string | null;
      results: readonly { n: number }[];
    };
  test.each([
    ["", 100],
    ["?limit=0", 100],
    ["?limit=-1", 100],
    ["?limit=", 100],
    ["?limit=abc", 100],
    ["?limit=1.5", 100],
    ["?limit=1000", 250],
    ["?limit=2&offset=-5", 2],
    ["?limit=2&offset=x", 2],
  ])("%s gives %i rows from the first on", async (query, rows) => {
    const { count, results } = await at(query);
    expect([count, results.length, results[0]?.n]).toEqual([250, rows, 0]);
  });
  it("links its neighbours: other parameters kept, names in order, spaces as +, no offset of 0", async () => {
    expect((await at("?search=a%20b&limit=2")).next).toBe("https://api.example.org/api/things/?limit=2&offset=2&search=a+b");
    expect((await at("?search=a%20b&limit=2")).previous).toBeNull();
    expect((await at("?offset=2&limit=2")).previous).toBe("https://api.example.org/api/things/?limit=2");
    expect((await at("?offset=1")).previous).toBe("https://api.example.org/api/things/?limit=100");
    expect((await at("?offset=300")).results).toEqual([]);
    expect(await at("?offset=300")).toMatchObject({
      count: 250,
      next: null,
      previous: "https://api.example.org/api/things/?limit=100&offset=200",
    });
  });
  it("keeps a key that is in the query, so that who follows a link is let in as who asked", async () => {
    expect((await at("?limit=2&personal_api_key=phx_1")).next).toBe(
      "https://api.example.org/api/things/?limit=2&offset=2&personal_api_key=phx_1",
    );
  });
});

describe("what stands around an operation", () => {
  const seen: unknown[] = [];
  const middle = group({
    name: "middle",
    gateway: "management",
    uses: {},
    routes: [
      route({
        ...shared,
        method: "POST",
        path: "/api/around/{id}/",
        body: z.object({ n: z.int() }),
        reply: json(200, z.object({ n: z.int() })),
        async find({ params }) {
          if (params.id === "none") throw bare(404, null);
          return `found ${params.id}`;
        },
        async around({ found }, next) {
          try {
            return await next();
          } catch (error) {
            seen.push(found, error instanceof ApiError && error.status);
            throw error;
          }
        },
        async handle({ body, found }) {
          seen.push(found);
          if (body.n === 0) throw bare(409, null);
          return body;
        },
      }),
    ],
  });
  it.each([
    ["7", { n: 1 }, 200, ["found 7"]],
    ["7", { n: "x" }, 400, ["found 7", 400]],
    ["7", { n: 0 }, 409, ["found 7", "found 7", 409]],
    ["none", { n: "x" }, 404, []],
    ["7", "{", 400, ["found 7", 400]],
    ["none", "{", 400, []],
  ])(
    "of %s with %o answers %i after what is found, and sees what is thrown of its input and its handler",
    async (id, body, status, told) => {
      seen.length = 0;
      expect((await ask(middle, apiWorld().world, "POST", `/api/around/${id}/`, { body })).status).toBe(status);
      expect(seen).toEqual(told);
    },
  );
});

describe("types", () => {
  it("knows the holes of a path and the shape of a reply when it compiles", () => {
    route({
      ...shared,
      method: "GET",
      path: "/api/x/{id}/",
      reply: json(200, z.object({ n: z.int() })),
      async handle({ params }) {
        // @ts-expect-error the path has no such hole
        void params.other;
        return { n: params.id.length };
      },
    });
    // @ts-expect-error the reply must fit its schema
    route({ ...shared, method: "GET", path: "/api/x/{id}/", reply: json(200, z.object({ n: z.int() })), handle: async () => ({ n: "1" }) });
  });
});
