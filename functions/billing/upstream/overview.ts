import type { World } from "../../../lib/app/world.ts";
import { BUILT_IN } from "../../../lib/billing/catalogue/built-in-catalogue.ts";
import { Licenses } from "../../../lib/billing/licenses.ts";
import { keepCustomer } from "../../../lib/billing/upstream/customer.ts";
import type { ServiceLicense } from "../../../lib/billing/upstream/license-token.ts";
import { usedToday } from "../../../lib/billing/upstream/used-today.ts";
import { type Fields, isFields } from "../../../lib/event/fields.ts";
import type { HttpRequest } from "../../../lib/http/request.ts";
import { get } from "../../../lib/table/store.ts";
import { portalLink } from "../place.ts";
import { applyTerms } from "../terms.ts";
import { type Asker, callBillingService } from "./call-billing-service.ts";
import { passed } from "./relay.ts";

/** The overview as the billing service knows it, with what was used today, of which it has not heard yet. */
export const upstreamOverview = async (
  world: Pick<World, "table" | "objects" | "clock" | "config" | "log">,
  asker: Asker,
  license: ServiceLicense | undefined,
  request: HttpRequest,
  query: Readonly<Record<string, string | undefined>> = {},
): Promise<unknown> => {
  if (license === undefined) return { available_product_features: [], products: defaultProducts() };
  const answer = passed(await callBillingService(world, license, asker, { method: "GET", path: "/api/billing", query }));
  if (answer.status !== OK) return answer.body;
  const told = isFields(answer.body) ? answer.body : {};
  const { customer } = told;
  if (!isFields(customer)) return { available_product_features: [], products: await upstreamProducts(world, asker, license) };
  await keepCustomer(world, asker.organization.id, customer);
  await applyTerms(world, asker.organization.id);
  const own = Array.isArray(customer.products) ? customer.products : await upstreamProducts(world, asker, license);
  const today = await usedToday(world, asker.organization.id);
  return {
    available_product_features: [],
    license: { plan: await planOf(world, told) },
    ...customer,
    products: own.map((product) => (isFields(product) ? withToday(product, customer.usage_summary, today) : product)),
    stripe_portal_url: portalLink(request),
  };
};

const OK = 200;

const defaultProducts = (): readonly unknown[] => BUILT_IN.products.map(({ type, name, description }) => ({ type, name, description }));

const upstreamProducts = async (
  world: Pick<World, "table" | "clock" | "config">,
  asker: Asker,
  license: ServiceLicense,
): Promise<readonly unknown[]> => {
  const { body } = passed(
    await callBillingService(world, license, asker, { method: "GET", path: "/api/products-v2", query: { plan: "standard" } }),
  );
  return isFields(body) && Array.isArray(body.products) ? body.products : [];
};

const planOf = async ({ table }: Pick<World, "table">, { license }: Fields): Promise<unknown> =>
  isFields(license) ? license.type : ((await get(table, Licenses, {}))?.plan ?? null);

const withToday = (product: Fields, summary: unknown, today: (key: string) => number): Fields => {
  const { usage_key } = product;
  if (typeof usage_key !== "string") return product;
  const known = isFields(summary) ? summary[usage_key] : undefined;
  const { usage, limit } = isFields(known) ? known : {};
  const current_usage = (typeof usage === "number" ? usage : 0) + today(usage_key);
  return { ...product, current_usage, percentage_usage: typeof limit === "number" && limit > 0 ? current_usage / limit : 0 };
};
