import { UserError } from "../local/user-error.ts";
import { stackNames } from "../outputs.ts";
import { keepStageSettings, readStageSettings } from "../stage-settings.ts";
import type { Account } from "./account.ts";
import type { cdk, DeployFlags } from "./deployed.ts";
import { type KeptData, keptData, keptSettings } from "./kept-data.ts";
import { checkNothingWaits } from "./waiting.ts";

/** What taking a stage down works with. `folder` is where stages' settings lie. */
interface Surroundings {
  readonly account: Pick<Account, "resources" | "messages">;
  readonly cdk: typeof cdk;
  readonly folder?: string;
}

/**
 * Removes a stage's stacks, and returns the names of the data that stays. May be broken off anywhere and begun again: the stack of the data,
 * which knows what stays, goes last, when it is written down. Throws `UserError` where messages wait, and where a stack does not go.
 */
export const destroyStage = async (
  given: Omit<DeployFlags, "unrehearsed">,
  { account, cdk: run, folder }: Surroundings,
): Promise<KeptData> => {
  const { front, workers, ingest, data } = stackNames(given.stage);
  await checkNothingWaits(account, [ingest, workers], given);
  const kept = await keptData(account, given.stage, readStageSettings(given.stage, folder));
  const context = { stage: given.stage, context: ["engine=absent"] };
  run(["destroy", front, workers, ingest, ...(given.yes ? ["--force"] : [])], context);
  for (const stack of [front, workers, ingest])
    if ((await account.resources(stack)) !== undefined)
      throw new UserError(`The stack ${stack} is still there: nothing that is stored was touched. Run this again to go on.`);
  keepStageSettings(given.stage, keptSettings(kept), folder);
  run(["destroy", data, "--force"], context);
  return kept;
};
