import { expect, test } from "vitest";
import { systemClock, systemIds } from "../../../lib/app/system.ts";
import { readCustomerState } from "../../../lib/billing/customer.ts";
import { keyItem, tokenItem } from "../../../lib/keys/credential.ts";
import { decodeProjectToken } from "../../../lib/keys/project-tokens.ts";
import { lakePk } from "../../../lib/lake/paths.ts";
import { Domains } from "../../../lib/organizations/domains.ts";
import { Roles } from "../../../lib/organizations/roles.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { Projects } from "../../../lib/projects/projects.ts";
import { keyIn } from "../../../lib/table/partitions.ts";
import * as store from "../../../lib/table/store.ts";
import { quotaItemKey, readMarkers } from "../../../lib/usage/project-quotas.ts";
import { type MemoryTable, memoryTable, TableFault } from "../../../test/simulation/ports/table.ts";
import { memoryTokenKeys } from "../../../test/support/memory-token-keys.ts";
import { overtakenTable } from "../../../test/support/overtaken-table.ts";
import { wholeDocument } from "../../../test/support/whole-document.ts";
import { applyDocument } from "./apply.ts";
import { ensureDomain } from "./organizations.ts";

const parts = (table: MemoryTable = memoryTable()) => ({
  table,
  clock: systemClock,
  ids: systemIds(systemClock),
  tokenKeys: memoryTokenKeys(),
});

const first = <T>(all: readonly T[] | undefined): T => {
  const [one] = all ?? [];
  if (one === undefined) throw new Error("expected at least one");
  return one;
};

const withoutValues = (tree: unknown): unknown =>
  JSON.parse(JSON.stringify(tree, (name, value: unknown) => (name === "value" || name === "secret_token" ? null : value)));

test("the whole document is made, and every key it prints opens what it says", async () => {
  const world = parts();
  const tree = await applyDocument(world, wholeDocument());
  const organization = first(tree.organizations);
  const [ana, bob] = organization.members;
  const project = first(organization.projects);
  expect([ana?.user_id, bob?.user_id, project.id]).toEqual([1, 2, 1]);
  expect(project.token).toMatch(/^phc_[0-9A-Za-z]{43}$/);
  expect(project.secret_token).toMatch(/^phs_[0-9A-Za-z]{43}$/);

  const personal = first(ana?.personal_api_keys);
  expect(personal.value).toMatch(/^phx_[0-9A-Za-z]{43}$/);
  expect(await world.table.get(keyItem(personal.value ?? ""))).toMatchObject({
    entity: "personal-api-key",
    ...{ id: personal.id, user_id: 1, scopes: ["*"], scoped_teams: [1], scoped_organizations: [organization.id] },
  });
  const secret = first(project.secret_api_keys);
  expect(await world.table.get(keyItem(secret.value ?? ""))).toMatchObject({
    entity: "project-secret-key",
    ...{ project_id: 1, scopes: ["account:read", "endpoint:read"] },
  });
  expect(await world.table.get(keyItem(project.secret_token ?? ""))).toMatchObject({ entity: "team-secret-token", project_id: 1 });
  expect(await world.table.get(keyItem("phs_unknown"))).toBeUndefined();

  const token = await world.table.get(tokenItem(project.token));
  expect(token && decodeProjectToken(token)).toEqual({
    project_id: 1,
    organization_id: organization.id,
    state: "active",
    autocapture_exceptions: true,
  });
  expect(await world.table.get({ pk: lakePk(1), sk: "head" })).toMatchObject({ v: 4, project: 1 });
  expect(readMarkers(await world.table.get(quotaItemKey(1)))).toEqual({ events: Date.UTC(2027, 0, 1) });
});

test("a project's word on captured exceptions is where browsers' SDKs find it", async () => {
  const world = parts();
  const said = async (project: object) => {
    const tree = await applyDocument(world, {
      organizations: [{ key: "acme", name: "Acme", projects: [{ key: "web", name: "Web", ...project }] }],
    });
    const { id, token } = first(first(tree.organizations).projects);
    const item = await world.table.get(tokenItem(token));
    const stored = await store.require(world.table, Projects, { id });
    return [stored.autocapture_exceptions, item && decodeProjectToken(item).autocapture_exceptions];
  };
  expect(await said({})).toEqual([true, true]);
  expect(await said({ autocapture_exceptions: false })).toEqual([false, false]);
  expect(await said({ timezone: "Asia/Tokyo" })).toEqual([false, false]);
  expect(await said({ autocapture_exceptions: true })).toEqual([true, true]);
});

