import { CouponCampaigns, CouponCodes } from "../../../lib/billing/coupons.ts";
import { type SandboxRateCard, SandboxRateCards } from "../../../lib/billing/sandbox-rate-cards.ts";
import type { Table } from "../../../lib/ports/table.ts";
import * as store from "../../../lib/table/store.ts";
import type { CampaignEntry, Document, RateCardEntry } from "./document.ts";
import type { Parts } from "./parts.ts";
import { DocumentProblem, type Path } from "./problem.ts";

/** Checks the campaigns and the rate cards of a document against what exists. */
export const checkPrices = async ({ table, clock }: Pick<Parts, "table" | "clock">, document: Document): Promise<void> => {
  for (const [at, campaign] of (document.coupon_campaigns ?? []).entries()) await checkCampaign(table, campaign, ["coupon_campaigns", at]);
  const cards = document.sandbox_rate_cards ?? [];
  for (const [at, card] of cards.entries()) await checkRateCard(table, card, clock.now(), ["sandbox_rate_cards", at]);
  if (cards.length > 0) await checkSuccession(table, cards, ["sandbox_rate_cards"]);
};

const checkCampaign = async (table: Table, entry: CampaignEntry, path: Path): Promise<void> => {
  const stored = await store.get(table, CouponCampaigns, { slug: entry.slug }, { consistent: true });
  const kind = entry.kind ?? stored?.kind;
  if (stored === undefined && entry.name === undefined) throw new DocumentProblem([...path, "name"], "a new campaign needs a name");
  if (kind === undefined) throw new DocumentProblem([...path, "kind"], "a new campaign needs a kind");
  const [field, other] = kind === "percent" ? (["percent", "amount_cents"] as const) : (["amount_cents", "percent"] as const);
  if (entry[other] !== undefined) throw new DocumentProblem([...path, other], `a campaign of kind ${kind} has none`);
  if (entry[field] === undefined && stored?.kind !== kind)
    throw new DocumentProblem([...path, field], `a campaign of kind ${kind} needs it`);
  if (entry.duration === "periods" && !entry.periods && !stored?.periods) {
    throw new DocumentProblem([...path, "periods"], "a campaign that lasts for periods needs their number");
  }
  for (const [at, code] of (entry.codes ?? []).entries()) {
    const known = await store.get(table, CouponCodes, { code }, { consistent: true });
    if (known && known.slug !== entry.slug)
      throw new DocumentProblem([...path, "codes", at], `this code belongs to the campaign ${known.slug}`);
  }
};

const checkRateCard = async (table: Table, entry: RateCardEntry, now: number, path: Path): Promise<void> => {
  const stored = await store.get(table, SandboxRateCards, { version: entry.version }, { consistent: true });
  for (const field of ["effective_at", "cpu_core_second_usd", "memory_gib_second_usd"] as const) {
    if (entry[field] === undefined && stored === undefined) throw new DocumentProblem([...path, field], "a new rate card needs it");
  }
  for (const field of ["cpu_core_second_usd", "memory_gib_second_usd"] as const) {
    if (entry[field] !== undefined && Number(entry[field]) <= 0) throw new DocumentProblem([...path, field], "a price must be above zero");
  }
  const from = entry.effective_at ?? stored?.effective_at;
  const to = entry.expires_at === undefined ? stored?.expires_at : entry.expires_at;
  if (from && to && Date.parse(to) <= Date.parse(from)) throw new DocumentProblem([...path, "expires_at"], "it must be after effective_at");
  if (stored !== undefined && Date.parse(stored.effective_at) <= now) checkPast(stored, entry, now, path);
};

/** A card that has begun has priced what was used since: only a moment to come may be its end, where it has not ended yet. */
const checkPast = (stored: SandboxRateCard, entry: RateCardEntry, now: number, path: Path): void => {
  const refuse = (field: keyof RateCardEntry, message: string): never => {
    throw new DocumentProblem([...path, field], `this card began at ${stored.effective_at}, and ${message}`);
  };
  for (const field of ["cpu_core_second_usd", "memory_gib_second_usd"] as const) {
    if (entry[field] !== undefined && entry[field] !== stored[field]) refuse(field, "its prices stay: give a card that follows it");
  }
  const { effective_at, expires_at } = entry;
  if (effective_at !== undefined && Date.parse(effective_at) !== Date.parse(stored.effective_at)) refuse("effective_at", "that stays");
  if (expires_at === undefined || endsAt(expires_at) === endsAt(stored.expires_at)) return;
  if (endsAt(stored.expires_at) <= now) refuse("expires_at", "it ended: that stays");
  if (endsAt(expires_at) < now) refuse("expires_at", "it cannot end in the past: give a moment to come");
};

const endsAt = (expires_at: string | null): number => (expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at));

/**
 * Rate cards follow one another, so that no moment has two prices and none between them has no price. The table's own are taken into
 * account; what is wrong among those alone is not this document's mistake.
 */
const checkSuccession = async (table: Table, entries: readonly RateCardEntry[], path: Path): Promise<void> => {
  const stored = await store.list(table, SandboxRateCards, "key", {}, { consistent: true });
  const cards = new Map(stored.map(({ version, effective_at, expires_at }) => [version, { version, effective_at, expires_at, at: -1 }]));
  for (const [at, { version, effective_at, expires_at }] of entries.entries()) {
    const known = cards.get(version);
    cards.set(version, {
      version,
      effective_at: effective_at ?? known?.effective_at ?? "",
      expires_at: expires_at === undefined ? (known?.expires_at ?? null) : expires_at,
      at,
    });
  }
  const inTime = [...cards.values()].sort((one, other) => Date.parse(one.effective_at) - Date.parse(other.effective_at));
  for (const [place, { version, effective_at, at }] of inTime.entries()) {
    const before = inTime[place - 1];
    if (before === undefined || (at < 0 && before.at < 0)) continue;
    if (before.expires_at !== null && Date.parse(before.expires_at) === Date.parse(effective_at)) continue;
    if (before.at >= 0) {
      const message = `the next card, ${JSON.stringify(version)}, begins at ${effective_at}: this one must end then`;
      throw new DocumentProblem([...path, before.at, "expires_at"], message);
    }
    const end = before.expires_at === null ? "has no end" : `ends at ${before.expires_at}`;
    const message = `the card before, ${JSON.stringify(before.version)}, ${end}: it must end when this one begins`;
    throw new DocumentProblem([...path, at, "effective_at"], message);
  }
};
