import { faultFields } from "../../lib/http/serve/request-log.ts";
import { type Command, type Decision, decide } from "../../lib/ledger/decide.ts";
import { evaluateQuotas } from "../../lib/ledger/quotas/quotas.ts";
import type { World } from "../../lib/world/world.ts";

type Parts = Pick<World, "table" | "objects" | "clock" | "log">;

/** Carries out a command that changes what may be used, and at once takes or drops data as it says: what is dropped brings nobody to look again. */
export const decideTerms = async <T>(parts: Parts, command: Command, plan: () => Promise<Decision<T>>): Promise<T> => {
  const answer = await decide(parts, command, plan);
  await evaluateQuotas(parts, command.organization).catch((fault: unknown) =>
    parts.log.line("warn", "quotas_not_evaluated", faultFields(fault)),
  );
  return answer;
};