test("nothing that is stored holds the value of a key", async () => {
  const world = parts();
  const tree = await applyDocument(world, wholeDocument());
  const values = JSON.stringify(tree).match(/ph[xs]_[0-9A-Za-z]{43}/g) ?? [];
  expect(values).toHaveLength(4);
  const stored = JSON.stringify(world.table.everything());
  for (const value of values) expect(stored).not.toContain(value);
});

test("applying the same document again writes nothing and prints the same ids without values", async () => {
  const table = memoryTable({ meter: { record: (call) => calls.push(call.kind) } });
  const calls: string[] = [];
  const before = await applyDocument(parts(table), wholeDocument());
  calls.length = 0;
  const after = await applyDocument(parts(table), wholeDocument());
  expect(new Set(calls)).toEqual(new Set(["get", "query"]));
  expect(after).toEqual(withoutValues(before));
});

test("on what exists the handles are enough, and what is left out stays", async () => {
  const world = parts();
  const before = await applyDocument(world, wholeDocument());
  const bare = {
    organizations: [
      {
        key: "acme",
        members: [{ email: "ANA@acme.test", personal_api_keys: [{ label: "all" }] }],
        projects: [
          { key: "web", secret_api_keys: [{ label: "backend" }], accounts: [{ external_id: "acme-1" }], integrations: [{ key: "gh" }] },
        ],
        oauth_applications: [{ key: "cli" }],
      },
    ],
    coupon_campaigns: [{ slug: "launch" }],
    sandbox_rate_cards: [{ version: "v1" }],
  };
  const stored = JSON.stringify(world.table.everything());
  const after = await applyDocument(world, bare);
  expect(JSON.stringify(world.table.everything())).toBe(stored);
  expect(first(after.organizations).id).toBe(first(before.organizations).id);
  expect(first(first(after.organizations).members).user_id).toBe(1);
});

test("what changed in the document changes in the table", async () => {
  const world = parts();
  await applyDocument(world, wholeDocument());
  const tree = await applyDocument(world, {
    organizations: [
      {
        key: "acme",
        settings: { desktop_access: "on" },
        members: [{ email: "bob@acme.test", level: "admin" }],
        projects: [{ key: "web", timezone: "Europe/Berlin", quota: { events: null } }],
      },
    ],
  });
  const id = first(first(tree.organizations).projects).id;
  expect(await store.get(world.table, Projects, { id })).toMatchObject({ timezone: "Europe/Berlin", name: "Web" });
  expect(readMarkers(await world.table.get(quotaItemKey(id)))).toEqual({});
  const organization = await world.table.get({ pk: `organization#${first(tree.organizations).id}`, sk: "organization" });
  expect(organization).toMatchObject({ desktop_access: "on", name: "Acme", owner_only_billing: false });
});

test("a quota marker that has no end any more is lifted", async () => {
  const world = parts();
  await applyDocument(world, wholeDocument());
  await applyDocument(world, {
    organizations: [{ key: "acme", projects: [{ key: "web", quota: { events: { limited_until: null } } }] }],
  });
  expect(readMarkers(await world.table.get(quotaItemKey(1)))).toEqual({});
});

