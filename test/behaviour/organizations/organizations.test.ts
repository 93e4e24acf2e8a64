import { beforeAll, describe, expect, it } from "vitest";
import { applyDocument } from "../../../infra/cli/apply/apply.ts";
import { commitSk, lakePk } from "../../../lib/lake/paths.ts";
import { Organizations } from "../../../lib/organizations/organizations.ts";
import { update } from "../../../lib/table/store.ts";
import { apiClient } from "../../support/api-client.ts";
import { aPlatform, aTenant } from "../../support/processes/platform.ts";
import { type AnOrganization, anOrganizationOfMany } from "../../support/samples/an-organization.ts";

const platform = aPlatform();
let house: AnOrganization;
let path = "";

beforeAll(async () => {
  house = await anOrganizationOfMany(platform());
  path = `/api/organizations/${house.id}/`;
});

const STAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?Z$/;
const notFound = { status: 404, body: { type: "invalid_request", code: "not_found", detail: "Not found.", attr: null } };
const denied = { type: "authentication_error", code: "permission_denied", attr: null };

describe("GET /organizations/", () => {
  it("lists the caller's organizations, whole", async () => {
    const { status, body } = await house.as.member.get("/api/organizations/?limit=5");
    expect([status, body]).toEqual([
      200,
      {
        count: 1,
        next: null,
        previous: null,
        results: [
          {
            id: house.id,
            name: expect.stringMatching(/^House \d+$/),
            slug: expect.stringMatching(/^house-\d+$/),
            logo_media_id: null,
            created_at: expect.stringMatching(STAMP),
            updated_at: expect.stringMatching(STAMP),
            membership_level: 1,
            plugins_access_level: 3,
            teams: [
              {
                id: house.project,
                uuid: expect.any(String),
                organization: house.id,
                project_id: house.project,
                api_token: expect.stringMatching(/^phc_/),
                name: "Web",
                completed_snippet_onboarding: false,
                has_completed_onboarding_for: null,
                ingested_event: false,
                is_demo: false,
                timezone: "UTC",
                access_control: false,
              },
            ],
            projects: [{ id: house.project, organization_id: house.id, name: "Web" }],
            available_product_features: null,
            is_member_join_email_enabled: true,
            metadata: { instance_tag: "none" },
            customer_id: null,
            enforce_2fa: null,
            members_can_invite: true,
            members_can_create_projects: true,
            members_can_use_personal_api_keys: true,
            allow_publicly_shared_resources: true,
            member_count: 5,
            is_ai_data_processing_approved: null,
            is_ai_training_opted_in: null,
            is_ai_training_locked: null,
            is_ai_training_cta_shown: null,
            is_hipaa: false,
            default_experiment_stats_method: "bayesian",
            default_anonymize_ips: false,
            default_role_id: null,
            is_active: true,
            is_not_active_reason: null,
            is_pending_deletion: false,
            enforce_verified_domains: false,
          },
        ],
      },
    ]);
  });

  it("says of a project that it has events as soon as these are stored, and not when they are gathered", async () => {
    const { world, baseUrl } = platform();
    const { organizationId, projectId, personalKey } = await aTenant(world);
    const teams = async () => (await apiClient(baseUrl, personalKey).get(`/api/organizations/${organizationId}/`)).body;
    expect(await teams()).toMatchObject({ teams: [{ ingested_event: false }] });
    await world.table.put({ pk: lakePk(projectId), sk: commitSk(world.ids.ulid()) });
    expect(await teams()).toMatchObject({ teams: [{ ingested_event: true, completed_snippet_onboarding: true }] });
  });

  it("is narrowed to the organizations that a key is restricted to, in pages", async () => {
    const own = { level: "owner", email: "roving@roving.test" };
    const keys = [
      { label: "free", scopes: ["organization:read"] },
      { label: "placed", scopes: ["*"], scoped_organizations: ["roving-b"] },
    ];
    const tree = await applyDocument(platform().world, {
      organizations: [
        { key: "roving-a", name: "A", members: [{ ...own, personal_api_keys: keys }] },
        { key: "roving-b", name: "B", members: [own] },
      ],
    });
    const [free, placed] = (tree.organizations[0]?.members[0]?.personal_api_keys ?? []).map(({ value }) =>
      apiClient(platform().baseUrl, value ?? ""),
    );
    const address = `${platform().baseUrl}/api/organizations/?limit=1&offset=1`;
    expect((await free?.get("/api/organizations/?limit=1"))?.body).toMatchObject({ count: 2, next: address, results: [{ name: "A" }] });
    expect((await placed?.get("/api/organizations/"))?.body).toMatchObject({ count: 1, results: [{ name: "B" }] });
    expect((await placed?.get("/api/organizations/@current/"))?.body).toMatchObject({ name: "B" });
    expect(await placed?.get(`/api/organizations/${tree.organizations[0]?.id}/`)).toMatchObject(notFound);
  });

  it("goes on with the next one that a key is restricted to where the first is gone", async () => {
    const own = { level: "owner", email: "moving@moving.test" };
    const keys = [
      { label: "places", scopes: ["*"], scoped_organizations: ["moving-a", "moving-b"] },
      { label: "free", scopes: ["*"] },
    ];
    const tree = await applyDocument(platform().world, {
      organizations: [
        { key: "moving-a", name: "A", members: [{ ...own, personal_api_keys: keys }], projects: [{ key: "moving-first", name: "First" }] },
        { key: "moving-b", name: "B", members: [own], projects: [{ key: "moving-second", name: "Second" }] },
      ],
    });
    const [places, free] = (tree.organizations[0]?.members[0]?.personal_api_keys ?? []).map(({ value }) =>
      apiClient(platform().baseUrl, value ?? ""),
    );
    const scoped_teams = tree.organizations.flatMap((each) => each.projects.map(({ id }) => id));
    const made = await free?.post("/api/personal_api_keys/", { label: "projects", scopes: ["*"], scoped_teams, scoped_organizations: [] });
    const projects = apiClient(platform().baseUrl, String(Object(made?.body).value));
    const current = async () => [
      (await places?.get("/api/organizations/@current/"))?.body,
      (await places?.get("/api/billing/"))?.status,
      (await projects.get("/api/projects/@current/quota_limits/"))?.status,
      (await projects.get("/api/billing/"))?.status,
    ];
    expect(await current()).toMatchObject([{ name: "A" }, 200, 200, 200]);
    expect((await places?.remove(`/api/organizations/${tree.organizations[0]?.id}/`))?.status).toBe(204);
    expect(await current()).toMatchObject([{ name: "B" }, 200, 200, 200]);
    expect((await places?.remove("/api/organizations/@current/"))?.status).toBe(204);
    expect(await current()).toMatchObject([notFound.body, 403, 404, 403]);
  });
});

