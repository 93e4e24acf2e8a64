import { afterAll, beforeAll, expect, it } from "vitest";
import { capture } from "../../../functions/capture/group.ts";
import { organizations } from "../../../functions/organizations/routes.ts";
import { type HttpServer, startServer } from "../../../infra/local/server.ts";
import { aHousehold, apiWorld } from "../../support/worlds/api-world.ts";

const { world, time, sent } = apiWorld();
let server: HttpServer | undefined;

beforeAll(async () => {
  server = await startServer([organizations, capture], "127.0.0.1", 0);
  server.open(world);
});
afterAll(() => server?.stop());

it("an organization that was removed has no event acknowledged five seconds later", async () => {
  const { organization, project, key } = await aHousehold(world, 1);
  const origin = server?.origin ?? "";
  const body = JSON.stringify({ api_key: project.api_token, batch: [{ event: "seen", distinct_id: "a" }] });
  const send = async () => (await fetch(`${origin}/batch/`, { method: "POST", body })).status;

  expect(await send()).toBe(200);
  const path = `${origin}/api/organizations/${organization.id}/`;
  expect((await fetch(path, { method: "DELETE", headers: { authorization: `Bearer ${key}` } })).status).toBe(204);
  const acknowledged = sent.length;
  time.now += 5_000;
  expect(await send()).toBe(401);
  expect(sent.length).toBe(acknowledged);
});