test("a role keeps its id and has the members that were stated last; an id that it has elsewhere is taken over", async () => {
  const world = parts();
  const roles = async (...entries: readonly object[]) => {
    const tree = await applyDocument(world, { organizations: [{ key: "acme", roles: entries }] });
    const organization_id = first(tree.organizations).id;
    const stored = await Promise.all(
      first(tree.organizations).roles.map(({ id }) => store.get(world.table, Roles, { organization_id, id })),
    );
    return stored.map((role) => role && { id: role.id, name: role.name, members: role.members });
  };
  await applyDocument(world, wholeDocument());
  const [made] = await roles({ key: "checkout" });
  expect(made).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: "Checkout", members: [1] });
  const changed = { key: "checkout", name: "Payments", members: ["bob@acme.test", "ana@acme.test"] };
  expect(await roles(changed)).toEqual([{ id: made?.id, name: "Payments", members: [2, 1] }]);
  const id = "0190D0AA-0000-7000-8000-00000000000F";
  expect(await roles({ key: "ops", name: "Operations", id })).toEqual([{ id: id.toLowerCase(), name: "Operations", members: [] }]);
  await expect(roles({ key: "ops", id: made?.id })).rejects.toThrow(/^organizations\[0\]\.roles\[0\]\.id: this role has the id/);
  await expect(roles({ key: "third", name: "Third", id })).rejects.toThrow(/^organizations\[0\]\.roles\[0\]\.id: the role "Operations"/);
});

test("limits drop no data of an organization that says so, and do again once it says otherwise", async () => {
  const world = parts();
  const dropsNothing = async (never_drop_data: boolean) => {
    const tree = await applyDocument(world, { organizations: [{ key: "acme", name: "Acme", settings: { never_drop_data } }] });
    return (await readCustomerState(world.table, first(tree.organizations).id)).account;
  };
  expect(await dropsNothing(false)).toMatchObject({ never_drop_data: false, version: 0 });
  expect(await dropsNothing(true)).toMatchObject({ never_drop_data: true, version: 1 });
  expect(await dropsNothing(true)).toMatchObject({ never_drop_data: true, version: 1 });
  expect(await dropsNothing(false)).toMatchObject({ never_drop_data: false, version: 2 });
});

test("data of an organization that says so are retained past its limits", async () => {
  const world = parts();
  const settings = [{ retain_data: true }, { never_drop_data: true }, { retain_data: false }];
  const accounts = [];
  for (const each of settings) {
    const tree = await applyDocument(world, { organizations: [{ key: "acme", name: "Acme", settings: each }] });
    accounts.push((await readCustomerState(world.table, first(tree.organizations).id)).account);
  }
  expect(accounts).toMatchObject([
    { retain_data: true, never_drop_data: false, version: 1 },
    { retain_data: true, never_drop_data: true, version: 2 },
    { retain_data: false, never_drop_data: true, version: 3 },
  ]);
});

test("one address in two organizations is one user with a key in each", async () => {
  const member = { email: "eve@x.test", personal_api_keys: [{ label: "k", scopes: ["user:read"] }] };
  const world = parts();
  const tree = await applyDocument(world, {
    organizations: ["one", "two"].map((key) => ({ key, name: "Same name", members: [member] })),
  });
  const [one, two] = tree.organizations.map((organization) => first(organization.members));
  expect(one?.user_id).toBe(two?.user_id);
  expect(one?.personal_api_keys[0]?.value).not.toBe(two?.personal_api_keys[0]?.value);
  const slugs = world.table.everything().flatMap((item) => (item.entity === "organization" ? [item.slug] : []));
  expect(new Set(slugs).size).toBe(2);
});

/** The table as it is for a process whose write number `at` breaks: before it happens, after it, or with only its answer lost. */
const breaking = (table: MemoryTable, at: number, how: "before" | "after" | "answer lost"): { readonly table: Table; broke(): boolean } => {
  let writes = 0;
  let dead = false;
  const alive = () => {
    if (dead) throw new TableFault(false);
  };
  const write = async <T>(run: () => Promise<T>): Promise<T> => {
    alive();
    writes += 1;
    if (writes !== at) return run();
    dead = how !== "answer lost";
    if (how !== "before") await run();
    throw new TableFault(how !== "before");
  };
  const read = async <T>(run: () => Promise<T>): Promise<T> => {
    alive();
    return run();
  };
  return {
    table: {
      get: (key, options) => read(() => table.get(key, options)),
      getMany: (keys, options) => read(() => table.getMany(keys, options)),
      query: (query) => read(() => table.query(query)),
      put: (item, when) => write(() => table.put(item, when)),
      update: (key, change, when) => write(() => table.update(key, change, when)),
      remove: (key, when) => write(() => table.remove(key, when)),
      transact: (all) => write(() => table.transact(all)),
    },
    broke: () => writes >= at,
  };
};

