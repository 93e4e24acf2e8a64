import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { errorTracking } from "../../../functions/error-tracking/routes.ts";
import { applyDocument } from "../../../infra/cli/apply/apply.ts";
import { Fingerprints } from "../../../lib/error-tracking/fingerprints.ts";
import { Issues } from "../../../lib/error-tracking/issues.ts";
import type { Key } from "../../../lib/ports/table.ts";
import { put } from "../../../lib/table/store.ts";
import { type ApiClient, apiClient } from "../../support/api-client.ts";
import { aFakeProvider } from "../../support/fakes/provider.ts";
import { overtakenTable } from "../../support/overtaken-table.ts";
import { type ATenant, itsOwnPlatform, tenantDocument, tenantOf } from "../../support/processes/platform.ts";
import { ask } from "../../support/worlds/api-world.ts";

const provider = aFakeProvider((base) => {
  for (const setting of ["GITHUB_API", "GITLAB_ORIGIN", "LINEAR_API", "JIRA_API"]) vi.stubEnv(setting, base);
});
const platform = itsOwnPlatform();

const CONFIGS = {
  github: { organization: "acme", access_token: "gh-token" },
  gitlab: { project: "acme/shop", access_token: "gl-token" },
  linear: { workspace: "acme", access_token: "lin-token" },
  jira: { site_url: "https://acme.atlassian.net", cloud_id: "cloud-1", access_token: "jira-token" },
} as const;
type Kind = keyof typeof CONFIGS;
const KINDS: readonly Kind[] = ["github", "gitlab", "linear", "jira"];

interface Connected extends ATenant {
  readonly integrations: Readonly<Record<string, number>>;
}

/** A tenant with an integration of each kind, and one of GitHub that nobody has given a token. */
const connected = async (name: string, scopes: readonly string[] = ["*"]): Promise<Connected> => {
  const document = tenantDocument(name, { scopes });
  const integrations = [
    ...KINDS.map((kind) => ({ key: kind, kind, config: CONFIGS[kind] })),
    { key: "empty", kind: "github", config: {} },
    { key: "no-workspace", kind: "linear", config: { access_token: "lin-token" } },
    { key: "no-site", kind: "jira", config: { cloud_id: "cloud-1", access_token: "jira-token" } },
  ];
  const organizations = document.organizations.map((each) => ({
    ...each,
    projects: each.projects.map((project) => ({ ...project, integrations })),
  }));
  const tree = await applyDocument(platform().world, { organizations });
  const made = tree.organizations.flatMap(({ projects }) => projects.flatMap((project) => project.integrations));
  return { ...tenantOf(tree), integrations: Object.fromEntries(made.map(({ key, id }) => [key, id])) };
};

let tenant: Connected;
let elsewhere: Connected;
let api: ApiClient;
let stranger: ApiClient;

beforeAll(async () => {
  tenant = await connected("refs-home");
  elsewhere = await connected("refs-elsewhere");
  api = apiClient(platform().baseUrl, tenant.personalKey);
  stranger = apiClient(platform().baseUrl, elsewhere.personalKey);
});

const at = (suffix = "", of: ATenant = tenant): string => `/api/projects/${of.projectId}/error_tracking/external_references/${suffix}`;

const anIssue = async (of: ATenant = tenant): Promise<string> => {
  const { table, ids } = platform().world;
  const id = ids.uuid();
  const now = "2026-03-01T10:00:00.000000Z";
  await put(table, Issues, {
    project: of.projectId,
    id,
    status: "active",
    severity: null,
    name: "ValueError",
    description: null,
    first_seen: now,
    assignee: null,
    created_at: now,
  });
  return id;
};

const Reference = z.strictObject({
  id: z.guid(),
  integration: z.strictObject({ id: z.int(), kind: z.string(), display_name: z.string() }),
  external_url: z.string(),
  external_id: z.string(),
  title: z.string(),
});

const linked = async (number: number, issue?: string): Promise<z.output<typeof Reference>> => {
  const answer = await api.post(at("link_issue/"), {
    integration_id: tenant.integrations.github,
    issue: issue ?? (await anIssue()),
    external_context: { repository: "shop", number, title: "Known" },
  });
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 });
  return Reference.parse(answer.body);
};

const UNKNOWN = "01957a80-1b8c-7d3e-9d5f-1c2b3a4d5e6f";