describe("POST /organizations/", () => {
  it("makes the caller the owner of an organization with one project, which takes events and keys at once", async () => {
    const made = await house.as.member.post("/api/organizations/", { name: " Fresh & Co ", plugins_access_level: 9, is_active: false });
    expect(made).toMatchObject({
      status: 201,
      body: {
        name: "Fresh & Co",
        slug: "fresh-co",
        membership_level: 15,
        member_count: 1,
        plugins_access_level: 3,
        is_active: true,
        projects: [{ name: "Default project" }],
      },
    });
    const { teams, id } = made.body as { id: string; teams: [{ id: number }] };
    expect((await house.as.member.get(`/api/projects/${teams[0].id}/endpoints/`)).status).toBe(200);
    expect((await house.as.admin.get(`/api/organizations/${id}/`)).status).toBe(404);
  });

  it("403: is not for a key that is restricted to an organization or to projects", async () => {
    const keys = [
      { label: "placed", scopes: ["*"], scoped_organizations: ["bound"] },
      { label: "project", scopes: ["*"], scoped_teams: ["web"] },
      { label: "read", scopes: ["organization:read"] },
    ];
    const tree = await applyDocument(platform().world, {
      organizations: [
        {
          key: "bound",
          name: "Bound",
          members: [{ email: "bound@bound.test", level: "owner", personal_api_keys: keys }],
          projects: [{ key: "web", name: "Web" }],
        },
      ],
    });
    for (const { value } of tree.organizations[0]?.members[0]?.personal_api_keys ?? []) {
      const answer = await apiClient(platform().baseUrl, value ?? "").post("/api/organizations/", { name: "Another" });
      expect(answer).toMatchObject({ status: 403, body: { type: "authentication_error", code: "permission_denied", attr: null } });
    }
  });

  it("gives two organizations of one name slugs of their own", async () => {
    const make = () => house.as.member.post("/api/organizations/", { name: "Twin" });
    const made = await Promise.all([make(), make()]);
    const slugs = made.map(({ body }) => (body as { slug: string }).slug);
    expect(new Set(slugs).size).toBe(2);
    for (const slug of slugs) expect(slug).toMatch(/^twin(-[0-9a-f]{6})?$/);
  });

  it("leaves marks over letters out of a slug", async () => {
    const made = await house.as.member.post("/api/organizations/", { name: "Zürich & Söhne" });
    expect(made).toMatchObject({ status: 201, body: { name: "Zürich & Söhne", slug: "zurich-sohne" } });
  });

  it.each([
    [{}, "required", "name"],
    [{ name: "" }, "blank", "name"],
    [{ name: null }, "null", "name"],
    [{ name: "x".repeat(65) }, "max_length", "name"],
    [{ name: "a", enforce_verified_domains: true }, "invalid_input", "enforce_verified_domains"],
    [{ name: "a", default_experiment_stats_method: "guess" }, "invalid_choice", "default_experiment_stats_method"],
    [{ name: "a", logo_media_id: "x" }, "invalid_input", "logo_media_id"],
  ])("refuses %j", async (body, code, attr) => {
    expect(await house.as.owner.post("/api/organizations/", body)).toMatchObject({
      status: 400,
      body: { type: "validation_error", code, attr },
    });
  });
});

