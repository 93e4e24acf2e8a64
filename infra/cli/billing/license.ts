import * as licenses from "../../../lib/billing/license.ts";
import { UserError } from "../../local/user-error.ts";
import type { Answer, Run } from "../command.ts";
import { chosenOrganization } from "./chosen-organizations.ts";

/** The license by which an upstream billing service knows the deployment. Its secret is taken and never shown. */

export const installLicense: Run = async ({ world }, { words: [key = ""] }) => {
  const license = licenses.readLicense(key);
  if (license === undefined) throw new UserError("A license is written <id>::<secret>.");
  if (!(await licenses.installDeploymentLicense(world, license)))
    throw new UserError("A license is installed. Remove it first: license remove");
  return { json: { id: license.id }, lines: [`Installed the license ${license.id}.`] };
};

export const showLicense: Run = async ({ world }) => {
  const configured = licenses.readLicense(await world.config.billingLicense.read());
  if (configured !== undefined) return shown({ id: configured.id, from: "setting", installed_at: null });
  const installed = await licenses.findDeploymentLicense(world.table);
  if (installed === undefined || installed.secret === null) return { json: null, lines: ["No license is installed."] };
  return shown({ id: installed.key_id, from: "installed", installed_at: installed.installed_at });
};

const shown = (license: { readonly id: string; readonly from: "setting" | "installed"; readonly installed_at: string | null }): Answer => ({
  json: license,
  lines: [`${license.id}, ${license.from === "setting" ? "from the settings" : `installed ${license.installed_at}`}`],
});

export const removeLicense: Run = async ({ world }, given) => {
  if (given.flags.organization !== undefined) {
    const { id, name } = await chosenOrganization(world, given);
    if ((await licenses.findLicensePlan(world.table, id)) === undefined) throw new UserError(`${name} has installed no license.`);
    await licenses.removeLicense(world.table, id);
    return { json: { organization: id }, lines: [`Removed the license of ${name}.`] };
  }
  const installed = await licenses.findDeploymentLicense(world.table);
  if (installed === undefined) throw new UserError("No license is installed.");
  await licenses.removeDeploymentLicense(world.table);
  return { json: { id: installed.key_id }, lines: [`Removed the license ${installed.key_id}.`] };
};
