import { beforeAll, describe, expect, it, vi } from "vitest";
import { applyDocument } from "../../../infra/cli/apply/apply.ts";
import { type Answer, apiClient } from "../../support/api-client.ts";
import { aFakeProvider } from "../../support/fakes/provider.ts";
import { type ATenant, aTenant, itsOwnPlatform, tenantDocument, tenantOf } from "../../support/processes/platform.ts";

const provider = aFakeProvider((base) => {
  vi.stubEnv("GITHUB_API", base);
  vi.stubEnv("GITLAB_ORIGIN", base);
  vi.stubEnv("GITHUB_TOKEN", "public-token");
});
const platform = itsOwnPlatform();

let tenant: ATenant;
let bare: ATenant;

beforeAll(async () => {
  const document = tenantDocument("links-home");
  const integrations = [
    { key: "hub", kind: "github" as const, config: { organization: "acme", access_token: "hub-token" } },
    { key: "lab", kind: "gitlab" as const, config: { project: "acme/shop", access_token: "lab-token" } },
  ];
  const organizations = document.organizations.map((each) => ({
    ...each,
    projects: each.projects.map((project) => ({ ...project, integrations })),
  }));
  tenant = tenantOf(await applyDocument(platform().world, { organizations }));
  bare = await aTenant(platform().world);
});

const WANTED = { owner: "acme", repository: "shop", code_sample: 'total = cart.total("a.b")', file_name: "app/views.py" };

const resolve = (kind: "github" | "gitlab", query: Record<string, string> = WANTED, of = tenant): Promise<Answer> =>
  apiClient(platform().baseUrl, of.personalKey).get(
    `/api/projects/${of.projectId}/error_tracking/git-provider-file-links/resolve_${kind}/?${new URLSearchParams(query)}`,
  );

const tokens = () => provider().requests.map(({ headers }) => headers.authorization);

const HIT = "https://github.com/acme/shop/blob/0123abc/app/views.py";
const hits = (...urls: readonly string[]) => ({
  status: 200,
  body: { total_count: urls.length, items: urls.map((html_url) => ({ html_url })) },
});
const NO_HIT = { status: 200, body: { found: false } };

describe("GET git-provider-file-links/resolve_github/", () => {
  it("200: the page of the first hit in the repository, looked for without punctuation outside quotes", async () => {
    provider().answers(() => hits("https://github.com/acme/secret/blob/1/a.py", HIT));
    const answer = await resolve("github");
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ found: true, url: HIT });
    const [request] = provider().requests;
    expect(request?.path).toBe("/search/code");
    expect(request?.query.get("q")).toBe('total cart total "a.b" repo:acme/shop filename:app/views.py');
    expect(tokens()).toEqual(["Bearer public-token"]);
  });

  it("200: the project's integration is asked where everybody's token finds nothing", async () => {
    provider().answers(({ headers }) => (headers.authorization === "Bearer hub-token" ? hits(HIT) : hits()));
    expect((await resolve("github")).body).toEqual({ found: true, url: HIT });
    expect(tokens()).toEqual(["Bearer public-token", "Bearer hub-token"]);
    expect((await resolve("github", WANTED, bare)).body).toEqual({ found: false });
    expect(tokens()).toHaveLength(3);
  });

  it.each([
    ["finds nothing", hits()],
    ["is broken", { status: 500, body: "oops" }],
    ["says no JSON", { status: 200, body: "<html>" }],
    ["says something else", { status: 200, body: { items: "none" } }],
    ["has had too many calls", { status: 403, headers: { "x-ratelimit-remaining": "0" }, body: {} }],
  ])("200: nothing is found where GitHub %s", async (_, answer) => {
    provider().answers(() => answer);
    expect((await resolve("github")).body).toEqual({ found: false });
  });

  it("200: a token that is refused three times in a row is left alone for a while; a success in between begins anew", async () => {
    let publicStatus = 401;
    provider().answers(({ headers }) => ({ ...hits(), status: headers.authorization === "Bearer public-token" ? publicStatus : 200 }));
    const asked = async (times: number) => {
      provider().requests.length = 0;
      for (let time = 0; time < times; time += 1) await resolve("github", WANTED, bare);
      return tokens().length;
    };
    expect(await asked(2)).toBe(2);
    publicStatus = 200;
    expect(await asked(1)).toBe(1);
    publicStatus = 401;
    expect(await asked(5)).toBe(3);
  });
});

describe("GET git-provider-file-links/resolve_gitlab/", () => {
  it("200: the page of a hit whose path has the file's name", async () => {
    const found = [
      { path: "other.py", ref: "main" },
      { path: "src/app/views.py", ref: "feature/a" },
    ];
    provider().answers(({ query }) => ({ status: 200, body: query.get("search") === WANTED.code_sample ? [] : found }));
    const answer = await resolve("gitlab", { ...WANTED, owner: "acme/web" });
    expect(answer.body).toEqual({ found: true, url: `${provider().base}/acme/web/shop/-/blob/feature%2Fa/src/app/views.py` });
    expect(provider().requests.map(({ path }) => path)).toEqual(Array(2).fill("/api/v4/projects/acme%2Fweb%2Fshop/search"));
    expect(
      provider()
        .requests.map(({ query }) => query.get("search"))
        .toSorted(),
    ).toEqual([WANTED.code_sample, 'total cart total "a.b"'].toSorted());
    expect(tokens()).toEqual(["Bearer lab-token", "Bearer lab-token"]);
  });

  it("200: what GitLab refuses as it stands may be found without its punctuation", async () => {
    const found = [{ path: "src/app/views.py", ref: "main" }];
    provider().answers(({ query }) =>
      query.get("search") === WANTED.code_sample ? { status: 400, body: { message: "syntax" } } : { status: 200, body: found },
    );
    expect((await resolve("gitlab")).body).toMatchObject({ found: true });
    provider().answers(() => ({ status: 400, body: { message: "syntax" } }));
    expect(await resolve("gitlab")).toMatchObject(NO_HIT);
  });

  it("200: without anything to ask with, nothing is found and nobody is asked", async () => {
    expect(await resolve("gitlab", WANTED, bare)).toMatchObject(NO_HIT);
    expect(provider().requests).toEqual([]);
  });
});

describe.each(["github", "gitlab"] as const)("resolve_%s", (kind) => {
  it("200: says what is missing", async () => {
    for (const name of Object.keys(WANTED)) {
      const answer = await resolve(kind, { ...WANTED, [name]: " " });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ found: false, error: "owner, repository, code_sample, and file_name are required" });
    }
    expect(provider().requests).toEqual([]);
  });

  it("200: finds nothing for what is longer than any line that is looked for, and asks nobody", async () => {
    for (const name of ["code_sample", "file_name"]) {
      expect(await resolve(kind, { ...WANTED, [name]: "x".repeat(1_001) })).toMatchObject(NO_HIT);
    }
    expect(provider().requests).toEqual([]);
  });

  it("200: finds nothing in what is no repository, and asks nobody", async () => {
    for (const owner of ["acme repo:other/secret", "..", "a/../b"]) {
      expect((await resolve(kind, { ...WANTED, owner })).body).toEqual({ found: false });
    }
    expect(provider().requests).toEqual([]);
  });
});
