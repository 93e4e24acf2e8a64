import * as z from "zod";
import { route } from "../../lib/app/routes.ts";
import { anyone } from "../../lib/auth/access.ts";
import { DecimalPrice, type SandboxRateCard, SandboxRateCards } from "../../lib/billing/sandbox-rate-cards.ts";
import { isoBrief } from "../../lib/core/time.ts";
import { json } from "../../lib/http/reply.ts";
import { list } from "../../lib/table/store.ts";

const RateCard = z
  .object({
    version: z.string(),
    effective_at: z.string(),
    expires_at: z.string().nullable(),
    cpu_core_second_usd: DecimalPrice,
    memory_gib_second_usd: DecimalPrice,
  })
  .meta({ id: "SandboxRateCard" });

const SandboxPricing = z.object({ current: RateCard.nullable(), history: z.array(RateCard) }).meta({ id: "SandboxComputePricing" });

export const sandboxPricing = route({
  method: "GET",
  path: "/api/code/sandbox-pricing/",
  summary: "Prices of sandbox compute",
  description: "The rate card that holds now, and those that have expired, the newest first. Cards of the future are not shown.",
  tags: ["Code"],
  access: anyone,
  reply: json(200, SandboxPricing),
  async handle({ world }) {
    const cards = await list(world.table, SandboxRateCards, "key", {});
    return pricingAt(cards, world.clock.now());
  },
});

const pricingAt = (cards: readonly SandboxRateCard[], now: number) => {
  const begun = cards.filter((card) => Date.parse(card.effective_at) <= now).sort((one, other) => beginsAt(other) - beginsAt(one));
  const current = begun.find((card) => now < endsAt(card));
  return {
    current: current === undefined ? null : cardForm(current),
    history: begun.filter((card) => endsAt(card) <= now).map(cardForm),
  };
};

/** Times are sent in UTC, whatever offset the operator wrote them with. */
const cardForm = ({ effective_at, expires_at, ...card }: SandboxRateCard): z.input<typeof RateCard> => ({
  ...card,
  effective_at: isoBrief(effective_at),
  expires_at: expires_at === null ? null : isoBrief(expires_at),
});

const beginsAt = ({ effective_at }: SandboxRateCard): number => Date.parse(effective_at);
const endsAt = ({ expires_at }: SandboxRateCard): number => (expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at));
