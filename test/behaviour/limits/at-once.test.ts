import { describe, expect, it } from "vitest";
import * as z from "zod";
import { applyDocument } from "../../../infra/cli/apply/apply.ts";
import { revokeKeys } from "../../../infra/cli/keys-command.ts";
import { forgetCallers } from "../../../lib/auth/callers.ts";
import { Issues } from "../../../lib/error-tracking/issues.ts";
import type { Key } from "../../../lib/ports/table.ts";
import { counterKey, keyIn } from "../../../lib/table/partitions.ts";
import { put } from "../../../lib/table/store.ts";
import { type ApiClient, apiClient } from "../../support/api-client.ts";
import { type ATenant, aPlatform, tenantDocument, tenantOf } from "../../support/processes/platform.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";

const platform = aPlatform();

const AT_ONCE = 60;
/** What is left of a list that may have more than are made at once. */
const LEFT = 7;
const ISSUE = "01957a50-0c0e-7b52-8a3e-2f6f8a6f1a11";

interface Place extends ATenant {
  readonly api: ApiClient;
  readonly integration: number;
}

/** A tenant of its own for each list: so many requests are as many as a key may send in a minute. */
const aPlace = async (name: string): Promise<Place> => {
  const { world, baseUrl } = platform();
  const integrations = [{ key: "gh", kind: "github", config: { organization: "acme", access_token: "t" } }];
  const organizations = tenantDocument(name).organizations.map((organization) => ({
    ...organization,
    projects: organization.projects.map((project) => ({ ...project, integrations })),
  }));
  const tree = await applyDocument(world, { organizations });
  const tenant = tenantOf(tree);
  return {
    ...tenant,
    api: apiClient(baseUrl, tenant.personalKey),
    integration: tree.organizations[0]?.projects[0]?.integrations[0]?.id ?? 0,
  };
};

const anIssue = ({ projectId: project }: Place): Promise<void> => {
  const now = "2026-03-01T10:00:00.000000Z";
  const made = {
    status: "active",
    severity: null,
    name: "E",
    description: null,
    first_seen: now,
    assignee: null,
    created_at: now,
  } as const;
  return put(platform().world.table, Issues, { project, id: ISSUE, ...made });
};

interface Bounded {
  readonly name: string;
  readonly path: (place: Place) => string;
  /** The request that makes the one of this number. */
  readonly body: (number: number, place: Place) => object | undefined;
  /** How many more there may be of it. */
  readonly room: number;
  /** For a list that may have more than are made at once: where its length is kept, and what it may have. */
  readonly longer?: readonly [counter: (place: Place) => Key, most: number];
}

const inProject =
  (path: string) =>
  ({ projectId }: Place): string =>
    `/api/projects/${projectId}/${path}`;
const count =
  (list: Parameters<typeof counterKey>[0]) =>
  ({ projectId }: Place): Key =>
    counterKey(list, projectId);
const FILTERS = { type: "AND", values: [{ type: "event", key: "$exception_types", operator: "exact", value: "A" }] };

