import type { Ports } from "../../ports/ports.ts";
import { get } from "../../table/store.ts";
import { Licenses } from "../licenses.ts";
import { readLicense, type ServiceLicense } from "./license-token.ts";

/** The license that the billing service knows this deployment by: the configured one, else the installed one. */
export const licenseOf = async ({ table, config }: Pick<Ports, "table" | "config">): Promise<ServiceLicense | undefined> => {
  const configured = readLicense(config.billingLicense);
  if (configured !== undefined) return configured;
  const { key_id: id, secret } = (await get(table, Licenses, {}, { consistent: true })) ?? {};
  return id === undefined || secret === null || secret === undefined ? undefined : { id, secret };
};
