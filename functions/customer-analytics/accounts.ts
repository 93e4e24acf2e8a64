import type { World } from "../../lib/app/world.ts";
import { type Account, Accounts, EXTERNAL_ID_CHARACTERS } from "../../lib/customers/accounts.ts";
import { externalIdMarker } from "../../lib/customers/group-accounts.ts";
import { bare } from "../../lib/http/errors.ts";
import { ConditionFailed, type Table } from "../../lib/ports/table.ts";
import { decode, itemKey } from "../../lib/table/entity.ts";
import { putting } from "../../lib/table/store.ts";
import { ABSENT, claiming, markerOwner, transact } from "../../lib/table/transact.ts";

/** An account and the revision that it has, on which a change is made. */
export interface FoundAccount {
  readonly account: Account;
  readonly revision: number;
}

/**
 * The account of an external id. Spaces around it are dropped unless an account has them in its own, as a group's key may.
 * Throws 400 for a blank one and 404 where the project has none of it.
 */
export const findAccount = async (table: Table, project: number, externalId: string): Promise<FoundAccount> => {
  const trimmed = externalId.trim();
  if (trimmed === "") throw bare(400, { error: "external_id is required" });
  for (const wanted of new Set([externalId, trimmed])) {
    const found = wanted.length > EXTERNAL_ID_CHARACTERS ? undefined : await lookUp(table, project, wanted);
    if (found !== undefined) return found;
  }
  throw bare(404, { error: "Account not found" });
};

/** The same of one that may not be there. */
const lookUp = async (table: Table, project: number, externalId: string): Promise<FoundAccount | undefined> => {
  const id = markerOwner(await table.get(externalIdMarker(project, externalId), { consistent: true }));
  const stored = id === undefined ? undefined : await table.get(itemKey(Accounts, { project_id: project, id }), { consistent: true });
  return stored && { account: decode(Accounts, stored), revision: typeof stored.rev === "number" ? stored.rev : 0 };
};

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
