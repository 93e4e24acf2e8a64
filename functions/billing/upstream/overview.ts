import type { World } from "../../../lib/app/world.ts";
import { isUpstream, type ServiceLicense, type ServiceQuestion } from "../../../lib/billing/billing-service.ts";
import { findDeploymentLicense, findLicense, readLicense } from "../../../lib/billing/license.ts";
import { applyTerms } from "../../../lib/billing/quotas.ts";
import { keepCustomer, productNames, readUsedToday } from "../../../lib/billing/upstream-customers.ts";
import { type Fields, isFields } from "../../../lib/event/fields.ts";
import { bare, notFound } from "../../../lib/http/errors.ts";
import type { HttpRequest } from "../../../lib/http/request.ts";
import { portalLink } from "../operations.ts";
import { type Asker, acceptedBody, callBillingService } from "./relay.ts";

/** Where another service does the billing, answers with the overview as that knows it: by throwing it. */
export const relayOverview = async (
  world: Pick<World, "table" | "objects" | "clock" | "config" | "log">,
  asker: Asker,
  request: HttpRequest,
  query: Readonly<Record<string, string | undefined>>,
): Promise<void> => {
  if (!isUpstream(world)) return;
  const billingLicense = await world.config.billingLicense.read();
  if (billingLicense !== "" && readLicense(billingLicense) === undefined) throw notFound(UNSUPPORTED);
  throw bare(200, await upstreamOverview(world, asker, await findLicense(world), request, query));
};

const UNSUPPORTED = "Billing is not supported with the license of this deployment: it has to be of the kind `<id>::<secret>`.";

/** Where another service does the billing, has it change something and answers with the overview after that. */
export const relayChange = async (
  world: Pick<World, "table" | "objects" | "clock" | "config" | "log">,
  asker: Asker,
  request: HttpRequest,
  question: ServiceQuestion,
): Promise<void> => {
  if (!isUpstream(world)) return;
  const license = await findLicense(world);
  if (license !== undefined) acceptedBody(await callBillingService(world, license, asker, question));
  throw bare(200, await upstreamOverview(world, asker, license, request));
};

/** The overview as the billing service knows it, with what was used today, of which it has not heard yet. Throws what the service refuses. */
const upstreamOverview = async (
  world: Pick<World, "table" | "objects" | "clock" | "config" | "log">,
  asker: Asker,
  license: ServiceLicense | undefined,
  request: HttpRequest,
  query: Readonly<Record<string, string | undefined>> = {},
): Promise<unknown> => {
  if (license === undefined) return { available_product_features: [], products: productNames() };
  const answer = acceptedBody(await callBillingService(world, license, asker, { method: "GET", path: "/api/billing", query }));
  const told = isFields(answer) ? answer : {};
  const { customer } = told;
  if (!isFields(customer)) return { available_product_features: [], products: await upstreamProducts(world, asker, license) };
  await keepCustomer(world, asker.organization.id, customer);
  await applyTerms(world, asker.organization.id);
  const own = Array.isArray(customer.products) ? customer.products : await upstreamProducts(world, asker, license);
  const today = await readUsedToday(world, asker.organization.id);
  return {
    available_product_features: [],
    license: { plan: await licensePlan(world, told) },
    ...customer,
    products: own.map((product) => (isFields(product) ? withToday(product, customer.usage_summary, today) : product)),
    stripe_portal_url: portalLink(request),
  };
};

const upstreamProducts = async (
  world: Pick<World, "table" | "clock" | "config">,
  asker: Asker,
  license: ServiceLicense,
): Promise<readonly unknown[]> => {
  const body = acceptedBody(
    await callBillingService(world, license, asker, { method: "GET", path: "/api/products-v2", query: { plan: "standard" } }),
  );
  return isFields(body) && Array.isArray(body.products) ? body.products : [];
};

const licensePlan = async ({ table }: Pick<World, "table">, { license }: Fields): Promise<unknown> =>
  isFields(license) ? license.type : ((await findDeploymentLicense(table))?.plan ?? null);

const withToday = (product: Fields, summary: unknown, today: (key: string) => number): Fields => {
  const { usage_key } = product;
  if (typeof usage_key !== "string") return product;
  const known = isFields(summary) ? summary[usage_key] : undefined;
  const { usage, limit } = isFields(known) ? known : {};
  const current_usage = (typeof usage === "number" ? usage : 0) + today(usage_key);
  return { ...product, current_usage, percentage_usage: typeof limit === "number" && limit > 0 ? current_usage / limit : 0 };
};
