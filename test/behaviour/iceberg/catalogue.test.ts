import { describe, expect, it } from "vitest";
import { iceberg } from "../../../functions/iceberg/group.ts";
import type { World } from "../../../lib/app/world.ts";
import { Unavailable } from "../../../lib/core/unavailable.ts";
import { publicationItem } from "../../../lib/lake/published.ts";
import { AccessGrants } from "../../../lib/organizations/access-grants.ts";
import { Organizations } from "../../../lib/organizations/organizations.ts";
import { readConfig } from "../../../lib/ports/config.ts";
import type { FileAccess } from "../../../lib/ports/file-access.ts";
import { put } from "../../../lib/table/store.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import {
  type Asked,
  aHousehold,
  aMembership,
  anOrganization,
  aPersonalKey,
  aProject,
  apiWorld,
  aSecretKey,
  ask,
  aUser,
} from "../../support/worlds/api-world.ts";

/** Longer than a number of JavaScript: whoever reads it as one gives out another. */
const SNAPSHOT = "7341998217283645519";
const KEYS = { accessKeyId: "ASIA", secretAccessKey: "secret", sessionToken: "session", expiresAt: 1_800_000_000_000 };

/** A store that vends credentials, and notes for what. */
const vendingStore = () => {
  const vended: { readonly prefixes: readonly string[]; readonly reader: string }[] = [];
  const fileAccess: FileAccess = {
    store: { region: "eu-west-1" },
    async vend(prefixes, reader) {
      vended.push({ prefixes, reader });
      return KEYS;
    },
  };
  return { vended, fileAccess };
};

/** Households 1 and 2 with a project each, of which 1 has published its events. */
const setup = async (parts: Partial<World> = {}) => {
  const { vended, fileAccess } = vendingStore();
  const { world } = apiWorld({ objects: memoryObjects(), fileAccess, ...parts });
  const home = await aHousehold(world, 1);
  const away = await aHousehold(world, 2);
  const key = "iceberg/project=1/events/metadata/00001.metadata.json";
  await world.objects.put(key, Buffer.from(`{"format-version":2,"current-snapshot-id":${SNAPSHOT}}`));
  await world.table.put(publicationItem(1, { table: "events", metadata: key, snapshot: 1, at: 0, state: "", reads: [] }));
  const call = (path: string, asked: Asked = {}, method = "GET") =>
    ask(iceberg, world, method, `/iceberg/v1/${path}`, { key: home.key, ...asked });
  return { world, home, away, vended, call };
};

const errorOf = (type: string, code: number) => ({ error: { message: expect.stringMatching(/\w \w/), type, code } });
const withoutKey: Asked = { headers: { authorization: "" } };

