import { UserError } from "../local/user-error.ts";
import { tokenKeysParameter } from "../token-keys.ts";
import { progress } from "./backup/progress.ts";
import { restoreDirectory } from "./backup/restore-directory.ts";
import { restoreStack } from "./backup/restore-stack.ts";
import type { Place, RunAt } from "./command.ts";
import { verificationJson, verificationLines } from "./verify-command.ts";

export const restore: RunAt = async (place, { flags: { from }, switches }) => {
  if (from === undefined) throw new UserError("Say where the backup lies: --from DIR, or --from s3://BUCKET/PREFIX");
  const options = { isDeep: switches.has("deep"), progress: progress() };
  const { manifest, verification } = await (place.kind === "stack"
    ? restoreStack(from, place.stack, options)
    : restoreDirectory(from, place.dataDir, options));
  const { id, began_at, objects, messages, files } = manifest;
  const hasTokenKeys = place.kind === "directory" && files["token-keys"] !== undefined;
  return {
    json: { id, began_at, objects: objects.count, bytes: objects.bytes, messages, verified: verificationJson(verification) },
    lines: [
      `${place.kind === "stack" ? place.stack : place.dataDir} is what was acknowledged before ${began_at}: ${objects.count} objects, ${messages} messages that wait.`,
      ...verificationLines(verification, Date.now()),
      ...(hasTokenKeys ? [] : [tokenKeysLine(place)]),
    ],
    ...(verification.problemCount > 0 && { exitCode: 1 }),
  };
};

const tokenKeysLine = (place: Place): string =>
  `Tokens of integrations are readable once the keys of where they come from are in ${place.kind === "stack" ? `the parameter ${tokenKeysParameter(place.stack)}` : `the file ${place.dataDir}/token-keys`} (infra/deploy.md: keys of integrations' tokens).`;
