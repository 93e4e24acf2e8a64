import { describe, expect, it } from "vitest";
import { createDashboard } from "../../../functions/dashboards/save.ts";
import { shareDashboard } from "../../../functions/dashboards/sharing.ts";
import { jobs } from "../../../functions/jobs/consumer.ts";
import { organizations } from "../../../functions/organizations/routes.ts";
import { quotaLimits } from "../../../functions/quota-limits/routes.ts";
import { sweeping } from "../../../functions/sweep/schedule.ts";
import { applyDocument } from "../../../infra/cli/apply/apply.ts";
import { asFunction, withinRights } from "../../../infra/local/function-rights.ts";
import type { World } from "../../../lib/app/world.ts";
import { Subscriptions } from "../../../lib/billing/customer/subscription.ts";
import { SharedLinks } from "../../../lib/dashboards/shared-links.ts";
import { EndpointLogEntries } from "../../../lib/endpoints/endpoint-log-entries.ts";
import { SavedEndpoints } from "../../../lib/endpoints/saved-endpoints.ts";
import { keyItem, tokenItem } from "../../../lib/keys/credential.ts";
import { readHead } from "../../../lib/lake/head.ts";
import { dueRemovals } from "../../../lib/organizations/removal.ts";
import { Users } from "../../../lib/organizations/users.ts";
import type { Queues } from "../../../lib/ports/queues.ts";
import type { Key, Table } from "../../../lib/ports/table.ts";
import { itemKey } from "../../../lib/table/entity.ts";
import { PARTITIONS, type PartitionName, partitionNames } from "../../../lib/table/partitions.ts";
import { getMany, put } from "../../../lib/table/store.ts";
import { type MemoryTable, memoryTable } from "../../simulation/ports/table.ts";
import { apiClient } from "../../support/api-client.ts";
import { dyingTable } from "../../support/dying-table.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { noReaders } from "../../support/no-readers.ts";
import { aPlatform, eventually } from "../../support/processes/platform.ts";
import { anOrganizationOfMany } from "../../support/samples/an-organization.ts";
import { wholeDocument } from "../../support/whole-document.ts";
import { aHousehold, aMembership, anOrganization, aPersonalKey, aProject, apiWorld, ask } from "../../support/worlds/api-world.ts";

const platform = aPlatform();

describe("DELETE /organizations/{id}/", () => {
  it("is for owners only", async () => {
    const house = await anOrganizationOfMany(platform());
    const path = `/api/organizations/${house.id}/`;
    for (const person of ["admin", "member"] as const) expect((await house.as[person].remove(path)).status).toBe(403);
    expect((await house.as.owner.get(path)).status).toBe(200);
  });

  it("is refused while something is subscribed to, and says so", async () => {
    const { world } = apiWorld();
    const { organization, key } = await aHousehold(world, 1);
    const items = [{ product: "product_analytics", plan_key: "paid", since: 0, until: null }];
    const subscription = { organization_id: organization.id, id: "s", items, days: [], folded_until: 0, version: 1 };
    await put(world.table, Subscriptions, { ...subscription, state: "active" });
    const remove = () => ask(organizations, world, "DELETE", `/api/organizations/${organization.id}/`, { key });
    expect(await remove()).toMatchObject({
      status: 400,
      json: { type: "validation_error", detail: expect.stringContaining("active subscription"), attr: null },
    });
    await put(world.table, Subscriptions, { ...subscription, state: "ended" });
    expect((await remove()).status).toBe(204);
  });

  it("ends access at once: to the organization, its projects, by their keys, and for capture", async () => {
    const house = await anOrganizationOfMany(platform(), {
      projects: [{ key: "web", name: "Web", secret_api_keys: [{ label: "run", scopes: ["endpoint:read"] }] }],
    });
    const path = `/api/organizations/${house.id}/`;
    const things = `/api/projects/${house.project}/endpoints/`;
    expect((await house.as.owner.get(things)).status).toBe(200);
    const { body } = await house.as.owner.get(path);
    const { slug } = body as { slug: string };
    expect(await house.as.owner.remove(path)).toMatchObject({ status: 204, body: "" });
    expect((await house.as.owner.remove(path)).status).toBe(404);
    expect((await house.as.owner.get(path)).status).toBe(404);
    expect((await house.as.owner.get("/api/organizations/")).status).toBe(404);
    expect((await house.as.owner.get(things)).body).toMatchObject({ code: "not_found", detail: "Project not found." });
    // The name is free again.
    expect((await house.as.owner.post("/api/organizations/", { name: slug })).body).toMatchObject({ slug });
  });

  it("leaves its members in the next organization that they joined, before a worker has deleted anything", async () => {
    const { world, time } = apiWorld();
    const { organization, user, key } = await aHousehold(world, 1);
    time.now += 1;
    const next = await anOrganization(world, { name: "Next", slug: "next" });
    const project = await aProject(world, next, 2);
    await aMembership(world, user, next, "owner");
    const current = () => ask(organizations, world, "GET", "/api/organizations/@current/", { key });
    expect((await current()).json).toMatchObject({ id: organization.id });
    expect((await ask(organizations, world, "DELETE", `/api/organizations/${organization.id}/`, { key })).status).toBe(204);
    expect(await current()).toMatchObject({ status: 200, json: { id: next.id, projects: [{ id: project.id }] } });
    expect((await ask(quotaLimits, world, "GET", "/api/projects/@current/quota_limits/", { key })).status).toBe(200);
  });

  it("is followed by the deletion of all that belonged to it, while the platform runs", async () => {
    const house = await anOrganizationOfMany(platform());
    const { table } = platform().world;
    await house.as.owner.remove(`/api/organizations/${house.id}/`);
    await eventually(async () =>
      expect((await partition(table, `organization#${house.id}`)).map(({ sk }) => sk)).toEqual(["organization"]),
    );
    expect((await apiClient(platform().baseUrl, house.keys.member).get("/api/organizations/")).status).toBe(404);
  });
});

