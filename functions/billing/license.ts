import * as z from "zod";
import { route } from "../../lib/app/routes.ts";
import { billingKey } from "../../lib/auth/billing-access.ts";
import { isUpstream } from "../../lib/billing/billing-service.ts";
import * as licenses from "../../lib/billing/license.ts";
import { bare, invalid, permissionDenied } from "../../lib/http/errors.ts";
import { text } from "../../lib/http/fields.ts";
import { json } from "../../lib/http/reply.ts";
import { keyHash } from "../../lib/keys/credential.ts";
import { BASE, REFUSALS, requestCommand, Success, TAGS, TeamQuery } from "./operations.ts";

const LicenseBody = z
  .object({ license: text({ max: 1_000, blank: true }).nullish().meta({ description: "Required: `<id>::<secret>`." }) })
  .meta({ id: "BillingLicense" });

/** The one body of the kind: clients of this operation read it so. */
const Missing = z.object({ license: z.tuple([z.string()]) }).meta({ id: "BillingLicenseMissing" });
const MISSING: z.input<typeof Missing> = { license: ["This field is required."] };

export const installLicense = route({
  method: "PATCH",
  path: `${BASE}/license/`,
  summary: "Install the organization's license",
  description:
    "Once. Only a digest of its secret is kept. Where an upstream billing service does the billing, the license is the operator's and nobody can install one.",
  tags: TAGS,
  access: billingKey("billing:write", "full"),
  query: TeamQuery,
  body: LicenseBody,
  examples: { body: { license: "acme::0123456789abcdef" } },
  described: { body: LicenseBody.extend({ license: text({ max: 1_000 }) }).meta({ id: "BillingLicense" }) },
  reply: json(200, Success),
  errors: [...REFUSALS, { status: 400, description: "No license was sent.", body: Missing }],
  async find({ world }) {
    if (isUpstream(world)) throw permissionDenied("The license of this deployment is its operator's.");
  },
  handle: ({ body: { license }, grant, world, request }) =>
    licenses.installLicense(world, requestCommand(grant, request, "license", { license: keyHash(license ?? "") }), () => {
      if (!license) throw bare(400, MISSING);
      const read = licenses.readLicense(license);
      if (read === undefined)
        throw invalid("license", "License could not be activated. Please contact support. (BillingService status 400)");
      return read;
    }),
});
