import { readdirSync, readFileSync, statSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { applyDocument } from "../../../infra/cli/apply/apply.ts";
import { planDocument } from "../../../infra/cli/apply/dry-run.ts";
import { type Integration, Integrations } from "../../../lib/projects/integrations.ts";
import { put, require as requireItem, update } from "../../../lib/table/store.ts";
import { type Answer, apiClient } from "../../support/api-client.ts";
import { aFakeProvider } from "../../support/fakes/provider.ts";
import { type ATenant, aTenant, itsOwnPlatform, tenantDocument, tenantOf } from "../../support/processes/platform.ts";

const provider = aFakeProvider((base) => {
  for (const setting of ["GITHUB_API", "GITLAB_ORIGIN"]) vi.stubEnv(setting, base);
});
const platform = itsOwnPlatform();

interface Connected extends ATenant {
  readonly integration: { readonly project_id: number; readonly id: number };
}

const documentOf = (name: string, config: object) => ({
  organizations: tenantDocument(name).organizations.map((organization) => ({
    ...organization,
    projects: organization.projects.map((project) => ({ ...project, integrations: [{ key: "hub", kind: "github", config }] })),
  })),
});

const connected = async (name: string, config: object): Promise<Connected> => {
  const tree = await applyDocument(platform().world, documentOf(name, config));
  const [id = 0] = tree.organizations.flatMap(({ projects }) =>
    projects.flatMap(({ integrations }) => integrations.map((each) => each.id)),
  );
  const tenant = tenantOf(tree);
  return { ...tenant, integration: { project_id: tenant.projectId, id } };
};

const stored = ({ integration }: Connected): Promise<Integration> =>
  requireItem(platform().world.table, Integrations, integration, { consistent: true });

const keyFile = (): string => join(platform().dataDir, "token-keys");

/** Searches at the provider; what it was sent as a token, if it was asked. */
const search = async (by: Connected): Promise<{ readonly answer: Answer; readonly sent: unknown }> => {
  provider().answers(() => ({ status: 200, body: { items: [] } }));
  const before = provider().requests.length;
  const path = `/api/projects/${by.projectId}/error_tracking/external_references/search_issues/`;
  const answer = await apiClient(platform().baseUrl, by.personalKey).get(`${path}?integration_id=${by.integration.id}&repository=shop`);
  return { answer, sent: provider().requests.slice(before)[0]?.headers.authorization };
};

const link = (by: Connected): Promise<Answer> => {
  const wanted = new URLSearchParams({ owner: "acme", repository: "shop", code_sample: "a()", file_name: "a.py" });
  const path = `/api/projects/${by.projectId}/error_tracking/git-provider-file-links/resolve_github/`;
  return apiClient(platform().baseUrl, by.personalKey).get(`${path}?${wanted}`);
};

const REFUSED = {
  status: 400,
  body: { type: "validation_error", code: "invalid_input", attr: null, detail: expect.stringContaining("has to be given again") },
};

let home: Connected;
beforeAll(async () => {
  home = await connected("tokens-home", { organization: "acme", access_token: "token-of-home" });
});

describe("the token of an integration", () => {
  it("reaches the provider, and lies in no file of the platform; its key does in one that is its owner's alone", async () => {
    expect(await search(home)).toMatchObject({ answer: { status: 200 }, sent: "Bearer token-of-home" });
    const files = readdirSync(platform().dataDir, { recursive: true, encoding: "utf8" })
      .map((name) => join(platform().dataDir, name))
      .filter((path) => statSync(path).isFile());
    expect(files).toContain(keyFile());
    expect(files.filter((path) => readFileSync(path).includes("token-of-home"))).toEqual([]);
    const [key = ""] = readFileSync(keyFile(), "utf8").trim().split(":").slice(1);
    expect(files.filter((path) => readFileSync(path).includes(key))).toEqual([keyFile()]);
    expect(statSync(keyFile()).mode & 0o777).toBe(0o600);
  });

  it("is written once, however often it is applied, and planned without being written", async () => {
    const { world } = platform();
    const before = await stored(home);
    const document = documentOf("tokens-home", { organization: "acme", access_token: "token-of-home" });
    expect(await planDocument(world, document)).toEqual([]);
    await applyDocument(world, document);
    expect(await stored(home)).toEqual(before);
    const next = documentOf("tokens-home", { organization: "acme", access_token: "another" });
    expect(await planDocument(world, next)).toMatchObject([{ change: "change", what: "integration", attributes: ["sealed_token"] }]);
    expect(await stored(home)).toEqual(before);
  });

  it("of an earlier release is read, and encrypted by the next apply of its document, which need not name it", async () => {
    const { world } = platform();
    const old = await connected("tokens-old", {});
    const config = { organization: "acme", access_token: "old-token" };
    const { sealed_token: _, ...item } = await stored(old);
    await put(world.table, Integrations, { ...item, config, sealed_token: null });
    expect(await search(old)).toMatchObject({ answer: { status: 200 }, sent: "Bearer old-token" });
    const document = documentOf("tokens-old", config);
    for (const organization of document.organizations)
      for (const project of organization.projects) project.integrations = [{ key: "hub", kind: "github" } as never];
    await applyDocument(world, document);
    const after = await stored(old);
    expect(after).toMatchObject({ config: { organization: "acme" }, sealed_token: { key: expect.any(String) } });
    expect(JSON.stringify(after)).not.toContain("old-token");
    expect(await search(old)).toMatchObject({ answer: { status: 200 }, sent: "Bearer old-token" });
  });

  it("of an older key is read by the running platform beside those of the newer one, and comes under it with the next apply", async () => {
    const { world } = platform();
    const rotated = await connected("tokens-rotated", { organization: "acme", access_token: "before" });
    const older = await stored(rotated);
    const newer = `rotated:${Buffer.alloc(32, 7).toString("base64")}\n`;
    await writeFile(keyFile(), newer + (await readFile(keyFile(), "utf8")));
    expect(await search(rotated)).toMatchObject({ answer: { status: 200 }, sent: "Bearer before" });
    await applyDocument(world, documentOf("tokens-rotated", { organization: "acme", access_token: "before" }));
    expect((await stored(rotated)).sealed_token).toMatchObject({ key: "rotated" });
    expect(older.sealed_token?.key).not.toBe("rotated");
    expect(await search(rotated)).toMatchObject({ answer: { status: 200 }, sent: "Bearer before" });
    expect(await search(home)).toMatchObject({ answer: { status: 200 }, sent: "Bearer token-of-home" });
  });

  it("400: of another project, changed, or of a key that is gone, reaches nobody, and a document that gives it again mends it", async () => {
    const { world } = platform();
    const broken = await connected("tokens-broken", { organization: "acme", access_token: "mine" });
    const { sealed_token: foreign } = await stored(home);
    const { sealed_token: own } = await stored(broken);
    if (foreign === null || own === null) throw new Error("no token was encrypted");
    const text = `${own.text.startsWith("A") ? "B" : "A"}${own.text.slice(1)}`;
    for (const sealed_token of [foreign, { ...own, text }, { ...own, text: "" }, { ...own, key: "gone" }]) {
      await update(world.table, Integrations, broken.integration, { set: { sealed_token } });
      expect(await search(broken)).toMatchObject({ answer: REFUSED, sent: undefined });
      const before = provider().requests.length;
      expect(await link(broken)).toMatchObject({ status: 200, body: { found: false } });
      expect(provider().requests).toHaveLength(before);
    }
    await applyDocument(world, documentOf("tokens-broken", { organization: "acme", access_token: "mine" }));
    expect(await search(broken)).toMatchObject({ answer: { status: 200 }, sent: "Bearer mine" });
  });

  it("400: cannot be read while the keys cannot, and no answer shows any of them", async () => {
    const { world } = platform();
    const last = await connected("tokens-unread", { organization: "acme", access_token: "mine" });
    const sealed_token = { key: "unheard-of", text: "AAAA" };
    await update(world.table, Integrations, last.integration, { set: { sealed_token } });
    const keys = await readFile(keyFile(), "utf8");
    try {
      await writeFile(keyFile(), `${keys}c2VjcmV0\n`);
      const { answer } = await search(last);
      expect(answer.status).toBe(400);
      expect(JSON.stringify(answer.body)).not.toContain("c2VjcmV0");
    } finally {
      await writeFile(keyFile(), keys);
    }
  });

  it("is no other than a text, and no key is made where there is none", async () => {
    await expect(connected("tokens-number", { organization: "acme", access_token: 7 })).rejects.toThrow("a token is a text");
    const none = await connected("tokens-none", { organization: "acme" });
    expect((await stored(none)).sealed_token).toBeNull();
    expect((await search(none)).answer).toMatchObject({ status: 400, body: { detail: expect.stringContaining("access_token") } });
    expect(await link({ ...none, ...(await aTenant(platform().world)) })).toMatchObject({ body: { found: false } });
  });
});
