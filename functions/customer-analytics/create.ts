import type { World } from "../../lib/app/world.ts";
import { type Account, Accounts } from "../../lib/customers/accounts.ts";
import { externalIdMarker } from "../../lib/customers/group-accounts.ts";
import { bare } from "../../lib/http/errors.ts";
import { ConditionFailed } from "../../lib/ports/table.ts";
import { putting } from "../../lib/table/store.ts";
import { ABSENT, claiming, transact } from "../../lib/table/transact.ts";
import { lookUp } from "./find.ts";

/** The account of an external id, made where there is none. */
export const createAccount = async (
  { table, ids, clock }: Pick<World, "table" | "ids" | "clock">,
  project: number,
  external_id: string,
): Promise<{ readonly account: Account; readonly created: boolean }> => {
  if (external_id === "") throw bare(400, { error: "external_id is required" });
  const account = Accounts.schema.parse({
    id: ids.uuid(),
    project_id: project,
    external_id,
    name: external_id,
    properties: {},
    tags: [],
    relationships: {},
    custom_properties: {},
    created_at: new Date(clock.now()).toISOString(),
  });
  try {
    await transact(table, [claiming(externalIdMarker(project, external_id), account.id), putting(Accounts, account, ABSENT)]);
    return { account, created: true };
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    const found = await lookUp(table, project, external_id);
    // Only where the project is being removed an external id outlives its account.
    if (found === undefined) throw bare(409, { error: "The account is being removed. Try again." });
    return { account: found.account, created: found.account.id === account.id };
  }
};
