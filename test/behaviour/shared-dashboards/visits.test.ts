import { describe, expect, it } from "vitest";
import { dashboards } from "../../../functions/dashboards/routes.ts";
import { endpoints } from "../../../functions/endpoints/routes.ts";
import { sharedDashboards } from "../../../functions/shared-dashboards/routes.ts";
import type { World } from "../../../lib/app/world.ts";
import { LIMITS } from "../../../lib/auth/rates/throttle.ts";
import { type MemoryTable, memoryTable } from "../../simulation/ports/table.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";
import { aHousehold, apiWorld, aRequest, ask } from "../../support/worlds/api-world.ts";
import { oneSlot } from "../../support/worlds/one-slot.ts";

const PLACE = "/api/projects/1";

/** A dashboard of one tile, which is shared: the paths of its link and of its tile, and the token. */
const aSharedPage = async (world: World) => {
  const { key } = await aHousehold(world, 1);
  const make = async (group: typeof dashboards, path: string, body?: object) => {
    const { status, json } = await ask(group, world, "POST", `${PLACE}${path}`, { key, ...(body && { body }) });
    expect(status).toBe(201);
    return Object(json);
  };
  await make(endpoints, "/endpoints/", { name: "one", query: sqlQuery("SELECT 1") });
  const { id, tiles } = await make(dashboards, "/dashboards/", { name: "Shop", tiles: [{ endpoint: "one" }] });
  const { pathname } = new URL((await make(dashboards, `/dashboards/${id}/sharing/`)).url);
  const token = pathname.split("/")[2] ?? "";
  return { key, page: pathname, tile: `${pathname}tiles/${tiles[0].id}/`, token, sharing: `${PLACE}/dashboards/${id}/sharing/` };
};

/** A visit from an address. */
const visit = (world: World, path: string, ip: string) => sharedDashboards.serve({ ...aRequest("GET", path), ip }, world);

describe("60 requests a minute", () => {
  it("429: from one address, over all that a link opens; others go on, and so does it a minute later", async () => {
    const { world, time } = apiWorld({ objects: memoryObjects() });
    const { page, tile } = await aSharedPage(world);
    for (let sent = 0; sent < LIMITS.shared.perMinute; sent += 1) expect((await visit(world, page, "192.0.2.1")).status).toBe(200);
    for (const path of [page, tile]) {
      const refused = await visit(world, path, "192.0.2.1");
      expect(refused).toMatchObject({ status: 429, headers: { "retry-after": "60" } });
      expect(JSON.parse(String(refused.body))).toMatchObject({ type: "throttled_error", code: "throttled" });
    }
    expect((await visit(world, page, "192.0.2.2")).status).toBe(200);
    time.now += 60_000;
    expect((await visit(world, page, "192.0.2.1")).status).toBe(200);
  });

  it("429: whoever changes their address within an IPv6 network is one visitor; another network is another", async () => {
    const { world } = apiWorld();
    const { page } = await aSharedPage(world);
    for (let sent = 1; sent <= LIMITS.shared.perMinute; sent += 1)
      expect((await visit(world, page, `2001:db8:1:2::${sent.toString(16)}`)).status).toBe(200);
    expect((await visit(world, page, "2001:db8:1:2:ffff::1")).status).toBe(429);
    expect((await visit(world, page, "2001:db8:1:3::1")).status).toBe(200);
  });

  it("429: guessing counts as well", async () => {
    const { world } = apiWorld();
    const guess = (number: number) => visit(world, `/shared/${"a".repeat(40)}${number + 100}/`, "192.0.2.1");
    for (let sent = 0; sent < LIMITS.shared.perMinute; sent += 1) expect((await guess(sent)).status).toBe(404);
    expect((await guess(99)).status).toBe(429);
  });
});

it("429: a tile waits for the project's slots like every run", async () => {
  const { world, letGo, isHeld } = oneSlot();
  const { tile } = await aSharedPage(world);
  const first = visit(world, tile, "192.0.2.1");
  await isHeld();
  expect(await visit(world, tile, "192.0.2.2")).toMatchObject({ status: 429, headers: { "retry-after": "1" } });
  letGo();
  expect((await first).status).toBe(200);
});

describe("the token", () => {
  const everything = (table: MemoryTable): string => JSON.stringify(table.everything());

  it("is nowhere in the table, nor is the address of a visitor", async () => {
    const table = memoryTable();
    const { world } = apiWorld({ table });
    const { page, token } = await aSharedPage(world);
    expect((await visit(world, page, "192.0.2.1")).status).toBe(200);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(everything(table)).not.toContain(token);
    expect(everything(table)).not.toContain("192.0.2.1");
  });

  it("is in no line of the log, whatever is answered", async () => {
    const { world, log } = apiWorld({ objects: memoryObjects() });
    const { key, page, tile, token, sharing } = await aSharedPage(world);
    for (const path of [page, `${tile}x`, `${page}nowhere/`, `${page}tiles`]) await visit(world, path, "192.0.2.1");
    await ask(dashboards, world, "DELETE", sharing, { key });
    expect((await visit(world, page, "192.0.2.1")).status).toBe(404);
    expect(
      (
        await visit(
          world,
          page.replace(
            token,
            token.replace(/^./, (first) => `%${first.charCodeAt(0).toString(16)}`),
          ),
          "192.0.2.1",
        )
      ).status,
    ).toBe(404);
    expect(log.lines.filter(({ fields }) => Object(fields).route === "GET /shared/{token}/").length).toBeGreaterThan(2);
    expect(JSON.stringify(log.lines)).not.toContain(token.slice(1, 30));
  });
});

it("a token that never was costs as much as one that was revoked", async () => {
  const { world, calls } = apiWorld();
  const { key, page, sharing } = await aSharedPage(world);
  await ask(dashboards, world, "DELETE", sharing, { key });
  const names = async (path: string) => {
    calls.length = 0;
    const { status, headers, body } = await visit(world, path, "192.0.2.1");
    return { status, headers, body, calls: calls.map(({ name }) => name) };
  };
  expect(await names(page)).toEqual(await names(`/shared/${"a".repeat(43)}/`));
});
