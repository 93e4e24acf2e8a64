import { expect, test } from "vitest";
import { systemClock, systemIds } from "../../../lib/app/system.ts";
import { memoryTable } from "../../../test/simulation/ports/table.ts";
import { memoryTokenKeys } from "../../../test/support/memory-token-keys.ts";
import { wholeDocument } from "../../../test/support/whole-document.ts";
import { applyDocument } from "./apply.ts";
import { planDocument } from "./dry-run.ts";

const parts = () => ({ table: memoryTable(), clock: systemClock, ids: systemIds(systemClock), tokenKeys: memoryTokenKeys() });

const told = async (world: ReturnType<typeof parts>, document: unknown) =>
  (await planDocument(world, document)).map(({ change, what, name, of, attributes }) => [change, what, name, of, attributes.join(",")]);

test("a dry run tells all that a new document makes, and writes nothing", async () => {
  const world = parts();
  expect(await told(world, wholeDocument())).toEqual([
    ["make", "organization", "Acme", "", ""],
    ["make", "domain", "acme.test", "Acme", ""],
    ["make", "user", "ana@acme.test", "", ""],
    ["make", "membership", "ana@acme.test", "Acme", ""],
    ["make", "user", "bob@acme.test", "", ""],
    ["make", "membership", "bob@acme.test", "Acme", ""],
    ["make", "role", "Checkout", "Acme", ""],
    ["make", "project", "Web", "Acme", ""],
    ["make", "project-secret-key", "backend", "Web", ""],
    ["make", "account-relationship-definition", "CSM", "Web", ""],
    ["make", "custom-property-definition", "Plan", "Web", ""],
    ["make", "account", "acme-1", "Web", ""],
    ["make", "integration", "github", "Web", ""],
    ["make", "project-quota", "", "Web", ""],
    ["make", "personal-api-key", "all", "ana@acme.test", ""],
    ["make", "personal-api-key", "read", "bob@acme.test", ""],
    ["make", "oauth-application", "CLI", "Acme", ""],
    ["make", "access-grant", "bob@acme.test", "Web", ""],
    ["make", "coupon-campaign", "launch", "", ""],
    ["make", "coupon-code", "LAUNCH-0001", "", ""],
    ["make", "sandbox-rate-card", "v1", "", ""],
  ]);
  expect(world.table.everything()).toEqual([]);
});

test("a dry run of a document that was applied tells what it changes, and of the same one nothing", async () => {
  const world = parts();
  await applyDocument(world, wholeDocument());
  expect(await told(world, wholeDocument())).toEqual([]);
  const before = world.table.everything();
  const document = wholeDocument();
  const [organization] = document.organizations;
  const [ana, bob] = organization?.members ?? [];
  const [project] = organization?.projects ?? [];
  if (!organization || !ana || !bob || !project) throw new Error("the document has them");
  Object.assign(organization, { name: "Acme & Sons", settings: { never_drop_data: true } });
  Object.assign(bob, {
    level: "admin",
    personal_api_keys: [
      { label: "read", scopes: ["endpoint:write"] },
      { label: "new", scopes: ["*"] },
    ],
  });
  Object.assign(project, { timezone: "Europe/Berlin", quota: { events: null } });
  expect(await told(world, document)).toEqual([
    ["make", "billing-account", "", "Acme & Sons", ""],
    ["change", "organization", "Acme & Sons", "", "name"],
    ["change", "membership", "bob@acme.test", "Acme & Sons", "level"],
    ["change", "project", "Web", "Acme & Sons", "timezone"],
    ["change", "project-quota", "", "Web", "until:events"],
    ["change", "personal-api-key", "read", "bob@acme.test", "scopes"],
    ["make", "personal-api-key", "new", "bob@acme.test", ""],
  ]);
  expect(world.table.everything()).toEqual(before);
});

test("a dry run refuses what applying refuses, at the same place", async () => {
  const document = { organizations: [{ key: "acme", name: "Acme", projects: [{ key: "web" }] }] };
  await expect(planDocument(parts(), document)).rejects.toThrow("organizations[0].projects[0].name: a new project needs a name");
});

const PAID = { plan_key: "paid", name: "Paid", tiers: [{ up_to: null, unit_amount_usd: "3" }] };
const EVENTS = { type: "events", name: "Events", usage_key: "events", usage_type: "event_count_in_period", plans: [PAID] };
const PERSONS = { type: "persons", name: "Persons", plans: [{ plan_key: "flat", name: "Flat", flat_amount_usd: "10" }] };

test("a dry run of a price list tells what it changes, for how many and when, and keeps nothing of it", async () => {
  const world = parts();
  await applyDocument(world, { billing_catalogue: { products: [EVENTS, PERSONS] } });
  const before = world.table.everything();
  const dear = { ...PAID, plan_key: "paid-2", tiers: [{ up_to: 100, unit_amount_usd: "0" }, ...PAID.tiers] };
  const billing_catalogue = {
    effective_from: "2999-01-01",
    replaces: { paid: "paid-2" },
    products: [{ ...EVENTS, name: "All events", plans: [dear] }],
  };
  const [planned] = await planDocument(world, { billing_catalogue });
  const tiers = [
    { field: "tiers[0].up_to", before: null, after: 100 },
    { field: "tiers[0].unit_amount_usd", before: "3", after: "0" },
    { field: "tiers[1].up_to", before: null, after: null },
    { field: "tiers[1].unit_amount_usd", before: null, after: "3" },
    { field: "tiers[1].flat_amount_usd", before: null, after: "0" },
  ].filter((each) => each.before !== each.after);
  expect(planned).toEqual({
    ...{ change: "make", what: "price-list", name: "v000002", of: "", attributes: [] },
    price_list: {
      ...{ number: 2, effective_from: "2999-01-01T00:00:00.000Z", from_beginning: false, until: null, organizations: 0 },
      products: [
        {
          product: "events",
          change: "change",
          fields: [{ field: "name", before: "Events", after: "All events" }],
          plans: [
            { plan_key: "paid", change: "replace", replaced_by: "paid-2", fields: tiers, organizations: 0 },
            { plan_key: "paid-2", change: "add", replaced_by: null, fields: [], organizations: 0 },
          ],
        },
        {
          product: "persons",
          change: "drop",
          fields: [],
          plans: [{ plan_key: "flat", change: "drop", replaced_by: null, fields: [], organizations: 0 }],
        },
      ],
    },
  });
  expect(world.table.everything()).toEqual(before);
  expect(await planDocument(world, { billing_catalogue: { products: [EVENTS, PERSONS] } })).toEqual([]);
});
