import * as z from "zod";
import { route } from "../../../lib/app/routes.ts";
import { personalKey } from "../../../lib/auth/access.ts";
import { fullAccessTo } from "../../../lib/auth/billing-access.ts";
import * as startups from "../../../lib/billing/startups.ts";
import { isCanonicalUuid } from "../../../lib/core/uuid.ts";
import { invalid, notFound } from "../../../lib/http/errors.ts";
import { json } from "../../../lib/http/reply.ts";
import { BASE, idempotencyKey, REFUSALS, requestCommand, Success, TAGS } from "../operations.ts";
import { relay } from "../upstream/relay.ts";

const ApplicationBody = z
  .looseObject({
    organization_id: z.unknown().optional().meta({ type: "string", description: "Required: the organization that applies." }),
  })
  .meta({ id: "BillingStartupApplication", description: "Whatever else is sent is kept with the application as it is." });

/** Longest application, characters of JSON. */
const MAX_CHARACTERS = 20_000;

/** Stands for a name that somebody does not have. */
const NO_NAME = "-";

export const applyForStartups = route({
  method: "POST",
  path: `${BASE}/startups/apply/`,
  summary: "Apply for the startup program",
  description: "Needs full access to the billing of the organization that the body names.",
  tags: TAGS,
  access: personalKey("billing:write"),
  body: ApplicationBody,
  described: { body: ApplicationBody.extend({ organization_id: z.guid() }).meta({ id: "BillingStartupApplication" }) },
  examples: { body: { organization_id: "0190d0aa-0000-7000-8000-000000000001", company: "Acme", raised: "0" } },
  reply: json(200, Success),
  errors: [...REFUSALS, 404],
  async handle({ body, grant: { caller }, world, request }) {
    const { organization_id: asked } = body;
    if (typeof asked !== "string" || asked.trim() === "") throw invalid("organization_id", "Name the organization that applies.");
    const id = asked.trim().toLowerCase();
    const grant = isCanonicalUuid(id) ? await fullAccessTo(world, caller, id) : undefined;
    if (grant === undefined) throw notFound("There is no organization of this id.");
    const { email, first_name, last_name } = caller.user;
    const fields = JSON.stringify({ ...body, email, first_name: first_name || NO_NAME, last_name: last_name || NO_NAME });
    if (fields.length > MAX_CHARACTERS) throw invalid(null, `An application has at most ${MAX_CHARACTERS} characters.`, "max_length");
    await relay(
      world,
      grant,
      { method: "POST", path: "/api/startups/apply", body: JSON.parse(fields), key: idempotencyKey(request) },
      { shape: () => ({ success: true }) },
    );
    return startups.applyForStartups(world, requestCommand(grant, request, "startups/apply", body), fields);
  },
});