/** What creating, naming and finding an issue is at each provider. */
const CASES = {
  github: {
    config: { repository: "shop", title: "Checkout fails", body: "see here" },
    context: { repository: "shop", number: 12 },
    answer: { status: 201, body: { id: 1, number: 12, title: "Checkout fails", html_url: "https://github.com/acme/shop/issues/12" } },
    request: { method: "POST", path: "/repos/acme/shop/issues", body: { title: "Checkout fails", body: "see here" } },
    found: {
      total_count: 2,
      items: [
        { number: 12, title: "Checkout fails", repository_url: "https://api.github.com/repos/acme/shop" },
        { number: 1, title: "Not asked for", repository_url: "https://api.github.com/repos/acme/secret" },
      ],
    },
    asks: { path: "/search/issues", query: { q: 'fails "now" repo:acme/shop is:issue' } },
    token: "Bearer gh-token",
    url: "https://github.com/acme/shop/issues/12",
    external_id: "12",
    display_name: "acme",
  },
  gitlab: {
    config: { title: "Checkout fails", body: "" },
    context: { issue_id: 12 },
    answer: { status: 201, body: { id: 900, iid: 12, title: "Checkout fails", web_url: "https://gitlab.com/acme/shop/-/issues/12" } },
    request: { method: "POST", path: "/api/v4/projects/acme%2Fshop/issues", body: { title: "Checkout fails", description: "" } },
    found: [{ id: 900, iid: 12, title: "Checkout fails", web_url: "x" }],
    asks: { path: "/api/v4/projects/acme%2Fshop/issues", query: { search: 'fails "now"' } },
    token: "Bearer gl-token",
    url: "{base}/acme/shop/issues/12",
    external_id: "12",
    display_name: "acme/shop",
  },
  linear: {
    config: { team_id: "team-1", title: "Checkout fails", description: "d" },
    context: { id: "SHOP-12" },
    answer: {
      status: 200,
      body: {
        data: {
          teams: { nodes: [{ id: "team-0" }, { id: "team-1" }] },
          issueCreate: { success: true, issue: { identifier: "SHOP-12", title: "Checkout fails" } },
        },
      },
    },
    request: {
      method: "POST",
      path: "/graphql",
      body: { variables: { input: { teamId: "team-1", title: "Checkout fails", description: "d" } } },
    },
    found: { data: { found: { nodes: [{ identifier: "SHOP-12", title: "Checkout fails" }] } } },
    asks: { path: "/graphql", query: {} },
    token: "Bearer lin-token",
    url: "https://linear.app/acme/issue/SHOP-12",
    external_id: "SHOP-12",
    display_name: "acme",
  },
  jira: {
    config: { project_key: "SHOP", title: "Checkout fails", description: "a\nb" },
    context: { key: "SHOP-12" },
    answer: { status: 201, body: { id: "10000", key: "SHOP-12", self: "https://acme.atlassian.net/rest/api/3/issue/10000" } },
    request: {
      method: "POST",
      path: "/ex/jira/cloud-1/rest/api/3/issue",
      body: { fields: { project: { key: "SHOP" }, summary: "Checkout fails", description: { type: "doc", version: 1 } } },
    },
    found: { issues: [{ id: "10000", key: "SHOP-12", fields: { summary: "Checkout fails" } }] },
    asks: { path: "/ex/jira/cloud-1/rest/api/3/search/jql", query: { jql: 'summary ~ "fails \\"now\\"" ORDER BY created DESC' } },
    token: "Bearer jira-token",
    url: "https://acme.atlassian.net/browse/SHOP-12",
    external_id: "SHOP-12",
    display_name: "https://acme.atlassian.net",
  },
} as const;

const urlOf = (kind: Kind): string => CASES[kind].url.replace("{base}", provider().base);