const partition = async (table: Table, pk: string) => (await table.query({ pk, consistent: true })).items;

/** A world with an organization of everything that an operator can describe, and the messages that were sent in it. */
const furnished = async (table: MemoryTable = memoryTable()) => {
  const sent: string[] = [];
  const queues: Queues = {
    async send(_, messages) {
      sent.push(...messages.map(({ body }) => body));
      return [];
    },
  };
  const { world, time } = apiWorld({ table: withinRights(table), queues, objects: memoryObjects(), ...noReaders });
  const tree = await applyDocument(world, wholeDocument());
  const [organization] = tree.organizations;
  const [project] = organization?.projects ?? [];
  const [owner] = await getMany(world.table, Users, [{ id: 1 }]);
  if (organization === undefined || project === undefined || owner === undefined) throw new Error("the document made no organization");
  const key = await aPersonalKey(world, owner, ["organization:write"]);
  const remove = (within: World) => ask(organizations, within, "DELETE", `/api/organizations/${organization.id}/`, { key });
  /** Sweeps, and works what the sweeps ask for, as often as it takes. */
  const settle = async (within: World): Promise<void> => {
    for (let round = 0; round < 3; round += 1) {
      time.now += 3_600_001;
      await asFunction(sweeping, () => sweeping.run(within, budget));
      for (const body of sent.splice(0)) await asFunction(jobs, () => jobs.handle([{ id: "1", body, attempts: 1 }], within, budget));
    }
  };
  const left = async () => {
    const parts = [`organization#${organization.id}`, `project#${project.id}`, `project#${project.id}#accounts`];
    return (await Promise.all(parts.map((pk) => partition(world.table, pk)))).flat().map(({ sk, state }) => [sk, state]);
  };
  const secrets = [project.secret_token ?? "", project.secret_api_keys[0]?.value ?? ""];
  return { world, organization, project, remove, settle, left, secrets, token: project.token };
};

interface Owner {
  readonly organization: string;
  readonly project: string;
}

/** Partitions of which one item stays as a tombstone. */
const TOMBS: readonly PartitionName[] = ["organization", "project", "lake"];

const owned = (name: PartitionName, organization: string, project: string): string =>
  PARTITIONS[name].pk.replace("{organization}", organization).replace("{project}", project);

/** An item of a kind that nobody reads, in the partition that a name has for an organization or a project. */
const fill = async (table: Table, name: PartitionName, { organization, project }: Owner): Promise<void> => {
  const { pk, onRemoval } = PARTITIONS[name];
  if (!/\{(organization|project)\}/.test(pk) || onRemoval === "enumerate") return;
  await table.put({ pk: owned(name, organization, project), sk: "zz#filled", entity: "filling", v: 1 });
};

/** The partitions that hold anything of an organization or its project. */
const familiesOf = (table: MemoryTable, { organization, project }: Owner): readonly PartitionName[] =>
  partitionNames.filter((name) => {
    const shape = new RegExp(`^${owned(name, organization, project).replaceAll(/\{[^}]+\}/g, "[^#]+")}$`);
    const hasOwner = /\{(organization|project)\}/.test(PARTITIONS[name].pk);
    return hasOwner && table.everything().some(({ pk }) => shape.test(pk));
  });

