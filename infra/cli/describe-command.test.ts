import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deleteDashboard } from "../../functions/dashboards/save.ts";
import { Dashboards } from "../../lib/dashboards/dashboards.ts";
import { list } from "../../lib/table/store.ts";
import { wholeDocument } from "../../test/support/whole-document.ts";
import { openData } from "../local/stores/open-data.ts";
import { run } from "./run.ts";

let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "describe-"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const admin = (data: string, ...words: readonly string[]) => run([...words, "--data-dir", join(folder, data)], {});

const applied = async (data: string, document: unknown) => {
  const file = join(folder, "document.json");
  await writeFile(file, JSON.stringify(document));
  return admin(data, "apply", file);
};
const described = async (data: string, ...words: readonly string[]) => JSON.parse(await admin(data, "describe", ...words));

const VARIABLE = "0190d0aa-0000-7000-8000-000000000001";
const filters = (value: string) => ({ type: "AND", values: [{ type: "event", key: "$exception_types", operator: "icontains", value }] });

const ENDPOINTS = [
  {
    name: "sold",
    query: {
      kind: "HogQLQuery",
      query: "SELECT toDate(timestamp) AS day, count() AS sold FROM events WHERE event = {variables.event} GROUP BY day",
      variables: { [VARIABLE]: { variableId: VARIABLE, code_name: "event", value: "sold" } },
    },
    description: "By day",
    data_freshness_seconds: 3600,
    is_materialized: true,
    tags: ["shop"],
  },
  { name: "trend", query: { kind: "TrendsQuery", series: [{ kind: "EventsNode", event: "sold" }] }, is_active: false },
];

const RULES = {
  grouping: [
    { filters: filters("Timeout"), description: "Out of time", assignee: { member: "ana@acme.test" } },
    { filters: filters("Memory"), enabled: false },
    { filters: filters("Disk") },
  ],
  severity: [{ filters: filters("Fatal"), severity: "critical", order_key: 3 }],
  assignment: [{ filters: filters("Payment"), assignee: { member: "bob@acme.test" } }],
};

const DASHBOARDS = [
  {
    key: "shop",
    name: "The shop",
    pinned: true,
    filters: { date_from: "-30d", date_to: null, properties: null },
    tiles: [
      { endpoint: "sold", title: "Sold", plot: "line", width: 12, height: 2, variables: { event: "sold" } },
      { endpoint: "trend", version: 1 },
    ],
  },
  { key: "empty" },
];

/** The document of everything, and in its first project also what this adds. */
const documentWith = (more: object) => {
  const document = JSON.parse(JSON.stringify(wholeDocument()));
  Object.assign(document.organizations[0].projects[0], more);
  return document;
};

test("what is described makes the same elsewhere: people, projects, queries, dashboards, rules, campaigns", async () => {
  await applied("first", documentWith({ endpoints: ENDPOINTS, dashboards: DASHBOARDS, error_tracking_rules: RULES }));
  const document = await described("first");
  expect(JSON.stringify(document)).not.toMatch(/ph[xsc]_/);
  const [project] = document.organizations[0].projects;
  expect(project.endpoints).toMatchObject([
    { ...ENDPOINTS[0], engine: "auto", is_active: true },
    { ...ENDPOINTS[1], is_materialized: false },
  ]);
  expect(project.error_tracking_rules).toMatchObject(RULES);
  expect(project.dashboards).toMatchObject([DASHBOARDS[0], { key: "empty", name: "empty", description: "", pinned: false, tiles: [] }]);
  expect(document.coupon_campaigns).toMatchObject([{ slug: "launch", kind: "percent", percent: 20, max_claims: 100 }]);

  await applied("second", document);
  expect(await described("second")).toEqual(document);
});

test("applying again changes nothing, and another query or setting what it says", async () => {
  const before = await described("first");
  expect(await admin("first", "apply", join(folder, "document.json"), "--dry-run")).toBe("Everything in the document is there already.\n");
  await applied("first", before);
  expect(await described("first")).toEqual(before);

  const other = { kind: "HogQLQuery", query: "SELECT count() FROM events" };
  const severity = [{ filters: filters("Fatal"), severity: "low" }];
  await applied(
    "first",
    documentWith({ endpoints: [{ name: "sold", query: other, is_materialized: false }], error_tracking_rules: { severity } }),
  );
  const [project] = (await described("first", "--project", "1")).organizations[0].projects;
  expect(project.endpoints[0]).toMatchObject({ name: "sold", query: other, description: "By day", is_materialized: false });
  expect(project.error_tracking_rules.severity).toEqual([{ ...severity[0], order_key: 3, enabled: true }]);
  expect(project.error_tracking_rules.grouping).toHaveLength(3);
});

test("a dashboard is known by its key: what is stated changes, tiles stay the ones in their places, and one that was deleted is made anew", async () => {
  const dashboards = async () => (await described("first", "--project", "1")).organizations[0].projects[0].dashboards;
  const [before] = await dashboards();
  const tiles = [{ endpoint: "trend" }, { endpoint: "sold", title: "Sold" }, { endpoint: "sold" }];
  await applied("first", documentWith({ dashboards: [{ key: "shop", tiles }] }));
  const [after, empty] = await dashboards();
  expect(after).toMatchObject({ name: "The shop", pinned: true, filters: before.filters, tiles });
  const ids = (dashboard: { readonly tiles: readonly { readonly id: string }[] }) => dashboard.tiles.map(({ id }) => id);
  expect(ids(after).slice(0, 2)).toEqual(ids(before));
  expect(empty).toMatchObject({ key: "empty" });

  const { world, close } = await openData(join(folder, "first"));
  const [stored] = await list(world.table, Dashboards, "key", { project: 1 });
  if (stored === undefined) throw new Error("there is no dashboard");
  await deleteDashboard(world, stored);
  await close();
  await applied("first", documentWith({ dashboards: [{ key: "shop", name: "Again" }] }));
  expect(await dashboards()).toMatchObject([{ key: "empty" }, { key: "shop", name: "Again", tiles: [] }]);
});