const LISTS: readonly Bounded[] = [
  // One of each is in the document.
  {
    name: "keys of a person",
    path: () => "/api/personal_api_keys/",
    body: (number) => ({ label: `key ${number}`, scopes: ["user:read"], scoped_teams: null, scoped_organizations: null }),
    room: 9,
  },
  {
    name: "secret keys of a project",
    path: inProject("project_secret_api_keys/"),
    body: (number) => ({ label: `key ${number}`, scopes: ["account:read"] }),
    room: 49,
  },
  { name: "organizations of a person", path: () => "/api/organizations/", body: (number) => ({ name: `Acme ${number}` }), room: 19 },
  {
    name: "domains of an organization",
    path: ({ organizationId }) => `/api/organizations/${organizationId}/domains/`,
    body: (number) => ({ domain: `d${number}.example` }),
    room: LEFT,
    longer: [({ organizationId: organization }) => keyIn("domainCount", "count", { organization }), 100],
  },
  {
    name: "endpoints of a project",
    path: inProject("endpoints/"),
    body: (number) => ({ name: `e${number}`, query: sqlQuery("SELECT 1") }),
    room: LEFT,
    longer: [count("endpointCount"), 2_000],
  },
  {
    name: "dashboards of a project",
    path: inProject("dashboards/"),
    body: () => ({ name: "Shop" }),
    room: LEFT,
    longer: [count("dashboardCount"), 500],
  },
  ...(["grouping", "severity", "assignment"] as const).map((kind) => ({
    name: `${kind} rules of a project`,
    path: inProject(`error_tracking/${kind}_rules/`),
    body: (_: number, { userId }: Place) => ({
      filters: FILTERS,
      ...(kind === "severity" && { severity: "low" }),
      ...(kind === "assignment" && { assignee: { type: "user", id: String(userId) } }),
    }),
    room: LEFT,
    longer: [count(`${kind}RuleCount`), kind === "grouping" ? 300 : 100] as const,
  })),
  {
    name: "alert rules of a project",
    path: inProject("error_tracking/alert_rules/"),
    body: (_, { userId }) => ({ name: "On call", trigger: "issue_created", channels: [{ type: "email", user_id: userId }] }),
    room: 50,
  },
  {
    name: "external references of a project",
    path: inProject("error_tracking/external_references/link_issue/"),
    body: (number, { integration: integration_id }) => ({
      integration_id,
      issue: ISSUE,
      external_context: { repository: "shop", number: number + 1 },
    }),
    room: LEFT,
    longer: [count("externalReferenceCount"), 50_000],
  },
  {
    name: "webhooks of an organization",
    path: () => "/api/billing/webhooks/",
    body: () => ({ url: "http://127.0.0.1:9/in", events: ["billing.invoice"] }),
    room: 10,
  },
];

describe("of 60 that are made at once there are exactly as many as may be", () => {
  it.each(LISTS)("$name", async ({ name, path, body, room, longer }) => {
    const { table, clock } = platform().world;
    const place = await aPlace(name.replaceAll(" ", "-"));
    await anIssue(place);
    if (longer) await table.put({ ...longer[0](place), count: longer[1] - room, at: clock.now() });
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, number) => place.api.post(path(place), body(number, place))));
    const refused = answers.filter(({ status }) => status !== 201);
    for (const { status, body: problem } of refused)
      expect([status, problem]).toMatchObject([400, { type: "validation_error", attr: null, detail: expect.stringMatching(/\d+ /) }]);
    expect(answers.length - refused.length).toBe(room);
  });
});

describe("what is gone makes room", () => {
  it("for keys of a person: those deleted, and those that the operator revokes", async () => {
    const { api } = await aPlace("gone-keys");
    const { world } = platform();
    const mine = "/api/personal_api_keys/";
    const wanted = { label: "new", scopes: ["user:read"], scoped_teams: null, scoped_organizations: null };
    const make = async () => (await api.post(mine, wanted)).status;
    for (let made = 1; made < 10; made += 1) expect(await make()).toBe(201);
    expect(await make()).toBe(400);
    const [one = "", two = ""] = Keys.parse((await api.get(mine)).body).flatMap(({ id, label }) => (label === "new" ? [id] : []));
    const answers = await Promise.all(Array.from({ length: 8 }, () => api.remove(`${mine}${one}/`)));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect([await make(), await make()]).toEqual([201, 400]);
    const operator = { world, forgetKeys: () => forgetCallers(world.table), close: async () => undefined };
    await revokeKeys(operator, { words: [two, two], flags: {}, switches: new Set() });
    expect([await make(), await make()]).toEqual([201, 400]);
  });

  it("for organizations of a person: those that are removed", async () => {
    const { api, userId: user } = await aPlace("gone-organizations");
    const { table, clock } = platform().world;
    const make = () => api.post("/api/organizations/", { name: "Later" });
    const { id } = Named.parse((await make()).body);
    await table.put({ ...keyIn("ownedOrganizationCount", "count", { user }), count: 20, at: clock.now() });
    expect(await make()).toMatchObject({ status: 400, body: { detail: expect.stringContaining("20 organizations") } });
    expect((await api.remove(`/api/organizations/${id}/`)).status).toBe(204);
    expect([(await make()).status, (await make()).status]).toEqual([201, 400]);
  });
});

const Named = z.object({ id: z.string() });
const Keys = z.array(Named.extend({ label: z.string() }));
