import { base62 } from "../../keys/credential.ts";
import type { Config } from "../../ports/config.ts";
import type { Ids } from "../../ports/system.ts";
import type { PaymentProvider } from "./payment-provider.ts";
import { STRIPE_TERMS } from "./stripe-terms.ts";

/** The deployment's provider: Stripe, or nobody. */
export const openProvider = (config: Config, ids: Pick<Ids, "secret">): PaymentProvider =>
  config.paymentProvider === "stripe" ? openStripe(config) : nobody(config, ids);

/** Stripe's package is large, and loaded only where somebody pays through it. */
const openStripe = (config: Config): PaymentProvider => {
  let opened: Promise<PaymentProvider> | undefined;
  const open = (): Promise<PaymentProvider> => {
    opened ??= import("./stripe.ts").then(({ stripe }) => stripe(config));
    return opened;
  };
  return {
    ...STRIPE_TERMS,
    authorize: async (...given) => (await open()).authorize(...given),
    status: async (...given) => (await open()).status(...given),
    release: async (...given) => (await open()).release(...given),
    charge: async (...given) => (await open()).charge(...given),
    find: async (...given) => (await open()).find(...given),
    retrieve: async (...given) => (await open()).retrieve(...given),
    takenBack: async (...given) => (await open()).takenBack(...given),
    portal: async (...given) => (await open()).portal(...given),
    hear: async (...given) => (await open()).hear(...given),
  };
};

const SECRET_BYTES = 32;

/** Every payment method is authorized at once, and invoices are paid elsewhere. */
const nobody = ({ billingPortalUrl }: Pick<Config, "billingPortalUrl">, ids: Pick<Ids, "secret">): PaymentProvider => ({
  collects: false,
  minimumCents: 0,
  repeatableMs: 0,
  authorize: async (_, id) => ({ id, clientSecret: `${id}_secret_${base62(ids.secret(SECRET_BYTES))}`, customerId: null }),
  status: async () => ({ state: "success", error: null, method: null }),
  release: async () => undefined,
  charge: async () => NOTHING_KNOWN,
  find: async () => undefined,
  retrieve: async () => NOTHING_KNOWN,
  takenBack: async () => ({ metadata: null, refunded_cents: 0, disputed_cents: 0 }),
  portal: async () => billingPortalUrl || null,
  hear: async () => undefined,
});

const NOTHING_KNOWN = { state: "unknown", intent_id: null, failure: "ours", error: "Nobody collects payments here." } as const;