describe("who may read", () => {
  const paths = [
    "config",
    "namespaces",
    "namespaces/project_1",
    "namespaces/project_1/tables",
    "namespaces/project_1/tables/events",
    "nowhere",
  ];

  it.each(paths)("401 without a key, and with one that nobody has: %s", async (path) => {
    const { call } = await setup();
    for (const asked of [withoutKey, { key: "phx_nobody" }]) {
      const { status, json } = await call(path, asked);
      expect([status, json]).toEqual([401, errorOf("NotAuthorizedException", 401)]);
    }
  });

  it.each(paths)("403 with a key that may not query, and with a secret key of the project: %s", async (path) => {
    const { world, home, call } = await setup();
    const keys = [await aPersonalKey(world, home.user, ["endpoint:read"]), await aSecretKey(world, home.project, ["endpoint:read"])];
    for (const key of keys) {
      const { status, json } = await call(path, { key });
      expect([status, json]).toEqual([403, errorOf("ForbiddenException", 403)]);
    }
  });

  it("404 for another tenant's namespace and its tables, as for those that are not there", async () => {
    const { call } = await setup();
    for (const name of ["project_2", "project_3", "project_01", "project_1%1Fevents", "1", "%F0%9F%92%A9"])
      for (const below of ["", "/tables", "/tables/events", "/tables/events/credentials"]) {
        const { status, json } = await call(`namespaces/${name}${below}`);
        expect([name, status, json]).toEqual([name, 404, errorOf("NoSuchNamespaceException", 404)]);
      }
  });

  it("a key of one project sees that one, and a key of one organization its projects", async () => {
    const { world, home, call } = await setup();
    await aProject(world, home.organization, 3);
    const other = await anOrganization(world, { name: "Other", slug: "other" });
    await aProject(world, other, 4);
    await aMembership(world, home.user, other);
    const ofProject = await aPersonalKey(world, home.user, ["query:read"], { teams: [3] });
    const ofOrganization = await aPersonalKey(world, home.user, ["query:read"], { organizations: [other.id] });
    const seen = async (key: string) => {
      const { json } = await call("namespaces", { key });
      const opened = await Promise.all([1, 3, 4].map(async (id) => (await call(`namespaces/project_${id}`, { key })).status));
      return [json, opened];
    };
    expect(await seen(home.key)).toEqual([{ namespaces: [["project_1"], ["project_3"], ["project_4"]] }, [200, 200, 200]]);
    expect(await seen(ofProject)).toEqual([{ namespaces: [["project_3"]] }, [404, 200, 404]]);
    expect(await seen(ofOrganization)).toEqual([{ namespaces: [["project_4"]] }, [404, 404, 200]]);
  });

  it("a member sees no project that is hidden from them, and whom an organization keeps out is told why", async () => {
    const { world, home, call } = await setup();
    const member = await aUser(world, 8);
    await aMembership(world, member, home.organization);
    const key = await aPersonalKey(world, member, ["query:read"]);
    expect((await call("namespaces/project_1", { key })).status).toBe(200);
    const hidden = { project_id: 1, user_id: 8, organization_id: home.organization.id, visible: false, export: null };
    await put(world.table, AccessGrants, AccessGrants.schema.parse(hidden));
    expect((await call("namespaces", { key })).json).toEqual({ namespaces: [] });
    expect((await call("namespaces/project_1", { key })).status).toBe(404);
    await put(world.table, Organizations, { ...home.organization, is_active: false, is_not_active_reason: "Unpaid." });
    expect((await call("namespaces")).json).toEqual({ namespaces: [] });
    const refused = await call("namespaces/project_1");
    expect([refused.status, refused.json]).toEqual([403, { error: { message: "Unpaid.", type: "ForbiddenException", code: 403 } }]);
  });

  it("429 past the rate of a key, with the time to wait", async () => {
    const { call } = await setup();
    const replies = [];
    for (let sent = 0; sent < 481; sent += 1) replies.push(await call("config"));
    expect(replies.slice(0, 480).every(({ status }) => status === 200)).toBe(true);
    expect(replies[480]).toMatchObject({ status: 429, json: errorOf("TooManyRequestsException", 429) });
    expect(Number(replies[480]?.headers["retry-after"])).toBeGreaterThan(0);
  });
});

describe("GET config", () => {
  it("200: tells what there is to ask for, and nothing that writes", async () => {
    const { call } = await setup();
    const { status, json } = await call("config?warehouse=anything");
    expect([status, json]).toEqual([
      200,
      {
        defaults: { "token-refresh-enabled": "false" },
        overrides: {},
        endpoints: [
          "GET /v1/{prefix}/namespaces",
          "GET /v1/{prefix}/namespaces/{namespace}",
          "HEAD /v1/{prefix}/namespaces/{namespace}",
          "GET /v1/{prefix}/namespaces/{namespace}/tables",
          "GET /v1/{prefix}/namespaces/{namespace}/tables/{table}",
          "HEAD /v1/{prefix}/namespaces/{namespace}/tables/{table}",
          "GET /v1/{prefix}/namespaces/{namespace}/tables/{table}/credentials",
          "POST /v1/{prefix}/namespaces/{namespace}/tables/{table}/metrics",
        ],
      },
    ]);
  });
});

