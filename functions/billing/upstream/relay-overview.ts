import type { World } from "../../../lib/app/world.ts";
import { licenseOf } from "../../../lib/billing/upstream/license.ts";
import { readLicense } from "../../../lib/billing/upstream/license-token.ts";
import type { ServiceQuestion } from "../../../lib/billing/upstream/service.ts";
import { bare, notFound } from "../../../lib/http/errors.ts";
import type { HttpRequest } from "../../../lib/http/request.ts";
import { type Asker, callBillingService, isUpstream } from "./call-billing-service.ts";
import { upstreamOverview } from "./overview.ts";
import { passed } from "./relay.ts";

/** Where another service does the billing, answers with the overview as that knows it: by throwing it. */
export const relayOverview = async (
  world: Pick<World, "table" | "objects" | "clock" | "config" | "log">,
  asker: Asker,
  request: HttpRequest,
  query: Readonly<Record<string, string | undefined>> = {},
): Promise<void> => {
  if (!isUpstream(world)) return;
  const { billingLicense } = world.config;
  if (billingLicense !== "" && readLicense(billingLicense) === undefined) throw notFound(UNSUPPORTED);
  throw bare(200, await upstreamOverview(world, asker, await licenseOf(world), request, query));
};

const UNSUPPORTED = "Billing is not supported with the license of this deployment: it has to be of the kind `<id>::<secret>`.";

/** Where another service does the billing, has it change something and answers with the overview after that. */
export const relayChange = async (
  world: Pick<World, "table" | "objects" | "clock" | "config" | "log">,
  asker: Asker,
  request: HttpRequest,
  question: ServiceQuestion,
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> => {
  if (!isUpstream(world)) return;
  const license = await licenseOf(world);
  const { status, body } = license === undefined ? NOTHING : passed(await callBillingService(world, license, asker, question), more);
  if (status !== NOTHING.status) throw bare(status, body);
  throw bare(NOTHING.status, await upstreamOverview(world, asker, license, request));
};

const NOTHING = { status: 200, body: null };