describe("POST external_references/", () => {
  it.each(KINDS)("201: makes an issue at %s and ties it", async (kind) => {
    const { config, answer, request, token, external_id, display_name } = CASES[kind];
    provider().answers(() => answer);
    const made = await api.post(at(), { integration_id: tenant.integrations[kind], issue: await anIssue(), config });
    expect(made, JSON.stringify(made.body)).toMatchObject({ status: 201 });
    expect(Reference.parse(made.body)).toEqual({
      id: expect.any(String),
      integration: { id: tenant.integrations[kind], kind, display_name },
      external_url: urlOf(kind),
      external_id,
      title: "Checkout fails",
    });
    expect(provider().requests.at(-1)).toMatchObject({ ...request, headers: { authorization: token } });
    const { id } = Reference.parse(made.body);
    expect(await api.get(at(`${id}/`))).toMatchObject({ status: 200, body: made.body });
  });

  it.each(KINDS)("400: all that %s needs is there, is text, and is not blank", async (kind) => {
    const { config } = CASES[kind];
    const ends = { integration_id: tenant.integrations[kind], issue: await anIssue() };
    const [first = ""] = Object.keys(config);
    for (const odd of [{}, "text", [], null, { ...config, title: 5 }, { ...config, [first]: " " }]) {
      expect(await api.post(at(), { ...ends, config: odd }), JSON.stringify(odd)).toMatchObject({
        status: 400,
        body: { type: "validation_error", attr: null },
      });
    }
    const missing = Object.fromEntries(Object.entries(config).filter(([key]) => key !== first));
    const told = await api.post(at(), { ...ends, config: missing });
    expect(told.body).toMatchObject({ detail: expect.stringMatching(new RegExp(`for ${kind}: ${first}\\.$`)) });
    expect(provider().requests).toEqual([]);
  });

  it("400: a team that the workspace does not have", async () => {
    provider().answers(() => CASES.linear.answer);
    const config = { ...CASES.linear.config, team_id: "team-9" };
    const answer = await api.post(at(), { integration_id: tenant.integrations.linear, issue: await anIssue(), config });
    expect(answer).toMatchObject({ status: 400, body: { attr: null } });
    expect(provider().requests).toHaveLength(1);
  });

  it.each(["integration_id", "config", "issue"])("400: %s is required", async (field) => {
    const body: Record<string, unknown> = { integration_id: tenant.integrations.github, config: {}, issue: UNKNOWN };
    delete body[field];
    expect(await api.post(at(), body)).toMatchObject({ status: 400, body: { attr: field, code: "required" } });
  });

  it("400: an issue or an integration that is another project's, or none", async () => {
    const { config } = CASES.github;
    const [mine, theirs] = [await anIssue(), await anIssue(elsewhere)];
    for (const [integration_id, issue] of [
      [tenant.integrations.github, theirs],
      [tenant.integrations.github, UNKNOWN],
      [elsewhere.integrations.github, mine],
      [999_999, mine],
      [0, mine],
    ]) {
      expect(await api.post(at(), { integration_id, issue, config })).toMatchObject({ status: 400, body: { attr: null } });
      const context = CASES.github.context;
      const link = await api.post(at("link_issue/"), { integration_id, issue, external_context: context });
      expect(link).toMatchObject({ status: 400, body: { attr: null } });
    }
    expect(provider().requests).toEqual([]);
  });

  it("400: an integration that nobody has connected", async () => {
    const body = { integration_id: tenant.integrations.empty, issue: await anIssue(), config: CASES.github.config };
    expect(await api.post(at(), body)).toMatchObject({ status: 400, body: { attr: null, detail: expect.stringContaining("github") } });
  });

  it.each([
    ["linear", "no-workspace", "workspace"],
    ["jira", "no-site", "site_url"],
  ] as const)("400: an integration of %s whose issues would have no address makes none", async (kind, integration, missing) => {
    provider().answers(() => CASES[kind].answer);
    const body = { integration_id: tenant.integrations[integration], issue: await anIssue(), config: CASES[kind].config };
    expect(await api.post(at(), body)).toMatchObject({
      status: 400,
      body: { attr: null, detail: expect.stringContaining(`"${missing}"`) },
    });
    expect(provider().requests).toEqual([]);
  });

  it.each([
    ["of half a character", "SHOP-\ud83d"],
    ["that leads elsewhere", "../../SHOP-12"],
    ["that is no name", "SHOP-12".repeat(50_000)],
  ])("400: a provider that calls what it made by a name %s", async (_, name) => {
    const issueCreate = { success: true, issue: { identifier: name, title: "Checkout fails" } };
    const issue = await anIssue();
    for (const [kind, body] of [
      ["linear", { data: { teams: { nodes: [{ id: "team-1" }] }, issueCreate } }],
      ["jira", { id: "10000", key: name }],
    ] as const) {
      provider().answers(() => ({ status: 200, body }));
      const made = await api.post(at(), { integration_id: tenant.integrations[kind], issue, config: CASES[kind].config });
      expect(made, JSON.stringify(made.body)).toMatchObject({ status: 400, body: { type: "validation_error", attr: null } });
    }
  });

  it("201: of a title that the provider made endless the beginning is kept, in whole characters", async () => {
    const issue = await anIssue();
    for (const title of [`${"x".repeat(999)}\u{1f600}`, "half \ud83d", "x".repeat(500_000)]) {
      provider().answers(() => ({ status: 201, body: { number: 13, title } }));
      const made = await api.post(at(), { integration_id: tenant.integrations.github, issue, config: CASES.github.config });
      expect(made, JSON.stringify(made.body)).toMatchObject({ status: 201 });
      expect(Reference.parse(made.body).title.length).toBeLessThanOrEqual(1_000);
    }
  });

  it.each([
    ["refuses", { status: 401, body: { message: "Bad credentials" } }],
    ["is broken", { status: 500, body: "oops" }],
    ["says no JSON", { status: 201, body: "<html>" }],
    ["says something else", { status: 201, body: { number: "x" } }],
    ["points elsewhere", { status: 302, headers: { location: "http://169.254.169.254/" }, body: "" }],
  ])("400: a provider that %s, which leaves nothing behind", async (_, answer) => {
    provider().answers(() => answer);
    const issue = await anIssue();
    const made = await api.post(at(), { integration_id: tenant.integrations.github, issue, config: CASES.github.config });
    expect(made).toMatchObject({ status: 400, body: { type: "validation_error", attr: null } });
    expect(provider().requests).toHaveLength(1);
    expect(JSON.stringify(made.body)).not.toContain("gh-token");
  });
});