describe("namespaces", () => {
  it("200: are listed by pages where a client asks for pages", async () => {
    const { world, home, call } = await setup();
    for (const id of [10, 11]) await aProject(world, home.organization, id);
    const first = await call("namespaces?pageToken=&pageSize=2");
    expect(first.json).toEqual({ namespaces: [["project_1"], ["project_10"]], "next-page-token": "10" });
    const last = await call("namespaces?pageToken=10&pageSize=2");
    expect(last.json).toEqual({ namespaces: [["project_11"]], "next-page-token": null });
    expect((await call("namespaces?pageSize=2")).json).toEqual({ namespaces: [["project_1"], ["project_10"], ["project_11"]] });
  });

  it.each(["pageToken=x", "pageToken=&pageSize=0", "pageToken=&pageSize=many"])("400 for a page that is none: %s", async (query) => {
    const { status, json } = await (await setup()).call(`namespaces?${query}`);
    expect([status, json]).toEqual([400, errorOf("BadRequestException", 400)]);
  });

  it("200: have none below them, and 404 for those below none", async () => {
    const { call } = await setup();
    expect((await call("namespaces?parent=project_1")).json).toEqual({ namespaces: [] });
    expect((await call("namespaces?parent=")).json).toEqual({ namespaces: [["project_1"]] });
    expect((await call("namespaces?parent=project_2")).status).toBe(404);
  });

  it("200: say which project they are; 204 to whoever asks whether they are there", async () => {
    const { call } = await setup();
    const { status, json } = await call("namespaces/project_1/");
    expect([status, json]).toEqual([200, { namespace: ["project_1"], properties: { comment: "Project 1", project_id: "1" } }]);
    expect(await call("namespaces/project_1", {}, "HEAD")).toMatchObject({ status: 204, body: "" });
    expect(await call("namespaces/project_2", {}, "HEAD")).toMatchObject({ status: 404, body: "" });
  });
});

