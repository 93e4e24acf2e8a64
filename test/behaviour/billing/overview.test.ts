import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { apiClient } from "../../support/api-client.ts";
import { type ATenant, aPlatform, aTenant } from "../../support/processes/platform.ts";

const platform = aPlatform();
let tenant: ATenant;
beforeAll(async () => {
  tenant = await aTenant(platform().world);
});

const Overview = z.looseObject({
  products: z.array(z.looseObject({ type: z.string(), current_usage: z.number() })).min(1),
  usage_summary: z.record(z.string(), z.strictObject({ usage: z.number(), limit: z.number().nullable() })),
});

describe("GET /api/billing/", () => {
  it("200: shows the price list, free until something is subscribed", async () => {
    const answer = await apiClient(platform().baseUrl, tenant.personalKey).get("/api/billing/");
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      subscription_level: "free",
      has_active_subscription: false,
      current_total_amount_usd: "0.00",
      license: null,
      stripe_portal_url: `${platform().baseUrl}/api/billing/portal`,
    });
    expect(Overview.parse(answer.body).usage_summary.events).toEqual({ usage: 0, limit: 1_000_000 });
  });
});
