import { Memberships } from "../organizations/memberships.ts";
import type { Table } from "../ports/table.ts";
import { Projects } from "../projects/projects.ts";
import { page } from "../table/store.ts";
import type { Caller, PersonalCaller } from "./callers.ts";

/** What `@current` stands for in place of an id. */
export const CURRENT = "@current";

/** The organization that `@current` means: the key's own restriction, else the caller's first membership. */
export const currentOrganization = async (table: Table, { key, user }: PersonalCaller): Promise<string | undefined> => {
  const [restricted] = key.scoped_organizations;
  if (restricted !== undefined) return restricted;
  const { items } = await page(table, Memberships, "ofUser", { user_id: user.id }, { limit: 1 });
  return items[0]?.organization_id;
};

/** The project that `@current` means: the key's own, else the first one of the current organization. */
export const currentProject = async (table: Table, caller: Caller): Promise<number | undefined> => {
  if (caller.kind === "secret") return caller.key.project_id;
  const [restricted] = caller.key.scoped_teams;
  if (restricted !== undefined) return restricted;
  const organization = await currentOrganization(table, caller);
  if (organization === undefined) return undefined;
  const { items } = await page(table, Projects, "ofOrganization", { organization_id: organization }, { limit: FIRST_PROJECTS });
  return items.find((project) => project.state === "active")?.id;
};

/** Removed projects may stand before the first one that is alive. */
const FIRST_PROJECTS = 25;
