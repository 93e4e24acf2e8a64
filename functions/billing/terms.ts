import type { World } from "../../lib/app/world.ts";
import { evaluateQuotas } from "../../lib/billing/quotas/quotas.ts";
import { type Command, type CommandOutcome, runCommand } from "../../lib/billing/run-command.ts";
import { faultFields } from "../../lib/http/request-log.ts";

/** What it takes to compare usage with limits. */
type Parts = Pick<World, "table" | "objects" | "clock" | "config" | "log">;

/** Carries out a command that changes what may be used, and at once takes or drops data as it says: what is dropped brings nobody to look again. */
export const runTermsCommand = async <T>(parts: Parts, command: Command, buildWrites: () => Promise<CommandOutcome<T>>): Promise<T> => {
  const answer = await runCommand(parts, command, buildWrites);
  await applyTerms(parts, command.organization);
  return answer;
};

/** Takes or drops an organization's data as what it agreed to says now. Who asked does not wait for it to succeed: usage is compared with limits again and again. */
export const applyTerms = async (parts: Parts, organization: string): Promise<void> =>
  evaluateQuotas(parts, organization).catch((fault: unknown) => parts.log.line("warn", "quotas_not_evaluated", faultFields(fault)));
