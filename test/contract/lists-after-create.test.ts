import { beforeAll, expect, it } from "vitest";
import { dashboards } from "../../functions/dashboards/routes.ts";
import { endpoints } from "../../functions/endpoints/routes.ts";
import { errorTracking } from "../../functions/error-tracking/routes.ts";
import { keys } from "../../functions/keys/routes.ts";
import { organizations } from "../../functions/organizations/routes.ts";
import type { Group } from "../../lib/app/routes.ts";
import { memoryTable } from "../simulation/ports/table.ts";
import { laggingTable } from "../support/lagging-table.ts";
import { sqlQuery } from "../support/samples/saved-query.ts";
import { aHousehold, apiWorld, ask } from "../support/worlds/api-world.ts";

const table = laggingTable(memoryTable());
const { world, time } = apiWorld({ table });
let key = "";

const call = (of: Group, method: string, path: string, body?: object) => ask(of, world, method, path, { key, ...(body && { body }) });

interface Made {
  readonly group: Group;
  readonly path: string;
  readonly body: (number: number) => object;
  /** What a thing has that no other of its kind has. */
  readonly name: string;
  readonly newestFirst?: true;
}

const THINGS: Readonly<Record<string, Made>> = {
  "a saved query": {
    group: endpoints,
    path: "/api/projects/1/endpoints/",
    body: (number) => ({ name: `query-${number}`, query: sqlQuery("SELECT 1") }),
    name: "name",
  },
  "a dashboard": {
    group: dashboards,
    path: "/api/projects/1/dashboards/",
    body: (number) => ({ name: `dashboard ${number}` }),
    name: "id",
  },
  "a release": {
    group: errorTracking,
    path: "/api/projects/1/error_tracking/releases/",
    body: (number) => ({ version: `${number}`, project: "web" }),
    name: "id",
    newestFirst: true,
  },
  "an organization": { group: organizations, path: "/api/organizations/", body: (number) => ({ name: `Acme ${number}` }), name: "id" },
  "a personal key": {
    group: keys,
    path: "/api/personal_api_keys/",
    body: (number) => ({ label: `key ${number}`, scopes: ["*"], scoped_teams: null, scoped_organizations: null }),
    name: "id",
  },
  "a project's secret key": {
    group: keys,
    path: "/api/projects/1/project_secret_api_keys/",
    body: (number) => ({ label: `key ${number}`, scopes: ["endpoint:read"] }),
    name: "id",
  },
};

beforeAll(async () => {
  ({ key } = await aHousehold(world, 1));
  table.begin();
});

it.each(Object.entries(THINGS))(
  "%s stands in the list right after it was made, however late indexes and other reads are",
  async (_, made) => {
    const { group, path, body, name, newestFirst } = made;
    for (const number of [1, 2, 3]) {
      time.now += 1_000;
      const created = await call(group, "POST", path, body(number));
      expect(created.status).toBe(201);
      const newest = newestFirst && Object((await call(group, "GET", `${path}?limit=1`)).json).results[0];
      if (newestFirst) expect(newest).toMatchObject({ [name]: Object(created.json)[name] });
      const all = Object((await call(group, "GET", path)).json);
      const listed: readonly object[] = all.results ?? all;
      const place = newestFirst ? 0 : listed.length - 1;
      expect(Object(listed[place])[name]).toBe(Object(created.json)[name]);
      const last = await call(group, "GET", `${path}?limit=1&offset=${place}`);
      if (all.results !== undefined) expect(Object(last.json).results).toMatchObject([{ [name]: Object(created.json)[name] }]);
    }
  },
);

it("a new organization is answered with the project that it begins with", async () => {
  const made = await call(organizations, "POST", "/api/organizations/", { name: "Beta" });
  expect(Object(made.json).projects).toHaveLength(1);
});
