import { SECRET_FIELDS } from "../../lib/ports/config.ts";
import { secretSetting } from "../constructs/settings.ts";
import { UserError } from "../local/user-error.ts";
import type { StageSettings } from "../stage-settings.ts";
import type { Account } from "./account.ts";

/**
 * Looks whether the secrets lie where a stage's settings say: its functions would be deployed all the same, and answer 503 for want of them.
 * Throws a `UserError` for one that does not. Returns a sentence for each that this caller may not look for.
 */
export const checkSecrets = async (account: Pick<Account, "hasSecret">, settings: StageSettings): Promise<readonly string[]> => {
  const sentences: string[] = [];
  for (const setting of SECRET_FIELDS.map(secretSetting)) {
    const name = settings[setting];
    if (name === undefined) continue;
    const found = await account.hasSecret(name).catch((thrown: unknown) => thrown);
    if (found === false)
      throw new UserError(
        `-c ${setting}=${name}: nothing lies there in this region. Put the secret there, as infra/deploy.md says, then run this again.`,
      );
    if (found !== true) sentences.push(`Nobody looked whether a secret lies under ${name} (${setting}): ${String(found)}`);
  }
  return sentences;
};