test.each(["before", "after", "answer lost"] as const)("a call that breaks at any write (%s) is completed by the next one", async (how) => {
  const once = memoryTable();
  await applyDocument(parts(once), wholeDocument());
  for (let at = 1; ; at += 1) {
    const table = memoryTable();
    const broken = breaking(table, at, how);
    const told = await applyDocument({ ...parts(), table: broken.table }, wholeDocument()).catch(() => undefined);
    if (!broken.broke()) break;
    const tree = await applyDocument(parts(table), wholeDocument());
    const kinds = (of: MemoryTable) =>
      of
        .everything()
        .map((item) => String(item.entity))
        .sort();
    expect(kinds(table)).toEqual(kinds(once));
    // Where only an answer was lost and the call went on, the values were told then.
    if (told) expect(JSON.stringify(told).match(/ph[xs]_/g)).toHaveLength(4);
    expect(first(first(tree.organizations).members).uuid).toMatch(/^[0-9a-f-]{36}$/);
  }
});

const PERSONAL_KEY = "organizations.0.members.0.personal_api_keys.0";
const PROJECT = "organizations.0.projects.0";

const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });

test.each([
  ["organizations[0].members[0].level", "organizations.0.members.0.level", "boss"],
  ["organizations[0].members[0].email", "organizations.0.members.0.email", "nobody"],
  ["organizations[0].members[1].email", "organizations.0.members.1.email", "Ana@acme.test"],
  ["organizations[0].members[0].personal_api_keys[0].scopes[0]", `${PERSONAL_KEY}.scopes`, ["x:read"]],
  ["organizations[0].members[0].personal_api_keys[0].scopes", `${PERSONAL_KEY}.scopes`, []],
  ["organizations[0].members[0].personal_api_keys[0].scopes", `${PERSONAL_KEY}.scopes`, undefined],
  ["organizations[0].members[0].personal_api_keys[0].scoped_teams[0]", `${PERSONAL_KEY}.scoped_teams`, ["no"]],
  ["organizations[0].members[0].personal_api_keys[0].scoped_organizations[0]", `${PERSONAL_KEY}.scoped_organizations`, ["no"]],
  ["organizations[0].projects[0].secret_api_keys[0].scopes[0]", `${PROJECT}.secret_api_keys.0.scopes`, ["*"]],
  ["organizations[0].projects[0].secret_api_keys[1].label", `${PROJECT}.secret_api_keys.1`, { label: "backend", scopes: [] }],
  ["organizations[0].projects[0].timezone", `${PROJECT}.timezone`, "Mars/Base"],
  ["organizations[0].projects[0].quota.cakes", `${PROJECT}.quota`, { cakes: null }],
  ["organizations[0].projects[0].accounts[0].relationships.Boss", `${PROJECT}.accounts.0.relationships`, { Boss: [] }],
  ["organizations[0].projects[0].accounts[0].relationships.CSM[0]", `${PROJECT}.accounts.0.relationships`, { CSM: ["who@acme.test"] }],
  ["organizations[0].projects[0].accounts[0].custom_properties.Plan", `${PROJECT}.accounts.0.custom_properties`, { Plan: 7 }],
  ["organizations[0].projects[0].accounts[0].properties.seats", `${PROJECT}.accounts.0.properties`, { seats: 1e300 }],
  ["organizations[0].projects[0].accounts[0].properties.share", `${PROJECT}.accounts.0.properties`, { share: 1e-300 }],
  ["organizations[0].projects[0].accounts[0]", `${PROJECT}.accounts.0.tags`, ["x".repeat(400_000)]],
  [`organizations[0].projects[0].integrations[0].config${".a".repeat(30)}`, `${PROJECT}.integrations.0.config`, nested(40)],
  ["organizations[0].name", "organizations.0.name", undefined],
  ["organizations[0].name", "organizations.0.name", "\ud800"],
  ["organizations[0].key", "organizations.0.key", undefined],
  ["organizations[0].colour", "organizations.0.colour", "red"],
  ["organizations[0].roles[0].name", "organizations.0.roles.0.name", undefined],
  ["organizations[0].roles[0].id", "organizations.0.roles.0.id", "boss"],
  ["organizations[0].roles[0].members[0]", "organizations.0.roles.0.members", ["who@acme.test"]],
  ["organizations[0].roles[0].members[1]", "organizations.0.roles.0.members", ["ana@acme.test", "ANA@acme.test"]],
  ["organizations[0].roles[1].key", "organizations.0.roles.1", { key: "checkout", name: "Another" }],
  [
    "organizations[0].oauth_applications[0].redirect_uris[0]",
    "organizations.0.oauth_applications.0.redirect_uris",
    ["javascript:alert(1)"],
  ],
  [
    "organizations[0].oauth_applications[0].redirect_uris[1]",
    "organizations.0.oauth_applications.0.redirect_uris",
    ["https://cli.test/cb", "https://*.cli.test/cb"],
  ],
  ["organizations[0].access[0].member", "organizations.0.access.0.member", "who@acme.test"],
  ["organizations[0].domains[0].domain", "organizations.0.domains.0.domain", "nodots"],
  ["organizations[1].key", "organizations.1", { key: "acme" }],
  ["coupon_campaigns[0].percent", "coupon_campaigns.0.percent", undefined],
  ["coupon_campaigns[0].codes[1]", "coupon_campaigns.0.codes", ["LAUNCH-0001", "LAUNCH-0002 "]],
  ["coupon_campaigns[0].valid_days", "coupon_campaigns.0.valid_days", 999_999_999],
  ["sandbox_rate_cards[0].expires_at", "sandbox_rate_cards.0.expires_at", "2020-01-01T00:00:00Z"],
])("a mistake at %s is named before anything is written", async (path, place, value) => {
  const table = memoryTable();
  await expect(applyDocument(parts(table), altered(place, value))).rejects.toThrow(new RegExp(`^${path.replace(/[[\].]/g, "\\$&")}: `));
  expect(table.everything()).toEqual([]);
});