describe("a provider that goes silent", () => {
  const within = AbortSignal.timeout;
  const limits = vi.fn((ms: number) => within.call(AbortSignal, ms === 10_000 ? 500 : ms));
  beforeEach(() => {
    AbortSignal.timeout = limits;
  });
  afterEach(() => {
    AbortSignal.timeout = within;
    limits.mockClear();
  });

  it.each(["at once", "in the middle"] as const)("400: is left after ten seconds, %s", async (silent) => {
    provider().answers(() => ({ ...CASES.github.answer, silent }));
    const issue = await anIssue();
    const body = { integration_id: tenant.integrations.github, issue, config: CASES.github.config };
    expect(await api.post(at(), body)).toMatchObject({ status: 400, body: { type: "validation_error", attr: null } });
    const search = await api.get(at(`search_issues/?integration_id=${tenant.integrations.github}&repository=shop`));
    expect(search).toMatchObject({ status: 400, body: { attr: null } });
    expect(limits.mock.calls.filter(([ms]) => ms === 10_000)).toHaveLength(2);
  });
});

describe("POST external_references/link_issue/", () => {
  it.each(KINDS)("201: ties an issue of %s, once however often it is said", async (kind) => {
    const { context, external_id } = CASES[kind];
    const body = { integration_id: tenant.integrations[kind], issue: await anIssue(), external_context: { ...context, more: 1 } };
    const first = await api.post(at("link_issue/"), body);
    expect(first, JSON.stringify(first.body)).toMatchObject({ status: 201, body: { external_id, external_url: urlOf(kind) } });
    expect(await api.post(at("link_issue/"), body)).toMatchObject({ status: 201, body: first.body });
    expect(provider().requests).toEqual([]);
  });

  it("201: a number may be text, and the title is the context's", async () => {
    const issue = await anIssue();
    const body = { integration_id: tenant.integrations.github, issue, external_context: { repository: "shop", number: "77", title: "T" } };
    const answer = await api.post(at("link_issue/"), body);
    expect(answer).toMatchObject({ status: 201, body: { external_id: "77", title: "T" } });
    expect((await linked(77, issue)).id).toBe(Reference.parse(answer.body).id);
  });

  it("201: of a long title the beginning is kept, in whole characters", async () => {
    const external_context = { ...CASES.github.context, title: `${"x".repeat(999)}\u{1f600}` };
    const body = { integration_id: tenant.integrations.github, issue: await anIssue(), external_context };
    expect(await api.post(at("link_issue/"), body)).toMatchObject({ status: 201 });
  });

  it.each([
    ["github", { repository: "a/b", number: 1 }],
    ["github", { repository: "..", number: 1 }],
    ["github", { repository: "shop", number: 0 }],
    ["github", { repository: "shop", number: "12345678901" }],
    ["github", { repository: "shop" }],
    ["gitlab", { issue_id: "1" }],
    ["gitlab", { issue_id: true }],
    ["linear", { id: "a b" }],
    ["jira", { key: "SHOP-1?x" }],
    ["jira", "SHOP-1"],
  ] as const)("400: no issue of %s is named %j", async (kind, external_context) => {
    const body = { integration_id: tenant.integrations[kind], issue: await anIssue(), external_context };
    expect(await api.post(at("link_issue/"), body)).toMatchObject({ status: 400, body: { attr: null } });
  });
});

