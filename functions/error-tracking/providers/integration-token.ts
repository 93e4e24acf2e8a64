import type { World } from "../../../lib/app/world.ts";
import { thrownMessage } from "../../../lib/core/thrown-message.ts";
import { readToken, UnreadableToken } from "../../../lib/projects/integration-tokens.ts";
import type { Integration } from "../../../lib/projects/integrations.ts";
import { ProviderFailure } from "./call.ts";

/**
 * The token of an integration; undefined where it has none. Where it cannot be read there is a line in the log, and the provider cannot be
 * asked: throws `ProviderFailure`.
 */
export const integrationToken = async (
  { tokenKeys, log }: Pick<World, "tokenKeys" | "log">,
  integration: Integration,
): Promise<string | undefined> => {
  try {
    return await readToken(tokenKeys, integration);
  } catch (error) {
    log.line("error", "integration.token_unread", {
      project: integration.project_id,
      integration: integration.id,
      reason: thrownMessage(error),
    });
    throw new ProviderFailure(
      error instanceof UnreadableToken
        ? "its token cannot be decrypted and has to be given again"
        : "its token cannot be read at the moment",
    );
  }
};
