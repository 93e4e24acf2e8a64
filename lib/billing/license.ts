import * as z from "zod";
import { permissionDenied } from "../http/errors.ts";
import { keyHash } from "../keys/credential.ts";
import type { Ports } from "../ports/ports.ts";
import { type Condition, ConditionFailed, type Table } from "../ports/table.ts";
import { entity } from "../table/entity.ts";
import { within } from "../table/partitions.ts";
import { get, put, putting, remove } from "../table/store.ts";
import { ABSENT } from "../table/transact.ts";
import type { ServiceLicense } from "./billing-service.ts";
import { type Command, runCommand } from "./commands.ts";

const LICENSE = /^([^:\s]+)::([^:\s]+)$/;

/** A license as it is written, `<id>::<secret>`; undefined for what is none. */
export const readLicense = (text: string): ServiceLicense | undefined => {
  const [, id, secret] = LICENSE.exec(text) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
};

/**
 * The license by which a billing service knows this deployment, which is its operator's. The secret has to sign, so it is kept as it is.
 * Without one, such as an earlier release kept where no service was configured, nobody can be asked with it.
 */
const DeploymentLicense = z.object({
  key_id: z.string(),
  secret_hash: z.string(),
  secret: z.string().nullable().default(null),
  /** What an earlier release was told by the service when it was installed. */
  plan: z.string().nullable().default(null),
  installed_at: z.string(),
});
export type DeploymentLicense = z.output<typeof DeploymentLicense>;

const DeploymentLicenses = entity({
  name: "billing-license",
  version: 1,
  schema: DeploymentLicense,
  key: within("license", "license"),
  patterns: {},
});

/** The license that an organization installed where the platform's own ledger does the billing. Of its secret only a digest is kept. */
const OrganizationLicense = z.object({
  organization_id: z.guid(),
  key_id: z.string(),
  secret_hash: z.string(),
  plan: z.string(),
  installed_at: z.string(),
});
type OrganizationLicense = z.output<typeof OrganizationLicense>;

const OrganizationLicenses = entity({
  name: "billing-organization-license",
  version: 1,
  schema: OrganizationLicense,
  key: within("billing", "license", { organization: "organization_id" }),
  patterns: {},
});

/** The license that the billing service knows this deployment by: the configured one, else the installed one. */
export const findLicense = async ({ table, config }: Pick<Ports, "table" | "config">): Promise<ServiceLicense | undefined> => {
  const configured = readLicense(await config.billingLicense.read());
  if (configured !== undefined) return configured;
  const { key_id: id, secret } = (await findDeploymentLicense(table)) ?? {};
  return id === undefined || secret === null || secret === undefined ? undefined : { id, secret };
};

/** The deployment's license as it was installed. */
export const findDeploymentLicense = (table: Table): Promise<DeploymentLicense | undefined> =>
  get(table, DeploymentLicenses, {}, { consistent: true });

/** One without a secret gives way to one that can sign. */
const UNUSABLE: Condition = { kind: "any", of: [ABSENT, { kind: "equals", attribute: "secret", value: null }] };

/** Installs the deployment's license. False where one is installed. */
export const installDeploymentLicense = async (
  { table, clock }: Pick<Ports, "table" | "clock">,
  { id, secret }: ServiceLicense,
): Promise<boolean> => {
  const installed = { key_id: id, secret_hash: keyHash(secret), secret, plan: null, installed_at: new Date(clock.now()).toISOString() };
  try {
    await put(table, DeploymentLicenses, installed, UNUSABLE);
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
};

/** Removes the deployment's license, if one is installed. */
export const removeDeploymentLicense = (table: Table): Promise<void> => remove(table, DeploymentLicenses, {});

/** The plan of the license that an organization installed. */
export const findLicensePlan = async (table: Table, organization_id: string): Promise<string | undefined> =>
  (await get(table, OrganizationLicenses, { organization_id }))?.plan;

/** The plan of every license that no billing service is asked about. */
const OWN_PLAN = "enterprise";

/**
 * Installs an organization's license, once: `read` gives it or throws for what is none, asked only where there is none yet. Throws 403
 * where one is installed.
 */
export const installLicense = (
  { table, clock }: Pick<Ports, "table" | "clock">,
  command: Command,
  read: () => ServiceLicense,
): Promise<{ readonly success: true }> =>
  runCommand({ table, clock }, command, async () => {
    const { organization: organization_id } = command;
    if ((await get(table, OrganizationLicenses, { organization_id }, { consistent: true })) !== undefined)
      throw permissionDenied("A license is installed. It must be removed first.");
    const { id, secret } = read();
    const installed: OrganizationLicense = {
      organization_id,
      key_id: id,
      secret_hash: keyHash(secret),
      plan: OWN_PLAN,
      installed_at: new Date(clock.now()).toISOString(),
    };
    return { writes: [putting(OrganizationLicenses, installed, ABSENT)], answer: { success: true } };
  });

/** Removes an organization's license, if it installed one. */
export const removeLicense = (table: Table, organization_id: string): Promise<void> =>
  remove(table, OrganizationLicenses, { organization_id });
