import { isFields } from "../../event/fields.ts";
import type { Ports } from "../../ports/ports.ts";
import type { ServiceCustomer, ServiceLicense } from "./license-token.ts";
import { askService, serviceError } from "./service.ts";

/** Credit that is bought, or about to be. */
const PREPAID: ReadonlySet<unknown> = new Set(["pending", "active"]);

/** Whether a customer of the billing service pays by use: is on no startup program and has bought no credit. Throws where the service does not say. */
export const paysServiceByUse = async (
  { config, clock }: Pick<Ports, "config" | "clock">,
  license: ServiceLicense,
  customer: ServiceCustomer,
): Promise<boolean> => {
  const told = async (path: string) => {
    const { status, body } = await askService(config, license, customer, { method: "GET", path }, clock.now());
    if (status !== OK || !isFields(body)) throw serviceError(new Error(`the billing service answered ${status} to ${path}`));
    return body;
  };
  const [billing, credit] = await Promise.all([told("/api/billing"), told("/api/credits/overview")]);
  const label = isFields(billing.customer) ? billing.customer.startup_program_label : null;
  return (label ?? null) === null && !PREPAID.has(credit.status);
};

const OK = 200;
