import * as z from "zod";
import { route } from "../../lib/app/routes.ts";
import type { World } from "../../lib/app/world.ts";
import { type BillingGrant, billingKey } from "../../lib/auth/billing-access.ts";
import * as billingService from "../../lib/billing/billing-service.ts";
import { readLicense, type ServiceLicense } from "../../lib/billing/billing-service.ts";
import { isFields } from "../../lib/event/fields.ts";
import { bare, invalid } from "../../lib/http/errors.ts";
import { text } from "../../lib/http/fields.ts";
import { json } from "../../lib/http/reply.ts";
import { keyHash } from "../../lib/keys/credential.ts";
import { BASE, REFUSALS, requestCommand, Success, TAGS, TeamQuery } from "./operations.ts";
import { callBillingService } from "./upstream/relay.ts";

const LicenseBody = z
  .object({ license: text({ max: 1_000, blank: true }).nullish().meta({ description: "Required: `<id>::<secret>`." }) })
  .meta({ id: "BillingLicense" });

/** The one body of the kind: clients of this operation read it so. */
const Missing = z.object({ license: z.tuple([z.string()]) }).meta({ id: "BillingLicenseMissing" });
const MISSING: z.input<typeof Missing> = { license: ["This field is required."] };

export const installLicense = route({
  method: "PATCH",
  path: `${BASE}/license/`,
  summary: "Install the deployment's license",
  description: "Once. Only a digest of its secret is kept, where no billing service has to be asked with it.",
  tags: TAGS,
  access: billingKey("billing:write", "full"),
  query: TeamQuery,
  body: LicenseBody,
  examples: { body: { license: "acme::0123456789abcdef" } },
  described: { body: LicenseBody.extend({ license: text({ max: 1_000 }) }).meta({ id: "BillingLicense" }) },
  reply: json(200, Success),
  errors: [...REFUSALS, { status: 400, description: "No license was sent.", body: Missing }],
  handle: ({ body: { license }, grant, world, request }) =>
    billingService.installLicense(
      world,
      requestCommand(grant, request, "license", { license: keyHash(license ?? "") }),
      () => {
        if (!license) throw bare(400, MISSING);
        const read = readLicense(license);
        if (read === undefined) throw rejected(BAD_REQUEST);
        return read;
      },
      (read) => knownPlan(world, grant, read),
    ),
});

const BAD_REQUEST = 400;

const rejected = (status: number) =>
  invalid("license", `License could not be activated. Please contact support. (BillingService status ${status})`);

/** The plan that the billing service knows a license for, if it says. Throws 400 where it does not know the license. */
const knownPlan = async (world: World, grant: BillingGrant, license: ServiceLicense): Promise<string | undefined> => {
  const { status, body } = await callBillingService(world, license, grant, { method: "GET", path: "/api/billing" });
  if (status !== 200) throw rejected(status);
  const told = isFields(body) && isFields(body.license) ? body.license.type : undefined;
  return typeof told === "string" ? told : undefined;
};
