import { CouponCampaign, CouponCampaigns, CouponCodes } from "../../../lib/billing/coupons.ts";
import { SandboxRateCard, SandboxRateCards } from "../../../lib/billing/sandbox-rate-cards.ts";
import * as store from "../../../lib/table/store.ts";
import { ABSENT } from "../../../lib/table/transact.ts";
import type { CampaignEntry, RateCardEntry } from "./document.ts";
import type { Parts } from "./parts.ts";
import { differing } from "./same.ts";

/** Of a per cent, in which a campaign keeps it. */
export const HUNDREDTHS = 100;

/** The campaign and its codes, made or brought up to date; codes that are not stated stay. */
export const ensureCampaign = async ({ table }: Parts, entry: CampaignEntry): Promise<void> => {
  const { slug, percent, amount_cents, codes = [], ...rest } = entry;
  const value = percent === undefined ? amount_cents : Math.round(percent * HUNDREDTHS);
  const key = { slug };
  const given = Object.fromEntries(Object.entries({ ...rest, value }).filter(([, each]) => each !== undefined));
  const campaign = await store.get(table, CouponCampaigns, key, { consistent: true });
  if (campaign === undefined) {
    await store.put(table, CouponCampaigns, CouponCampaign.parse({ duration: "once", ...given, slug }), ABSENT);
  } else {
    const changes = differing<CouponCampaign>(campaign, given);
    if (changes) await store.update(table, CouponCampaigns, key, { set: changes });
  }
  for (const code of codes) {
    if ((await store.get(table, CouponCodes, { code }, { consistent: true })) === undefined)
      await store.put(table, CouponCodes, { code, slug }, ABSENT);
  }
};

/** The rate card, made or brought up to date. */
export const ensureRateCard = async ({ table }: Parts, entry: RateCardEntry): Promise<void> => {
  const key = { version: entry.version };
  const card = await store.get(table, SandboxRateCards, key, { consistent: true });
  const given = Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
  if (card === undefined) {
    await store.put(table, SandboxRateCards, SandboxRateCard.parse({ expires_at: null, ...given }), ABSENT);
    return;
  }
  const changes = differing<SandboxRateCard>(card, given);
  if (changes) await store.update(table, SandboxRateCards, key, { set: changes });
};
