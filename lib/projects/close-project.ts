import { puttingToken } from "../keys/project-tokens.ts";
import { tombstone } from "../lake/head.ts";
import { POLICIES } from "../lake/policy.ts";
import { ConditionFailed, type Table } from "../ports/table.ts";
import { updating } from "../table/store.ts";
import { transact } from "../table/transact.ts";
import { type Project, Projects } from "./projects.ts";

const ACTIVE = { kind: "equals", attribute: "state", value: "active" } as const;

/**
 * Closes a project for ever: one transaction with its token and the tombstone of its lake, which wakes the job that deletes the rest.
 * Nothing is let in any more within five seconds. False where it is closed already.
 */
export const closeProject = async (table: Table, { id, organization_id, api_token }: Project, now: number): Promise<boolean> => {
  try {
    await transact(table, [
      updating(Projects, { id }, { set: { state: "removed", updated_at: new Date(now).toISOString() } }, ACTIVE),
      puttingToken(api_token, { project_id: id, organization_id, state: "removed" }),
      tombstone(id, now, now + POLICIES.deployed.removalDelayMs),
    ]);
    return true;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return false;
  }
};
