import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { organizations } from "../../../functions/organizations/routes.ts";
import type { Letter, Mail } from "../../../lib/ports/mail.ts";
import { itsOwnPlatform } from "../../support/processes/platform.ts";
import { aCrowd } from "../../support/samples/a-crowd.ts";
import { anOrganizationOfMany } from "../../support/samples/an-organization.ts";
import { aHousehold, aMembership, aPersonalKey, apiWorld, ask, aUser } from "../../support/worlds/api-world.ts";

const platform = itsOwnPlatform();

describe("POST /organizations/{id}/request_ai_access/", () => {
  it("writes to admins and owners, once a day for each member who asks", async () => {
    const house = await anOrganizationOfMany(platform());
    const path = `/api/organizations/${house.id}/request_ai_access/`;
    for (let time = 0; time < 3; time += 1)
      expect(await house.as.member.post(path)).toMatchObject({ status: 200, body: { success: true } });
    expect((await house.as.outsider.post("/api/organizations/@current/request_ai_access/")).status).toBe(200);
    const folder = join(platform().dataDir, "outbox");
    const letters = await Promise.all((await readdir(folder)).sort().map((name) => readFile(join(folder, name), "utf8")));
    expect(letters.map((letter) => letter.split("\n").slice(0, 2))).toEqual([
      [`To: ana@${house.domain}, olga@elsewhere-${house.domain}, adam@${house.domain}`, "Subject: mia asks for the AI features"],
      [`To: ana@${house.domain}, olga@elsewhere-${house.domain}, adam@${house.domain}`, "Subject: bob asks for the AI features"],
    ]);
    expect(letters[0]).toContain(`PATCH /api/organizations/${house.id}/ with {"is_ai_data_processing_approved": true}`);
  });

  it("is for members, whatever the scopes of their key", async () => {
    const house = await anOrganizationOfMany(platform());
    const stranger = await anOrganizationOfMany(platform());
    expect((await stranger.as.owner.post(`/api/organizations/${house.id}/request_ai_access/`)).status).toBe(404);
  });

  it("reaches the owner of an organization of any size", async () => {
    const sent: Letter[] = [];
    const { world } = apiWorld({ mail: { send: async (letter) => void sent.push(letter) } });
    const { organization, user, key } = await aHousehold(world, 1);
    await aCrowd(world, organization);
    const path = `/api/organizations/${organization.id}/request_ai_access/`;
    expect((await ask(organizations, world, "POST", path, { key })).status).toBe(200);
    expect(sent.map(({ to }) => to)).toEqual([[user.email]]);
  });

  it("may be asked again after a day, and at once after a letter that could not be sent", async () => {
    const sent: Letter[] = [];
    let broken = true;
    const mail: Mail = {
      async send(letter) {
        if (broken) throw new Error("no answer");
        sent.push(letter);
      },
    };
    const { world, time } = apiWorld({ mail });
    const { organization } = await aHousehold(world, 1);
    const member = await aUser(world, 2, { first_name: "Mia\nBcc: all@example.test" });
    await aMembership(world, member, organization);
    const key = await aPersonalKey(world, member, ["user:read"]);
    const request = async () =>
      (await ask(organizations, world, "POST", `/api/organizations/${organization.id}/request_ai_access/`, { key })).status;
    expect([await request(), sent.length]).toEqual([500, 0]);
    broken = false;
    expect([await request(), await request(), sent.length]).toEqual([200, 200, 1]);
    time.now += 86_399_000;
    expect([await request(), sent.length]).toEqual([200, 1]);
    time.now += 2_000;
    expect([await request(), sent.length]).toEqual([200, 2]);
    expect(sent[0]?.subject).not.toContain("\n");
  });
});
