import { Organizations } from "../../lib/organizations/organizations.ts";
import { get } from "../../lib/table/store.ts";
import { UserError } from "../local/user-error.ts";
import { chosenProject } from "./chosen-project.ts";
import type { Run } from "./command.ts";
import { describeDeployment } from "./describe/describe.ts";
import { readOnlyTable } from "./read-only-table.ts";

/** Prints the document that `apply` takes. */
export const describe: Run = async ({ world }, { flags }) => {
  const table = readOnlyTable(world.table);
  const project = flags.project === undefined ? undefined : await chosenProject(table, flags.project);
  const organization = project?.organization_id ?? flags.organization;
  if (organization !== undefined && (await get(table, Organizations, { id: organization }, { consistent: true })) === undefined)
    throw new UserError(`There is no organization ${organization}.`);
  const document = await describeDeployment({ table, clock: world.clock }, { organization, project: project?.id });
  return { json: document, lines: [JSON.stringify(document, null, 2)] };
};
