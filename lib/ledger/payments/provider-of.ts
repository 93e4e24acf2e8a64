import { base62 } from "../../entities/keys/credential.ts";
import type { Config } from "../../ports/config.ts";
import type { Ids } from "../../ports/ids.ts";
import type { PaymentProvider } from "./payment-provider.ts";
import { stripe } from "./stripe.ts";

/** The deployment's provider. */
export const providerOf = (config: Config, ids: Pick<Ids, "secret">): PaymentProvider =>
  config.paymentProvider === "stripe" ? stripe(config) : none(config, ids);

const SECRET_BYTES = 32;

/** Nobody collects: every payment method is authorized at once, and invoices are paid elsewhere. */
const none = ({ billingPortalUrl }: Pick<Config, "billingPortalUrl">, ids: Pick<Ids, "secret">): PaymentProvider => ({
  collects: false,
  authorize: async (_, id) => ({ id, clientSecret: `${id}_secret_${base62(ids.secret(SECRET_BYTES))}`, customerId: null }),
  status: async () => ({ state: "success", error: null }),
  charge: async () => ({ state: "pending", error: null }),
  portal: async () => billingPortalUrl || null,
});
