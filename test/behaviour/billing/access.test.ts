import { beforeAll, describe, expect, it } from "vitest";
import { type AppliedTree, applyDocument } from "../../../infra/cli/apply/apply.ts";
import { apiClient } from "../../support/api-client.ts";
import { aPlatform } from "../../support/processes/platform.ts";

const platform = aPlatform();

const LEVELS = ["owner", "admin", "member"] as const;
type Caller = (typeof LEVELS)[number] | "stranger" | "reader";
type Setting = "open" | "owners" | "members";

const SETTINGS: Readonly<Record<Setting, object>> = {
  open: {},
  owners: { owner_only_billing: true },
  members: { member_billing_usage_spend_read_access: true },
};

const organization = (key: Setting, settings: object) => ({
  key,
  name: key,
  settings,
  members: LEVELS.map((level) => ({
    email: `${level}@${key}.test`,
    level,
    personal_api_keys: [
      { label: "all", scopes: ["*"] },
      { label: "user", scopes: ["user:read"] },
    ],
  })),
  projects: [{ key: "web", name: "Web" }],
});

let tree: AppliedTree;
beforeAll(async () => {
  tree = await applyDocument(platform().world, {
    organizations: [
      ...Object.entries(SETTINGS).map(([key, settings]) => organization(key as Setting, settings)),
      {
        key: "away",
        name: "away",
        members: [{ email: "a@away.test", level: "owner", personal_api_keys: [{ label: "all", scopes: ["*"] }] }],
      },
    ],
  });
});

const clientOf = (setting: Setting, caller: Caller) => {
  const home = tree.organizations.find(({ key }) => key === (caller === "stranger" ? "away" : setting));
  const level = caller === "reader" ? "owner" : caller;
  const member = home?.members.find(({ email }) => caller === "stranger" || email.startsWith(level));
  return apiClient(platform().baseUrl, member?.personal_api_keys[caller === "reader" ? 1 : 0]?.value ?? "");
};

const projectOf = (setting: Setting): number => tree.organizations.find(({ key }) => key === setting)?.projects[0]?.id ?? 0;

const FULL = [
  ["GET", ""],
  ["GET", "portal/"],
  ["PATCH", ""],
  ["POST", "activate/"],
  ["POST", "deactivate/"],
  ["POST", "subscription/switch-plan/"],
  ["POST", "trials/activate/"],
  ["POST", "trials/cancel/"],
  ["POST", "coupons/claim/"],
  ["POST", "credits/purchase/"],
] as const;

const ANY_MEMBER = [
  ["GET", "period/"],
  ["GET", "get_invoices/"],
  ["GET", "invoices/"],
  ["GET", "receivables/"],
  ["GET", "credits/overview/"],
  ["GET", "coupons/overview/"],
  ["POST", "activate/authorize/"],
  ["POST", "activate/authorize/status/"],
] as const;

const statusOf = async (setting: Setting, caller: Caller, [method, path]: readonly [string, string]): Promise<number> => {
  const client = clientOf(setting, caller);
  const target = `/api/billing/${path}?team_id=${projectOf(setting)}`;
  const answer = await (method === "GET" ? client.get(target) : method === "PATCH" ? client.patch(target, {}) : client.post(target, {}));
  return answer.status;
};

/** Whoever is let in sends an empty body here, which some operations refuse with 400. */
const isLetIn = (status: number): boolean => status === 200 || status === 400;

const ALLOWED: Readonly<Record<Setting, readonly Caller[]>> = { open: ["owner", "admin"], owners: ["owner"], members: ["owner", "admin"] };

describe.each(Object.keys(SETTINGS) as Setting[])("in an organization open to %s", (setting) => {
  it.each(FULL)("%s /api/billing/%s is for those with full access", async (...operation) => {
    for (const caller of [...LEVELS, "stranger", "reader"] as const) {
      const status = await statusOf(setting, caller, operation);
      expect([caller, status, ALLOWED[setting].includes(caller) ? isLetIn(status) : status === 403]).toEqual([caller, status, true]);
    }
  });
  it.each(ANY_MEMBER)("%s /api/billing/%s is for every member", async (...operation) => {
    for (const caller of [...LEVELS, "stranger", "reader"] as const) {
      const status = await statusOf(setting, caller, operation);
      const isMember = caller !== "stranger" && caller !== "reader";
      expect([caller, status, isMember ? isLetIn(status) : status === 403]).toEqual([caller, status, true]);
    }
  });
});

describe("the organization whose billing is meant", () => {
  const customerOf = async (setting: Setting, target: string) => Object((await clientOf(setting, "owner").get(target)).body).customer_id;
  it("is that of the project in team_id, else the key's own", async () => {
    const own = `cus_${tree.organizations.find(({ key }) => key === "open")?.id.replaceAll("-", "")}`;
    expect(await customerOf("open", "/api/billing/")).toBe(own);
    expect(await customerOf("open", `/api/billing/?team_id=${projectOf("open")}`)).toBe(own);
  });
  it("403: is none of a project that the caller has no part in, or that there is not", async () => {
    for (const id of [projectOf("owners"), 999_999, "x", "1e3"]) {
      const answer = await clientOf("open", "owner").get(`/api/billing/?team_id=${id}`);
      expect(answer).toMatchObject({ status: 403, body: { type: "authentication_error", code: "permission_denied", attr: null } });
    }
  });
});
