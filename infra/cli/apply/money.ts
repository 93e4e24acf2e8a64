import { type BillingAccount, BillingAccounts } from "../../../lib/billing/accounts.ts";
import { BillingCatalogues } from "../../../lib/billing/billing-catalogues.ts";
import { CouponCampaign, CouponCampaigns, CouponCodes } from "../../../lib/billing/coupon-campaigns.ts";
import { readCustomerState } from "../../../lib/billing/customer-state.ts";
import { replacing } from "../../../lib/billing/replacing.ts";
import { SandboxRateCard, SandboxRateCards } from "../../../lib/billing/sandbox-rate-cards.ts";
import { jsonDigest } from "../../../lib/core/canonical-json.ts";
import * as store from "../../../lib/table/store.ts";
import { ABSENT, transact } from "../../../lib/table/transact.ts";
import type { CampaignEntry, Document, RateCardEntry } from "./document.ts";
import { isoNow, type Parts } from "./parts.ts";
import { differing } from "./same.ts";

const HUNDREDTHS = 100;

/** Whether limits drop an organization's data, as its billing account says. */
export const ensureDropping = async (
  { table }: Parts,
  organization: string,
  dropping: Readonly<Partial<Pick<BillingAccount, "never_drop_data" | "retain_data">>>,
): Promise<void> => {
  if (Object.keys(dropping).length === 0) return;
  const { account } = await readCustomerState(table, organization);
  const changes = differing<BillingAccount>(account, dropping);
  if (changes) await transact(table, [replacing(BillingAccounts, { ...account, ...changes })]);
};

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

/** Stores a price list of its own once; without one the built-in list holds. */
export const ensureCatalogue = async (parts: Parts, document: NonNullable<Document["billing_catalogue"]>): Promise<void> => {
  const id = jsonDigest(document);
  const key = { id };
  if (await store.get(parts.table, BillingCatalogues, key, { consistent: true })) return;
  await store.put(parts.table, BillingCatalogues, { ...key, document, effective_from: isoNow(parts) }, ABSENT);
};