describe("tables", () => {
  it("200: are those that were published; 204 and 404 to whoever asks whether one is there", async () => {
    const { call } = await setup();
    expect((await call("namespaces/project_1/tables")).json).toEqual({ identifiers: [{ namespace: ["project_1"], name: "events" }] });
    expect(await call("namespaces/project_1/tables/events", {}, "HEAD")).toMatchObject({ status: 204, body: "" });
    for (const table of ["persons", "sessions", "events%00"]) {
      const { status, json } = await call(`namespaces/project_1/tables/${table}`);
      expect([table, status, json]).toEqual([table, 404, errorOf("NoSuchTableException", 404)]);
      expect((await call(`namespaces/project_1/tables/${table}`, {}, "HEAD")).status).toBe(404);
    }
  });

  it("404 says whether a table is still to come or nothing is published here", async () => {
    const publishing = readConfig((field) => (field === "publish" ? "iceberg" : undefined));
    const said = async (config: Partial<World>) => (await (await setup(config)).call("namespaces/project_1/tables/persons")).json;
    expect(await said({ config: publishing })).toMatchObject({ error: { message: expect.stringContaining("within an hour") } });
    expect(await said({})).toMatchObject({ error: { message: expect.stringContaining("publish=iceberg") } });
  });

  it("200: come with their metadata digit by digit, and with the region for readers who have rights of their own", async () => {
    const { call, vended } = await setup();
    for (const headers of [{}, { "x-iceberg-access-delegation": "remote-signing" }]) {
      const reply = await call("namespaces/project_1/tables/events", { headers });
      expect([reply.status, reply.body]).toEqual([200, expect.stringContaining(`"current-snapshot-id":${SNAPSHOT}}`)]);
      expect(reply.json).toMatchObject({
        "metadata-location": "s3://lake/iceberg/project=1/events/metadata/00001.metadata.json",
        metadata: { "format-version": 2 },
        config: { "client.region": "eu-west-1" },
      });
      expect(Object.keys(reply.json as object)).not.toContain("storage-credentials");
      expect(reply.headers["cache-control"]).toBe("no-store");
    }
    expect(vended).toEqual([]);
  });

  it("200: vend credentials for just the folders of their project's tables to whoever asks for keys", async () => {
    const { call, vended } = await setup();
    const { json } = await call("namespaces/project_1/tables/events", {
      headers: { "x-iceberg-access-delegation": "vended-credentials,remote-signing" },
    });
    const config = {
      "client.region": "eu-west-1",
      "s3.access-key-id": "ASIA",
      "s3.secret-access-key": "secret",
      "s3.session-token": "session",
      "s3.session-token-expires-at-ms": "1800000000000",
      "client.refresh-credentials-endpoint": "v1/namespaces/project_1/tables/events/credentials",
    };
    const folders = ["iceberg/project=1/", "events/project=1/", "state/1/persons/", "state/1/distinct-ids/"];
    expect(json).toMatchObject({
      config,
      "storage-credentials": folders.map((folder) => ({ prefix: `s3://lake/${folder}`, config })),
    });
    expect(vended).toEqual([{ prefixes: folders, reader: "user-1" }]);
    const renewed = await call("namespaces/project_1/tables/events/credentials");
    expect([renewed.status, renewed.json]).toEqual([200, { "storage-credentials": [{ prefix: "s3://lake/", config }] }]);
  });

  it("200 without credentials where the platform vends none", async () => {
    const { store } = vendingStore().fileAccess;
    const { call } = await setup({ fileAccess: { store, vend: async () => undefined } });
    const headers = { "x-iceberg-access-delegation": "vended-credentials" };
    const { json } = await call("namespaces/project_1/tables/events", { headers });
    expect([Object.keys(json as object), json]).toEqual([
      expect.not.arrayContaining(["storage-credentials"]),
      expect.objectContaining({ config: { "client.region": "eu-west-1" } }),
    ]);
    expect((await call("namespaces/project_1/tables/events/credentials")).json).toEqual({ "storage-credentials": [] });
  });

  it("503 where the platform cannot answer now, with the time to wait", async () => {
    const { store } = vendingStore().fileAccess;
    const { call } = await setup({ fileAccess: { store, vend: () => Promise.reject(new Unavailable("later")) } });
    const reply = await call("namespaces/project_1/tables/events/credentials");
    expect(reply).toMatchObject({ status: 503, json: errorOf("ServiceUnavailableException", 503) });
    expect(reply.headers["retry-after"]).toBe("5");
  });

  it("204: take the reports of what a scan did, which nobody keeps", async () => {
    const { call } = await setup();
    expect(await call("namespaces/project_1/tables/events/metrics", { body: { any: "thing" } }, "POST")).toMatchObject({ status: 204 });
    expect((await call("namespaces/project_2/tables/events/metrics", { body: {} }, "POST")).status).toBe(404);
  });
});

describe("whatever else is asked", () => {
  it.each([
    ["POST", "namespaces"],
    ["DELETE", "namespaces/project_1"],
    ["POST", "namespaces/project_1/properties"],
    ["POST", "namespaces/project_1/tables"],
    ["POST", "namespaces/project_1/tables/events"],
    ["DELETE", "namespaces/project_1/tables/events"],
    ["POST", "namespaces/project_1/register"],
    ["POST", "tables/rename"],
    ["POST", "transactions/commit"],
  ])("406: %s %s would write", async (method, path) => {
    const { call } = await setup();
    const { status, json } = await call(path, { body: {} }, method);
    expect([status, json]).toEqual([406, errorOf("UnsupportedOperationException", 406)]);
  });

  it.each(["namespaces/project_1/views", "namespaces/project_1/tables/events/plan", "nowhere", ""])(
    "404: %s is not there",
    async (path) => {
      const { status, json } = await (await setup()).call(path);
      expect([status, json]).toEqual([404, errorOf("NotFoundException", 404)]);
    },
  );
});

