import * as z from "zod";
import { entity } from "../table/entity.ts";
import { within } from "../table/partitions.ts";

/** A price per second as an exact decimal, never in exponent notation. */
export const DecimalPrice = z.string().regex(/^\d+(\.\d+)?$/, "A price is a decimal number in plain notation.");

export const SandboxRateCard = z.object({
  version: z.string().min(1).max(100),
  effective_at: z.string(),
  expires_at: z.string().nullable(),
  cpu_core_second_usd: DecimalPrice,
  memory_gib_second_usd: DecimalPrice,
});
export type SandboxRateCard = z.output<typeof SandboxRateCard>;

export const SandboxRateCards = entity({
  name: "sandbox-rate-card",
  version: 1,
  schema: SandboxRateCard,
  key: within("sandboxRateCards", "card#{version}"),
  patterns: {},
});