describe("GET, PUT and PATCH /organizations/{id}/", () => {
  it("takes @current for the id", async () => {
    expect((await house.as.owner.get("/api/organizations/@current/")).body).toMatchObject({ id: house.id, membership_level: 15 });
  });

  it("changes what is sent and nothing else, and renames without a new slug", async () => {
    const patched = await house.as.admin.patch(path, { enforce_2fa: true, members_can_invite: null, logo_media_id: house.id, slug: "x" });
    expect(patched).toMatchObject({
      status: 200,
      body: { enforce_2fa: true, members_can_invite: null, logo_media_id: house.id, membership_level: 8 },
    });
    const { slug } = patched.body as { slug: string };
    const replaced = await house.as.owner.put(path, { name: "Renamed", is_pending_deletion: true });
    expect(replaced).toMatchObject({ status: 200, body: { name: "Renamed", slug, enforce_2fa: true, is_pending_deletion: false } });
    expect(await house.as.owner.put(path, {})).toMatchObject({ status: 400, body: { code: "required", attr: "name" } });
  });

  it("takes a form: PATCH leaves alone what it does not name, and of PUT an absent boolean is a box that is not ticked", async () => {
    const own = await anOrganizationOfMany(platform());
    const url = `${platform().baseUrl}/api/organizations/${own.id}/`;
    const send = async (method: string) => {
      const headers = { authorization: `Bearer ${own.keys.owner}` };
      const answer = await fetch(url, { method, headers, body: new URLSearchParams({ name: `By ${method}` }) });
      return { status: answer.status, body: await answer.json() };
    };
    expect(await send("PATCH")).toMatchObject({ status: 200, body: { name: "By PATCH", allow_publicly_shared_resources: true } });
    expect(await send("PUT")).toMatchObject({ status: 200, body: { name: "By PUT", allow_publicly_shared_resources: false } });
  });

  it("takes no body beyond 4 MiB, however long it is, and does not say that it were shorter", async () => {
    expect(await house.as.owner.patch(path, { name: "x".repeat(5_000_000) })).toMatchObject({
      status: 413,
      body: { code: "payload_too_large", detail: "The body is longer than 4194304 bytes, and no more are taken.", attr: null },
    });
  });

  it("is for admins and owners, and hidden from strangers", async () => {
    const stranger = await anOrganizationOfMany(platform());
    expect(await house.as.member.patch(path, { name: "x" })).toMatchObject({
      status: 403,
      body: { ...denied, detail: "Your organization access level is insufficient." },
    });
    for (const answer of [await stranger.as.owner.get(path), await stranger.as.owner.patch(path, { name: "x" })])
      expect(answer).toMatchObject(notFound);
    expect(await house.as.owner.get("/api/organizations/nothing/")).toMatchObject(notFound);
  });
});

