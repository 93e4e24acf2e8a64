import { CouponCampaigns } from "../../../lib/billing/coupons.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { list } from "../../../lib/table/store.ts";
import type { CampaignEntry } from "../apply/document.ts";
import { HUNDREDTHS } from "../apply/money.ts";

/** The terms under which coupons are given away, without their codes, of which there is no list, and without who claimed one. */
export const describeCampaigns = async (table: Table): Promise<CampaignEntry[]> => {
  const campaigns = await list(table, CouponCampaigns, "key", {}, { consistent: true });
  return campaigns.map(({ claims: _, value, ...campaign }) => ({
    ...campaign,
    ...(campaign.kind === "percent" ? { percent: value / HUNDREDTHS } : { amount_cents: value }),
  }));
};
