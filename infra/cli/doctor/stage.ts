import { UserError } from "../../local/user-error.ts";
import { STACK_OUTPUTS } from "../../outputs.ts";
import { readStageSettings } from "../../stage-settings.ts";
import { alarmReceivers } from "../alarm-receivers.ts";
import { checkFormats } from "../check-formats.ts";
import type { StackAccount } from "../stack-account.ts";
import type { Addresses } from "./addresses.ts";
import { type Finding, fail, ok, reason, warn } from "./finding.ts";

/** Where a stage answers; undefined where there is none. */
export const stageAddresses = async (account: Pick<StackAccount, "outputs">, stage: string): Promise<Addresses | undefined> => {
  const outputs = await account.outputs(stage);
  const [ingestUrl, baseUrl] = [outputs?.get(STACK_OUTPUTS.ingestUrl), outputs?.get(STACK_OUTPUTS.baseUrl)];
  return ingestUrl === undefined || baseUrl === undefined ? undefined : { ingestUrl, baseUrl };
};

/** What only the account of a stage knows: whom its alarms reach, and whether this release and what is deployed read each other's formats. */
export const checkStage = async (account: StackAccount, stage: string): Promise<readonly Finding[]> => {
  const settings = readStageSettings(stage);
  const alarms = await alarmReceivers(account, stage, settings);
  return [
    alarms.startsWith("Alarms are mailed")
      ? ok("alarms", alarms)
      : warn("alarms", alarms, "until then nobody is told when something fails"),
    await formats(account, stage, settings.writeFormats),
  ];
};

const formats = async (account: Pick<StackAccount, "outputs">, stage: string, writeFormats: string | undefined): Promise<Finding> => {
  try {
    await checkFormats(account, stage, writeFormats);
    return ok("formats", "this release and the one that is deployed read what each other writes");
  } catch (thrown) {
    if (!(thrown instanceof UserError)) throw thrown;
    return fail("formats", reason(thrown), "infra/decisions/062-readers-before-writers.md says why");
  }
};
