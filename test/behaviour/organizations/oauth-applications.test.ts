import { beforeAll, describe, expect, it } from "vitest";
import { aPlatform } from "../../support/processes/platform.ts";
import { type AnOrganization, anOrganizationOfMany } from "../../support/samples/an-organization.ts";

const platform = aPlatform();
let house: AnOrganization;
let path = "";

beforeAll(async () => {
  house = await anOrganizationOfMany(platform(), {
    oauth_applications: [
      { key: "cli", name: "CLI", redirect_uris: ["https://cli.test/cb", "https://cli.test/other"], is_verified: true },
      { key: "web", name: "Web", redirect_uris: [] },
    ],
  });
  path = `/api/organizations/${house.id}/oauth_applications/`;
});

describe("GET /organizations/{organization_id}/oauth_applications/", () => {
  it("answers exactly seven fields of each, a page at a time", async () => {
    const cli = {
      id: expect.any(String),
      name: "CLI",
      client_id: expect.any(String),
      redirect_uris_list: ["https://cli.test/cb", "https://cli.test/other"],
      is_verified: true,
      created: expect.stringMatching(/Z$/),
      updated: expect.stringMatching(/Z$/),
    };
    const first = await house.as.member.get(`${path}?limit=1`);
    const next = `${platform().baseUrl}${path}?limit=1&offset=1`;
    expect([first.status, first.body]).toEqual([200, { count: 2, next, previous: null, results: [cli] }]);
    expect((await house.as.member.get(next.slice(platform().baseUrl.length))).body).toMatchObject({
      results: [{ name: "Web" }],
      next: null,
    });
    expect((await house.as.owner.get("/api/organizations/@current/oauth_applications/")).body).toMatchObject({ count: 2 });
  });

  it("is for members, and for reading only", async () => {
    const stranger = await anOrganizationOfMany(platform());
    expect((await stranger.as.owner.get(path)).status).toBe(403);
    expect((await stranger.as.owner.get("/api/organizations/@current/oauth_applications/")).body).toMatchObject({ count: 0 });
    expect(await house.as.owner.post(path, { name: "New" })).toMatchObject({ status: 405, body: { code: "method_not_allowed" } });
  });
});
