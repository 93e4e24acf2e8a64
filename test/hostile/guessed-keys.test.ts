import { describe, expect, it } from "vitest";
import { endpoints } from "../../functions/endpoints/routes.ts";
import { aMembership, anOrganization, aPersonalKey, aProject, apiWorld, aUser } from "../support/worlds/api-world.ts";

const MIB = 1024 * 1024;

const asked = (key: string, ip: string) => ({
  id: "r",
  method: "GET",
  path: "/api/projects/1/endpoints/",
  query: [],
  headers: { authorization: `Bearer ${key}` },
  body: new Uint8Array(),
  origin: "http://localhost",
  ip,
});

const setUp = async () => {
  const { world, time, calls } = apiWorld();
  const organization = await anOrganization(world);
  await aProject(world, organization, 1);
  const user = await aUser(world, 1);
  await aMembership(world, user, organization, "owner");
  const key = await aPersonalKey(world, user, ["*"]);
  const status = async (value: string, ip: string): Promise<number> => (await endpoints.serve(asked(value, ip), world)).status;
  const bodied = async (value: string | undefined, ip: string): Promise<number> => {
    const body = Buffer.from(JSON.stringify({ ...(value && { personal_api_key: value }), note: "x".repeat(MIB * 4 - 100) }));
    const request = { ...asked("", ip), headers: { "content-type": "application/json" }, body };
    return (await endpoints.serve(request, world)).status;
  };
  return { status, bodied, key, time, calls };
};

describe("guessing keys", () => {
  it("costs the table one read a key, however often it is tried", async () => {
    const { status, calls } = await setUp();
    await status("phx_wrong", "1.1.1.1");
    const before = calls.length;
    for (let each = 0; each < 50; each += 1) expect(await status("phx_wrong", "1.1.1.1")).toBe(401);
    expect(calls.length).toBe(before);
  });
  it("ends soon for a source that tries many, and never for another", async () => {
    const { status, key, calls } = await setUp();
    const statuses: number[] = [];
    const before = calls.length;
    for (let each = 0; each < 1_000; each += 1) statuses.push(await status(`phx_wrong_${each}`, "1.1.1.1"));
    expect(statuses.filter((each) => each === 401)).toHaveLength(200);
    expect(statuses.at(-1)).toBe(429);
    expect(calls.length - before).toBeLessThanOrEqual(400);
    expect(await status(key, "2.2.2.2")).toBe(200);
  });
  it("does not lock out who is known already behind the same address, and is forgiven", async () => {
    const { status, key, time } = await setUp();
    expect(await status(key, "1.1.1.1")).toBe(200);
    for (let each = 0; each < 300; each += 1) await status(`phx_wrong_${each}`, "1.1.1.1");
    expect(await status(key, "1.1.1.1")).toBe(200);
    expect(await status("phx_once_more", "1.1.1.1")).toBe(429);
    time.now += 100;
    expect(await status("phx_once_more", "1.1.1.1")).toBe(401);
  });
  it("in bodies is as much as one address may have looked at, and then 429 before any body is looked through", async () => {
    const { status, bodied, key, time } = await setUp();
    const statuses: number[] = [];
    for (let each = 0; each < 20; each += 1) statuses.push(await bodied(each % 2 === 0 ? undefined : "phx_wrong", "1.1.1.1"));
    expect(statuses.filter((each) => each === 401)).toHaveLength(17);
    expect(statuses.slice(17)).toEqual([429, 429, 429]);
    expect([await status(key, "1.1.1.1"), await bodied(key, "2.2.2.2")]).toEqual([200, 200]);
    time.now += 10_000;
    expect(await bodied(key, "1.1.1.1")).toBe(200);
  });
});