describe("GET external_references/", () => {
  it("200: the oldest first, a page at a time; other projects' never", async () => {
    const page = await stranger.get(at("", elsewhere));
    expect(page).toMatchObject({ status: 200, body: { count: 0, results: [] } });
    const made = [await linked(201), await linked(202)];
    const answer = await api.get(at("?limit=1000"));
    const { count, results } = z.object({ count: z.int(), results: z.array(Reference) }).parse(answer.body);
    expect(results.slice(-2)).toEqual(made);
    expect(count).toBe(results.length);
  });
});

describe("GET external_references/{id}/", () => {
  it("400: no id; 404: nobody's, or another project's", async () => {
    const { id } = await linked(300);
    expect(await api.get(at("no-id/"))).toMatchObject({ status: 400 });
    expect(await api.get(at(`${UNKNOWN}/`))).toMatchObject({ status: 404 });
    expect((await stranger.get(at(`${id}/`, elsewhere))).status).toBe(404);
    expect((await stranger.patch(at(`${id}/`, elsewhere), { deleted: true })).status).toBe(404);
  });
});

describe("PATCH external_references/{id}/", () => {
  it("200: hides the row from lists and look-ups, and brings it back", async () => {
    const reference = await linked(400);
    const count = async () => z.object({ count: z.int() }).parse((await api.get(at())).body).count;
    const before = await count();
    for (let times = 0; times < 2; times += 1) {
      expect(await api.patch(at(`${reference.id}/`), { deleted: true })).toMatchObject({ status: 200, body: reference });
    }
    expect(await count()).toBe(before - 1);
    expect((await api.get(at(`${reference.id}/`))).status).toBe(404);
    expect(await api.patch(at(`${reference.id}/`), { deleted: false })).toMatchObject({ status: 200, body: reference });
    expect(await count()).toBe(before);
    expect(await api.get(at(`${reference.id}/`))).toMatchObject({ status: 200, body: reference });
    expect(await api.patch(at(`${reference.id}/`), { title: "ignored" })).toMatchObject({ status: 200, body: reference });
  });

  it("200: linking again shows what was hidden", async () => {
    const issue = await anIssue();
    const { id } = await linked(401, issue);
    await api.patch(at(`${id}/`), { deleted: true });
    expect((await linked(401, issue)).id).toBe(id);
    expect((await api.get(at(`${id}/`))).status).toBe(200);
  });

  it("400: deleted is true or false", async () => {
    const { id } = await linked(402);
    expect(await api.patch(at(`${id}/`), { deleted: "maybe" })).toMatchObject({ status: 400, body: { attr: "deleted" } });
  });
});

describe("DELETE external_references/{id}/", () => {
  it("405: with an empty body, whether there is one or not", async () => {
    const { id } = await linked(500);
    for (const named of [id, UNKNOWN, "no-id"]) expect(await api.remove(at(`${named}/`))).toMatchObject({ status: 405, body: "" });
    expect((await api.get(at(`${id}/`))).status).toBe(200);
  });
});