test.each([
  [
    "a tile of an endpoint that there is not",
    { dashboards: [{ key: "lost", tiles: [{ endpoint: "gone" }] }] },
    "organizations[0].projects[0].dashboards[0].tiles.0.endpoint: This project has no endpoint",
  ],
  [
    "a query",
    { endpoints: [{ name: "wrong", query: { kind: "HogQLQuery", query: "SELECT evnt FROM events" } }] },
    "organizations[0].projects[0].endpoints[0].query: ",
  ],
  ["a query without a text", { endpoints: [{ name: "none" }] }, "organizations[0].projects[0].endpoints[0].query: A query is required."],
  [
    "a rule that everything matches",
    { error_tracking_rules: { grouping: [{ filters: { type: "AND", values: [] } }] } },
    "organizations[0].projects[0].error_tracking_rules.grouping[0].filters: ",
  ],
  [
    "whom a rule names",
    { error_tracking_rules: { assignment: [{ filters: filters("A"), assignee: { member: "nobody@acme.test" } }] } },
    "organizations[0].projects[0].error_tracking_rules.assignment[0].assignee.member: there is no member",
  ],
])("refuses %s before anything is written", async (_, more, message) => {
  const data = `refused-${message.length}`;
  await expect(applied(data, documentWith(more))).rejects.toThrow(message);
  expect(await described(data)).toEqual({ organizations: [] });
});

test("describes one project or organization, and says which there is not", async () => {
  const { organizations } = await described("first", "--project", "1");
  expect(organizations.map(({ projects }: { readonly projects: readonly object[] }) => projects.length)).toEqual([1]);
  await expect(admin("first", "describe", "--project", "77")).rejects.toThrow("There is no project 77");
  await expect(admin("first", "describe", "--organization", VARIABLE)).rejects.toThrow(`There is no organization ${VARIABLE}`);
});

test("a key is described where it was made, and never without what it is restricted to", async () => {
  const member = (...personal_api_keys: readonly object[]) => ({ email: "ana@two.test", level: "owner", personal_api_keys });
  const key = (label: string, restriction = {}) => ({ label, scopes: ["*"], ...restriction });
  const [web, app] = ["web", "app"].map((name) => ({ key: name, name }));
  const members = [member(key("all"), key("app", { scoped_teams: ["app"] }), key("both", { scoped_teams: ["web", "app"] }))];
  const organizations = [
    { key: "one", name: "One", projects: [web, app], members },
    { key: "two", name: "Two", projects: [], members: [member(key("first", { scoped_organizations: ["one"] }))] },
  ];
  await applied("keys", { organizations });
  const keysOf = async (...words: readonly string[]) =>
    Object(await described("keys", ...words)).organizations.map(({ members: all }: (typeof organizations)[number]) =>
      all.map(({ personal_api_keys }) => personal_api_keys),
    );
  expect(await keysOf()).toEqual(organizations.map((each) => each.members.map(({ personal_api_keys }) => personal_api_keys)));
  expect(await keysOf("--project", "1")).toEqual([[[key("all"), key("both", { scoped_teams: ["web"] })]]]);
  await admin("keys", "projects", "remove", "2", "--yes");
  expect(await keysOf()).toEqual([
    [[key("all"), key("both", { scoped_teams: ["web"] })]],
    [[key("first", { scoped_organizations: ["one"] })]],
  ]);
});

test("a price list of one's own goes along, and applying what is described makes no new version of it", async () => {
  const plans = [{ plan_key: "paid", name: "Paid", flat_amount_usd: "20" }];
  const prices = { products: [{ type: "support", name: "Support", plans }], effective_from: "2099-01-01" };
  await applied("prices", { billing_catalogue: prices });
  const versions = JSON.parse(await admin("prices", "billing", "catalogue", "--json"));
  const document = await described("prices");
  expect(document.billing_catalogue).toMatchObject({ products: prices.products, effective_from: "2099-01-01T00:00:00.000Z" });
  await applied("prices", document);
  expect(JSON.parse(await admin("prices", "billing", "catalogue", "--json"))).toHaveLength(versions.length);
  await applied("prices elsewhere", document);
  expect(await described("prices elsewhere")).toEqual(document);
});

test("a price list that is in force says no time, and the same products for another time are another list", async () => {
  const plans = [{ plan_key: "paid", name: "Paid", flat_amount_usd: "20" }];
  const count = async (): Promise<number> => JSON.parse(await admin("in force", "billing", "catalogue", "--json")).length;
  await applied("in force", { billing_catalogue: { products: [{ type: "support", name: "Support", plans }] } });
  const [document, versions] = [await described("in force"), await count()];
  expect(document.billing_catalogue.effective_from).toBeUndefined();
  await applied("in force", document);
  expect(await count()).toBe(versions);
  await applied("in force", { billing_catalogue: { ...document.billing_catalogue, effective_from: "2099-01-01" } });
  expect(await count()).toBe(versions + 1);
  // Left out, the time is the next month again, which is sooner.
  await applied("in force", document);
  expect(await count()).toBe(versions + 2);
});
