import type { Table } from "../ports/table.ts";
import { nextVersion } from "../table/versions.ts";
import { type BillingParts, type Command, refused, runCommand } from "./commands.ts";
import { type BillingAccount, BillingAccounts } from "./customer/account.ts";
import { readCustomerState } from "./customer.ts";

/** The startup program, in which organizations are until somebody says otherwise, under the label that they were taken in with. */

/** Keeps an application for the startup program, JSON as it was sent. Throws 400 while another one waits. */
export const applyForStartups = (parts: BillingParts, command: Command, fields: string): Promise<{ readonly success: true }> =>
  runCommand(parts, command, async () => {
    const { account } = await readCustomerState(parts.table, command.organization);
    if (account.startup_application !== null)
      throw refused("already_applied", "An application of this organization is waiting for its answer.");
    const startup_application = { at: new Date(parts.clock.now()).toISOString(), fields };
    return { writes: [nextVersion(BillingAccounts, { ...account, startup_application })], answer: { success: true } };
  });

/** How an organization stands with the startup program: its label, the application that waits, and the last answer. */
export type StartupStanding = Pick<BillingAccount, "startup_label" | "startup_application" | "startup_decision">;

export const readStartupStanding = async (table: Table, organization: string): Promise<StartupStanding> =>
  (await readCustomerState(table, organization)).account;

/** Answers the application that waits: with a label, which takes the organization in, or with null, which leaves it as it is. False where none waits. */
export const answerApplication = (parts: BillingParts, organization: string, label: string | null): Promise<boolean> =>
  runCommand(parts, { organization, operation: "startups", key: undefined, body: null }, async () => {
    const { account } = await readCustomerState(parts.table, organization);
    if (account.startup_application === null) return { writes: [], answer: false };
    const next: BillingAccount = {
      ...account,
      startup_label: label ?? account.startup_label,
      startup_application: null,
      startup_decision: { at: new Date(parts.clock.now()).toISOString(), label },
    };
    return { writes: [nextVersion(BillingAccounts, next)], answer: true };
  });