describe("odd requests", () => {
  const ODD = ["%00", "a%2Fb", "%F0%9F%92%A9", "%zz", "project_1%1F", "project_99999999999999999999", "' or 1=1", "..", "x".repeat(300)];
  const unthrottled = readConfig((field) => (field === "throttleScale" ? "1000" : undefined));

  it("never fail, whatever stands in the path or the query", async () => {
    const { call } = await setup({ config: unthrottled });
    const paths = ODD.flatMap((odd) => [
      odd,
      `namespaces/${odd}`,
      `namespaces/project_1/tables/${odd}`,
      `namespaces/project_1/tables/events/${odd}`,
      `namespaces?parent=${odd}`,
      `namespaces?pageToken=${odd}&pageSize=${odd}`,
      `config?warehouse=${odd}`,
    ]);
    for (const path of paths)
      for (const method of ["GET", "HEAD", "POST", "DELETE", "PROPFIND"]) {
        const { status, body } = await call(path, {}, method);
        expect([path, method, status]).toEqual([path, method, expect.toSatisfy((code: number) => code < 500)]);
        if (status >= 400 && method !== "HEAD")
          expect(JSON.parse(String(body))).toEqual({ error: expect.objectContaining({ code: status }) });
      }
  });

  it("are 400 where a credential is no text", async () => {
    const { world } = await setup();
    const { status } = await ask(iceberg, world, "POST", "/iceberg/v1/oauth/tokens", { body: new Uint8Array([0xff, 0xfe, 0x00]) });
    expect(status).toBe(400);
  });
});

describe("POST oauth/tokens", () => {
  it("reads no form that is longer than a credential can be", async () => {
    const { world } = apiWorld();
    const body = `grant_type=client_credentials&client_secret=phx_no${"&a".repeat(10_000)}`;
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const reply = await ask(iceberg, world, "POST", "/iceberg/v1/oauth/tokens", { body, headers });
    expect(reply).toMatchObject({ status: 400, json: { error: "invalid_request" } });
  });
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const exchange = async (fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) => {
    const made = await setup();
    const filled = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value.replace("KEY", made.home.key)]));
    const reply = await ask(iceberg, made.world, "POST", "/iceberg/v1/oauth/tokens", {
      headers: { ...form, ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, basic(value, made.home.key)])) },
      body: new URLSearchParams(filled).toString(),
    });
    return { ...reply, key: made.home.key, ...made };
  };
  const basic = (value: string, key: string): string => `Basic ${Buffer.from(value.replace("KEY", key)).toString("base64")}`;

  it.each([
    [{ grant_type: "client_credentials", client_id: "spark", client_secret: "KEY", scope: "catalog" }, {}],
    [{ grant_type: "client_credentials", scope: "catalog" }, { authorization: "spark:KEY" }],
    [{ grant_type: "urn:ietf:params:oauth:grant-type:token-exchange", subject_token: "KEY" }, {}],
  ])("200: the key is its own token: %j %j", async (fields, headers) => {
    const { status, json, key, call } = await exchange(fields, headers);
    const issued_token_type = "urn:ietf:params:oauth:token-type:access_token";
    expect([status, json]).toEqual([200, { access_token: key, token_type: "bearer", issued_token_type }]);
    expect((await call("config", { key })).status).toBe(200);
  });

  it.each([
    [{ grant_type: "client_credentials", client_secret: "phx_nobody" }, 401, "invalid_client"],
    [{ grant_type: "client_credentials" }, 400, "invalid_request"],
    [{ grant_type: "password", client_secret: "KEY" }, 400, "unsupported_grant_type"],
    [{}, 400, "unsupported_grant_type"],
  ])("%j is refused with %d %s", async (fields, status, error) => {
    const reply = await exchange(fields);
    expect([reply.status, reply.json]).toEqual([status, { error, error_description: expect.stringMatching(/\w \w/) }]);
  });

  it("400 for a key that may not query", async () => {
    const { world, home } = await setup();
    const client_secret = await aPersonalKey(world, home.user, ["endpoint:read"]);
    const body = new URLSearchParams({ grant_type: "client_credentials", client_secret }).toString();
    const { status, json } = await ask(iceberg, world, "POST", "/iceberg/v1/oauth/tokens", { headers: form, body });
    expect([status, json]).toMatchObject([400, { error: "unauthorized_client" }]);
  });
});
