import type { World } from "../../../lib/app/world.ts";
import { forEachConcurrent } from "../../../lib/core/concurrency.ts";
import { type Organization, Organizations } from "../../../lib/organizations/organizations.ts";
import * as store from "../../../lib/table/store.ts";
import { UserError } from "../../local/user-error.ts";
import type { CommandArguments } from "../command.ts";

type Given = Pick<CommandArguments, "flags">;

/** The organization that `--organization` names; one that was removed, too: what it owes is still owed. */
export const chosenOrganization = async (
  { table }: Pick<World, "table">,
  { flags: { organization: id } }: Given,
): Promise<Organization> => {
  if (id === undefined) throw new UserError("Give the organization's id: --organization ID");
  const found = await store.get(table, Organizations, { id }, { consistent: true });
  if (found === undefined) throw new UserError(`There is no organization ${id}.`);
  return found;
};

/** Organizations that are read at once. */
const LANES = 16;

/** What `read` says of the organization that `--organization` names, or of each there is, the oldest first. */
export const readOrganizations = async <T>(
  world: Pick<World, "table">,
  given: Given,
  read: (organization: Organization) => Promise<T>,
): Promise<readonly T[]> => {
  if (given.flags.organization !== undefined) return [await read(await chosenOrganization(world, given))];
  const all: T[] = [];
  for await (const organizations of store.pages(world.table, Organizations, "all", {})) {
    const found: T[] = new Array(organizations.length);
    await forEachConcurrent(organizations.entries(), LANES, async ([at, organization]) => {
      found[at] = await read(organization);
    });
    all.push(...found);
  }
  return all;
};