describe("references of issues that are merged and split", () => {
  const issues = () => `/api/projects/${tenant.projectId}/error_tracking/issues`;
  const tiedTo = async (issue: string) => {
    const { body } = await api.get(`${issues()}/${issue}/`);
    return z
      .object({ external_issues: z.array(Reference) })
      .parse(body)
      .external_issues.map(({ id }) => id)
      .sort();
  };
  /** An issue of one fingerprint, tied to an issue at the provider. */
  const tied = async (fingerprint: string, number: number) => {
    const issue = await anIssue();
    const { table, ids } = platform().world;
    const now = "2026-03-01T10:00:00.000000Z";
    const project = tenant.projectId;
    const seen = { id: ids.uuid(), created_at: now, first_seen: now, version: 0, visibility: "shown" as const, record: null };
    await put(table, Fingerprints, { project, fingerprint, issue_id: issue, ...seen });
    return { issue, reference: (await linked(number, issue)).id };
  };
  const merged = async (target: string, source: string) =>
    expect((await api.post(`${issues()}/${target}/merge/`, { ids: [source] })).body).toEqual({ success: true });
  const split = async (issue: string, fingerprint: string): Promise<string> => {
    const { body } = await api.post(`${issues()}/${issue}/split/`, { fingerprints: [{ fingerprint }] });
    return z.object({ new_issue_ids: z.tuple([z.string()]) }).parse(body).new_issue_ids[0];
  };

  it("follow their issue into the other one, hidden ones too, and come back with its fingerprint", async () => {
    const a = await tied("tied-a", 601);
    const b = await tied("tied-b", 602);
    const hidden = (await linked(603, b.issue)).id;
    await api.patch(at(`${hidden}/`), { deleted: true });
    await merged(a.issue, b.issue);
    expect(await tiedTo(a.issue)).toEqual([a.reference, b.reference].sort());
    await api.patch(at(`${hidden}/`), { deleted: false });
    expect(await tiedTo(a.issue)).toEqual([a.reference, b.reference, hidden].sort());
    expect((await linked(602, a.issue)).id).toBe(b.reference);
    const back = await split(a.issue, "tied-b");
    expect(await tiedTo(back)).toEqual([b.reference, hidden].sort());
    expect(await tiedTo(a.issue)).toEqual([a.reference]);
    expect((await linked(602, back)).id).toBe(b.reference);
    expect((await linked(602, a.issue)).id).not.toBe(b.reference);
  });

  it("stay hidden, and follow their issue, also where both happen at once", async () => {
    const { world } = platform();
    const isReference = ({ sk }: Key): boolean => sk.startsWith("reference#");
    const send = (method: string, path: string, body: object, other: () => Promise<unknown>) => {
      const late = { ...world, table: overtakenTable(world.table, other, isReference) };
      return ask(errorTracking, late, method, path, { key: tenant.personalKey, body });
    };
    const [a, b, c] = [await tied("both-a", 701), await tied("both-b", 702), await tied("both-c", 703)];
    const hide = (of: string) => api.patch(at(`${of}/`), { deleted: true });
    const late = await send("PATCH", at(`${b.reference}/`), { deleted: true }, () => merged(a.issue, b.issue));
    expect(late.status).toBe(200);
    const merging = await send("POST", `${issues()}/${a.issue}/merge/`, { ids: [c.issue] }, () => hide(c.reference));
    expect(merging).toMatchObject({ status: 200, json: { success: true } });
    expect(await tiedTo(a.issue)).toEqual([a.reference]);
    for (const { reference } of [b, c]) await api.patch(at(`${reference}/`), { deleted: false });
    expect(await tiedTo(a.issue)).toEqual([a.reference, b.reference, c.reference].sort());
  });

  it("come back each to its own, also after two merges, and where both were tied to the same one", async () => {
    const [a, b, c] = [await tied("twice-a", 611), await tied("twice-b", 612), await tied("twice-c", 611)];
    await merged(b.issue, c.issue);
    await merged(a.issue, b.issue);
    expect(await tiedTo(a.issue)).toEqual([a.reference, b.reference, c.reference].sort());
    const own = await split(a.issue, "twice-a");
    expect(await tiedTo(own)).toEqual([]);
    expect(await tiedTo(await split(a.issue, "twice-c"))).toEqual([c.reference]);
    expect(await tiedTo(await split(a.issue, "twice-b"))).toEqual([b.reference]);
    expect(await tiedTo(a.issue)).toEqual([a.reference]);
  });
});

const Found = z.object({ issues: z.array(z.object({ title: z.string() })) });