test("a property of type datetime takes a day or a moment, and no other text", async () => {
  const document = (Plan: string) => {
    const account = { external_id: "acme-1", custom_properties: { Plan } };
    const project = { key: "web", name: "Web", account_custom_properties: [{ name: "Plan", type: "datetime" }], accounts: [account] };
    return { organizations: [{ key: "acme", name: "Acme", projects: [project] }] };
  };
  for (const text of ["1", "May", "2026-02-30", "2026-07-01T25:00:00Z"])
    await expect(applyDocument(parts(), document(text))).rejects.toThrow(".custom_properties.Plan: expected a datetime");
  for (const text of ["2026-07-01", "2026-07-01T12:00Z", "2026-07-01T12:00:00.5+02:00"])
    await expect(applyDocument(parts(), document(text))).resolves.toBeDefined();
});

test("what is no document is refused as a whole", async () => {
  await expect(applyDocument(parts(), [])).rejects.toThrow(/^the document: /);
});

/** The whole document with one place changed, or removed when the value is undefined. */
const altered = (place: string, value: unknown): unknown => {
  const document = wholeDocument();
  const names = place.split(".");
  const last = names.pop() ?? "";
  const parent = names.reduce<object>((within, name) => {
    const next: unknown = Reflect.get(within, name);
    if (typeof next !== "object" || next === null) throw new Error(`there is no ${place}`);
    return next;
  }, document);
  if (value === undefined) Reflect.deleteProperty(parent, last);
  else Reflect.set(parent, last, value);
  return document;
};

const NUMBERS = Array.from({ length: 60 }, (_, number) => number);
const house = (project: object) => ({
  organizations: [{ key: "acme", name: "Acme", projects: [{ key: "web", name: "Web", ...project }] }],
});

test("of 60 documents at once, as many make something as a project may have of it", async () => {
  const world = parts();
  await applyDocument(world, house({}));
  const integration = (number: number) => ({ integrations: [{ key: `gh-${number}`, kind: "github", config: {} }] });
  const outcomes = await Promise.allSettled(NUMBERS.map((number) => applyDocument(world, house(integration(number)))));
  const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [String(outcome.reason)] : []));
  expect(refused).toEqual(Array.from({ length: 10 }, () => "ListFull: A project has at most 50 integrations."));
  expect(world.table.everything().filter(({ entity }) => entity === "integration")).toHaveLength(50);
});