describe("an organization that insists on verified domains", () => {
  const required = { status: 403, body: { type: "authentication_error", code: "verified_domain_required", attr: null } };

  it("keeps out members of other domains from the next request on, and owners from all but the setting", async () => {
    const strict = await anOrganizationOfMany(platform());
    const own = `/api/organizations/${strict.id}/`;
    const things = `/api/projects/${strict.project}/endpoints/`;
    expect((await strict.as.outsider.get(things)).status).toBe(200);
    expect(await strict.as.admin.patch(own, { enforce_verified_domains: true })).toMatchObject({
      status: 200,
      body: { enforce_verified_domains: true, member_count: 5 },
    });
    for (const answer of [
      await strict.as.outsider.get(own),
      await strict.as.outsider.get("/api/organizations/@current/"),
      await strict.as.outsider.get("/api/organizations/"),
      await strict.as.outsider.get(things),
      await strict.as.outsider.post(things, { name: "a" }),
      await strict.as.outsideOwner.get(things),
    ])
      expect(answer).toMatchObject(required);
    for (const person of ["owner", "admin", "member"] as const) expect((await strict.as[person].get(things)).status).toBe(200);
    expect((await strict.as.outsideOwner.get(own)).status).toBe(200);
    expect((await strict.as.outsideOwner.get("/api/organizations/")).body).toMatchObject({ count: 1 });
    expect(await strict.as.outsideOwner.patch(own, { enforce_verified_domains: false })).toMatchObject({
      status: 200,
      body: { enforce_verified_domains: false },
    });
    expect((await strict.as.outsider.get(things)).status).toBe(200);
  });

  it("needs a verified domain, and one that covers whoever asks", async () => {
    const loose = await anOrganizationOfMany(platform(), { domains: [{ domain: "unverified.test", verified: false }] });
    const refusal = (code: string) => ({ status: 400, body: { type: "validation_error", code, attr: "enforce_verified_domains" } });
    const ask = { enforce_verified_domains: true };
    expect(await loose.as.owner.patch(`/api/organizations/${loose.id}/`, ask)).toMatchObject(refusal("invalid_input"));
    expect(await house.as.outsideOwner.patch(path, ask)).toMatchObject(refusal("would_block_self"));
    expect((await house.as.member.get(path)).body).toMatchObject({ enforce_verified_domains: false });
  });
});

it("a deactivated organization refuses every key with the operator's reason", async () => {
  const closed = await anOrganizationOfMany(platform(), {
    projects: [{ key: "web", name: "Web", secret_api_keys: [{ label: "run", scopes: ["endpoint:read"] }] }],
  });
  await update(platform().world.table, Organizations, { id: closed.id }, { set: { is_active: false, is_not_active_reason: "Unpaid." } });
  for (const target of [`/api/organizations/${closed.id}/`, `/api/projects/${closed.project}/endpoints/`, "/api/organizations/"])
    expect(await closed.as.owner.get(target)).toMatchObject({ status: 403, body: { ...denied, detail: "Unpaid." } });
});

it("an organization that takes no keys of its members is not listed to them either, and is to its admins", async () => {
  const closed = await anOrganizationOfMany(platform());
  const own = `/api/organizations/${closed.id}/`;
  await closed.as.owner.patch(own, { name: "No keys", members_can_use_personal_api_keys: false });
  const refusal = { ...denied, detail: 'Organization "No keys" does not allow its members to use personal API keys.' };
  for (const target of [own, "/api/organizations/"])
    expect(await closed.as.member.get(target)).toMatchObject({ status: 403, body: refusal });
  expect((await closed.as.admin.get("/api/organizations/")).body).toMatchObject({ count: 1 });
  await closed.as.member.post("/api/organizations/", { name: "Own" });
  expect((await closed.as.member.get("/api/organizations/")).body).toMatchObject({ count: 1, results: [{ name: "Own" }] });
});