describe("GET external_references/search_issues/", () => {
  const search = (query: Record<string, string>) => api.get(at(`search_issues/?${new URLSearchParams(query)}`));
  const of = (kind: Kind, more: Record<string, string> = {}) => ({ integration_id: String(tenant.integrations[kind]), ...more });

  it.each(KINDS)("200: what %s finds", async (kind) => {
    const { found, asks, context, external_id, token } = CASES[kind];
    provider().answers(() => ({ status: 200, body: found }));
    const repository: Record<string, string> = kind === "github" ? { repository: "shop" } : {};
    const answer = await search(of(kind, { search: 'fails "now"', ...repository }));
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body).toEqual({
      issues: [{ id: external_id, title: "Checkout fails", url: urlOf(kind), external_context: context }],
    });
    const [request] = provider().requests;
    expect(request).toMatchObject({ path: asks.path, headers: { authorization: token } });
    expect(Object.fromEntries(request?.query ?? [])).toMatchObject(asks.query);
    expect((await search(of(kind, repository))).status).toBe(200);
  });

  it("400: no integration, another project's, or no repository where one is needed", async () => {
    expect(await search({})).toMatchObject({ status: 400, body: { attr: "integration_id", code: "required" } });
    expect(await search({ integration_id: "x" })).toMatchObject({ status: 400, body: { attr: "integration_id" } });
    for (const id of [elsewhere.integrations.github, 999_999]) {
      expect(await search({ integration_id: String(id), repository: "shop" })).toMatchObject({ status: 400, body: { attr: null } });
    }
    for (const repository of ["", "a/b", "a b", ".."]) expect((await search(of("github", { repository }))).status).toBe(400);
    expect((await search(of("github"))).status).toBe(400);
    expect(provider().requests).toEqual([]);
  });

  it.each([
    ["github", { status: 403, headers: { "x-ratelimit-remaining": "0", "retry-after": "7" }, body: {} }, "7"],
    ["gitlab", { status: 429, headers: { "retry-after": "30" }, body: {} }, "30"],
    ["linear", { status: 400, body: { errors: [{ extensions: { code: "RATELIMITED" } }] } }, "60"],
    ["jira", { status: 429, body: {} }, "60"],
    ["jira", { status: 429, headers: { "retry-after": "9", "content-encoding": "gzip" }, body: "no gzip" }, "9"],
  ] as const)("429: %s has had too many calls", async (kind, answer, wait) => {
    provider().answers(() => answer);
    const refused = await search(of(kind, { repository: "shop" }));
    expect(refused).toMatchObject({ status: 429, body: { type: "throttled_error", code: "throttled" } });
    expect(refused.headers.get("retry-after")).toBe(wait);
  });

  it("200: of more than anybody asked for the beginning, each with the beginning of its title", async () => {
    const found = Array.from({ length: 3_000 }, (_, at) => ({ iid: at + 1, title: `${"x".repeat(999)}\u{1f600}` }));
    provider().answers(() => ({ status: 200, body: found }));
    const { issues } = Found.parse((await search(of("gitlab"))).body);
    expect(issues).toHaveLength(50);
    for (const { title } of issues) expect([title.length, title.isWellFormed()]).toEqual([1_000, true]);
  });

  it.each(KINDS)("400: %s fails, or finds nothing that makes sense", async (kind) => {
    for (const answer of [
      { status: 403, body: {} },
      { status: 200, body: { odd: true } },
      { status: 200, body: { errors: [{}] } },
    ]) {
      provider().answers(() => answer);
      expect(await search(of(kind, { repository: "shop" }))).toMatchObject({ status: 400, body: { attr: null } });
    }
  });
});

describe("scopes", () => {
  it("403: searching needs the scope of integrations too, and writing the scope to write", async () => {
    const reader = await connected("refs-reader", ["error_tracking:read"]);
    const client = apiClient(platform().baseUrl, reader.personalKey);
    expect((await client.get(at("", reader))).status).toBe(200);
    const search = await client.get(at(`search_issues/?integration_id=${reader.integrations.gitlab}`, reader));
    expect(search).toMatchObject({ status: 403, body: { code: "permission_denied", detail: expect.stringContaining("integration:read") } });
    for (const refused of [
      await client.post(at("", reader), {}),
      await client.post(at("link_issue/", reader), {}),
      await client.patch(at(`${UNKNOWN}/`, reader), { deleted: true }),
      await client.remove(at(`${UNKNOWN}/`, reader)),
    ]) {
      expect(refused.status).toBe(403);
    }
  });
});