test("a domain that two documents name at once is named by one of them, and is as the later one says", async () => {
  const world = parts();
  const document = (verified?: boolean) => ({ organizations: [{ key: "acme", domains: [{ domain: "acme.test", verified }] }] });
  const { organizations } = await applyDocument(world, { organizations: [{ key: "acme", name: "Acme" }] });
  const key = { organization_id: first(organizations).id, domain: "acme.test" };
  const table = overtakenTable(world.table, () => applyDocument(world, document(false)));
  await ensureDomain({ ...world, table }, key.organization_id, { domain: key.domain, verified: true });
  expect(await store.get(world.table, Domains, key)).toMatchObject({ verified_at: expect.any(String) });
});

test("a relationship or property that two documents make at once is made by one of them, and 200 are as many as there may be", async () => {
  const world = parts();
  await applyDocument(world, house({}));
  const CSM = { account_relationships: ["CSM"], account_custom_properties: [{ name: "plan", type: "string" }] };
  await Promise.all(NUMBERS.slice(0, 5).map(() => applyDocument(world, house(CSM))));
  const made = () => world.table.everything().filter(({ entity }) => entity === "account-relationship-definition");
  const [before] = made();
  await applyDocument(
    world,
    house({ account_relationships: Array.from({ length: 200 }, (_, number) => (number === 0 ? "CSM" : `r${number}`)) }),
  );
  expect(made()).toHaveLength(200);
  expect(made()).toContainEqual(before);
  await expect(applyDocument(world, house({ account_relationships: ["one more"] }))).rejects.toThrow("at most 200 account relationships");
});

test("what a project has no room for is refused at its place, before anything is made", async () => {
  const many = (count: number) => Array.from({ length: count }, (_, number) => `n${number}`);
  const integrations = (count: number) => ({ integrations: many(count).map((key) => ({ key, kind: "github", config: {} })) });
  const relationships = (count: number) => ({ account_relationships: many(count) });
  const properties = (count: number) => ({ account_custom_properties: many(count).map((name) => ({ name, type: "string" })) });
  const project = "organizations[0].projects[0]";
  const cases = [
    [integrations(51), `${project}.integrations[50]: A project has at most 50 integrations.`],
    [relationships(201), `${project}.account_relationships[200]: A project has at most 200 account relationships.`],
    [properties(201), `${project}.account_custom_properties[200]: A project has at most 200 custom properties of accounts.`],
  ] as const;
  for (const [over, sentence] of cases) {
    const world = parts();
    await expect(applyDocument(world, house({ ...over, secret_api_keys: [{ label: "s", scopes: [] }] }))).rejects.toThrow(sentence);
    expect(world.table.everything()).toEqual([]);
  }
  const world = parts();
  await applyDocument(world, house({ ...integrations(50), ...relationships(200), ...properties(200) }));
  await applyDocument(world, house({ ...integrations(50), ...relationships(200), ...properties(200) }));
  for (const [over, sentence] of cases) await expect(applyDocument(world, house(over))).rejects.toThrow(sentence);
});

test("a key that is made by a document counts, whatever the bound", async () => {
  const world = parts();
  const keys = NUMBERS.slice(0, 12).map((number) => ({ label: `k${number}`, scopes: ["*"] }));
  const member = { email: "eve@x.test", level: "owner", personal_api_keys: keys };
  const document = { organizations: [{ key: "acme", name: "Acme", members: [member] }] };
  await applyDocument(world, document);
  await applyDocument(world, document);
  const count = (item: { readonly pk: string; readonly sk: string }) => world.table.now(item)?.count;
  expect(count(keyIn("personalKeyCount", "count", { user: 1 }))).toBe(12);
  expect(count(keyIn("ownedOrganizationCount", "count", { user: 1 }))).toBe(1);
  await applyDocument(world, { organizations: [{ key: "acme", members: [{ email: "eve@x.test", level: "member" }] }] });
  expect(count(keyIn("ownedOrganizationCount", "count", { user: 1 }))).toBe(0);
});
