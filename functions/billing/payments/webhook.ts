import * as z from "zod";
import { route } from "../../../lib/app/routes.ts";
import { anyone } from "../../../lib/auth/access.ts";
import { providerOf } from "../../../lib/billing/payments/provider-of.ts";
import { settle } from "../../../lib/billing/payments/settle.ts";
import { invalid } from "../../../lib/http/errors.ts";
import { json } from "../../../lib/http/reply.ts";
import { BASE, TAGS } from "../place.ts";

const OUTCOMES: Readonly<Record<string, "success" | "failed">> = {
  "payment_intent.succeeded": "success",
  "payment_intent.payment_failed": "failed",
};

const Subject = z.object({ organization_id: z.guid(), kind: z.enum(["invoice", "grant"]), id: z.string().min(1).max(100) });

const Notice = z
  .looseObject({ type: z.string(), data: z.looseObject({ object: z.looseObject({}) }) })
  .meta({ id: "StripeEvent", description: "An event as the payment provider sends it, with its signature in `Stripe-Signature`." });

export const hearOfPayment = route({
  method: "POST",
  path: `${BASE}/webhooks/stripe/`,
  summary: "Hear from the payment provider how a payment came out",
  description: "Only what carries the provider's signature is believed; what it says of anything else is taken and left.",
  tags: TAGS,
  access: anyone,
  throttle: "none",
  body: Notice,
  examples: { body: { type: "payment_intent.succeeded", data: { object: { id: "pi_0123456789", metadata: {} } } } },
  reply: json(200, z.object({ received: z.literal(true) })),
  async handle({ world, request }) {
    const provider = providerOf(world.config, world.ids);
    const notice = await provider.hear(request.body, request.headers["stripe-signature"], world.clock.now());
    if (notice === undefined) throw invalid(null, "This call is not signed by the payment provider of this deployment.");
    const subject = Subject.safeParse(Reflect.get(notice.data.object, "metadata"));
    const state = OUTCOMES[notice.type];
    if (subject.success && state !== undefined) await settle(world, subject.data, { state, error: null });
    return { received: true as const };
  },
});
