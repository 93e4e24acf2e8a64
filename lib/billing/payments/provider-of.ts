import { base62 } from "../../keys/credential.ts";
import type { Config } from "../../ports/config.ts";
import type { Ids } from "../../ports/ids.ts";
import type { PaymentProvider } from "./payment-provider.ts";

/** The deployment's provider. */
export const providerOf = (config: Config, ids: Pick<Ids, "secret">): PaymentProvider =>
  config.paymentProvider === "stripe" ? throughStripe(config) : none(config, ids);

/** Stripe's package is large, and loaded only where somebody pays through it. */
const throughStripe = (config: Config): PaymentProvider => {
  let opened: Promise<PaymentProvider> | undefined;
  const open = (): Promise<PaymentProvider> => {
    opened ??= import("./stripe.ts").then(({ stripe }) => stripe(config));
    return opened;
  };
  return {
    collects: true,
    authorize: async (...given) => (await open()).authorize(...given),
    status: async (...given) => (await open()).status(...given),
    release: async (...given) => (await open()).release(...given),
    charge: async (...given) => (await open()).charge(...given),
    portal: async (...given) => (await open()).portal(...given),
    hear: async (...given) => (await open()).hear(...given),
  };
};

const SECRET_BYTES = 32;

/** Nobody collects: every payment method is authorized at once, and invoices are paid elsewhere. */
const none = ({ billingPortalUrl }: Pick<Config, "billingPortalUrl">, ids: Pick<Ids, "secret">): PaymentProvider => ({
  collects: false,
  authorize: async (_, id) => ({ id, clientSecret: `${id}_secret_${base62(ids.secret(SECRET_BYTES))}`, customerId: null }),
  status: async () => ({ state: "success", error: null, method: null }),
  release: async () => undefined,
  charge: async () => ({ state: "pending", error: null }),
  portal: async () => billingPortalUrl || null,
  hear: async () => undefined,
});