const anEndpointWithARun = async ({ table, ids }: World, project: number): Promise<void> => {
  const now = "2026-11-20T12:00:00.000000Z";
  const endpoint = {
    ...{ project, name: "daily", id: ids.uuid(), created_at: now, updated_at: now, created_by: null, is_active: true },
    ...{ derived_from_insight: null, tags: [], current_version: 1, current_version_id: ids.uuid(), last_executed_at: null },
  };
  await put(table, SavedEndpoints, endpoint);
  const run = {
    project,
    endpoint_id: endpoint.id,
    at: 1_790_000_000_000_000,
    instance_id: ids.uuid(),
    level: "INFO",
    message: "ran",
  } as const;
  await put(table, EndpointLogEntries, run);
};

/** The key of its link. */
const aSharedDashboard = async (world: World, project: number): Promise<Key> => {
  const body = { name: "Shop" };
  const author = { project: { id: project, timezone: "UTC" }, user: 1 };
  const { dashboard } = await shareDashboard(world, await createDashboard(world, author, body), author.user);
  return itemKey(SharedLinks, { hash: dashboard.link_hash ?? "" });
};

const budget = { remainingMs: () => 600_000 };
const TOMBSTONES = [
  ["organization", "removed"],
  ["project", "removed"],
];

describe("the deletion of an organization", () => {
  it("leaves the tombstones and nothing else, by which no key or token is known any more", async () => {
    const { world, project, remove, settle, left, secrets, token } = await furnished();
    const link = await aSharedDashboard(world, project.id);
    expect(await world.table.get(link)).toMatchObject({ project: project.id });
    expect((await left()).length).toBeGreaterThan(8);
    expect((await remove(world)).status).toBe(204);
    await settle(world);
    expect(await left()).toEqual(TOMBSTONES);
    for (const secret of secrets) expect(await world.table.get(keyItem(secret))).toBeUndefined();
    expect(await world.table.get(link)).toBeUndefined();
    expect(await world.table.get(tokenItem(token))).toMatchObject({ state: "removed" });
    expect(await readHead(world.table, 1)).toMatchObject({ removedAt: expect.any(Number) });
    expect(await dueRemovals(world.table, Number.MAX_SAFE_INTEGER / 1_000)).toEqual([]);
  });

  it("leaves nothing in any partition of the table but what is meant to stay", async () => {
    const table = memoryTable();
    const { world, organization, project, remove, settle } = await furnished(table);
    await anEndpointWithARun(world, project.id);
    for (const name of partitionNames) await fill(table, name, { organization: organization.id, project: String(project.id) });
    const before = familiesOf(table, { organization: organization.id, project: String(project.id) });
    expect(before.filter((name) => PARTITIONS[name].onRemoval !== "kept").length).toBeGreaterThan(25);
    await remove(world);
    await settle(world);
    const after = familiesOf(table, { organization: organization.id, project: String(project.id) });
    expect(after.filter((name) => !["kept", "expires"].includes(PARTITIONS[name].onRemoval))).toEqual(["organization", "project", "lake"]);
    expect(after).toEqual(before.filter((name) => ["kept", "expires"].includes(PARTITIONS[name].onRemoval) || TOMBS.includes(name)));
    const tombs = table.everything().filter(({ pk }) => TOMBS.some((name) => pk === owned(name, organization.id, String(project.id))));
    expect(tombs.map(({ sk }) => sk).sort()).toEqual(["head", "organization", "project"]);
  });

  it.each(["before", "after"] as const)("is finished by the sweep, wherever the request dies: %s a write", async (moment) => {
    for (let write = 0; ; write += 1) {
      const { world, remove, settle, left } = await furnished();
      const before = await left();
      const { table, died } = dyingTable(world.table, write, moment);
      await remove({ ...world, table });
      await settle(world);
      expect([before, TOMBSTONES]).toContainEqual(await left());
      if (!died()) break;
      await remove(world);
      await settle(world);
      expect(await left()).toEqual(TOMBSTONES);
    }
  });

  it("is finished wherever the worker dies, and when it runs twice at a time", async () => {
    let deaths = 0;
    for (let write = 0; ; write += 1) {
      const { world, remove, settle, left } = await furnished();
      await remove(world);
      const { table, died } = dyingTable(world.table, write, "after");
      await settle({ ...world, table }).catch(() => undefined);
      await Promise.all([settle(world), settle(world)]);
      expect(await left()).toEqual(TOMBSTONES);
      if (!died()) break;
      deaths += 1;
    }
    expect(deaths).toBeGreaterThan(10);
  });
});
