import { UserError } from "../local/user-error.ts";
import { STACK_KEEPS } from "./backup-command.ts";
import type { RunAt } from "./command.ts";
import { progress } from "./keeping/progress.ts";
import { restoreDirectory } from "./keeping/restore-directory.ts";
import { verificationJson, verificationLines } from "./verify-command.ts";

export const restore: RunAt = async (place, { flags: { from }, switches }) => {
  if (from === undefined) throw new UserError("Say where the backup lies: --from DIR");
  if (place.kind === "stack") throw new UserError(STACK_KEEPS);
  const { page, verification } = await restoreDirectory(from, place.dataDir, { isDeep: switches.has("deep"), progress: progress() });
  const { id, began_at, objects, messages } = page;
  return {
    json: { id, began_at, objects: objects.count, bytes: objects.bytes, messages, verified: verificationJson(verification) },
    lines: [
      `${place.dataDir} is what was acknowledged before ${began_at}: ${objects.count} objects, ${messages} messages that wait.`,
      ...verificationLines(verification, Date.now()),
    ],
    ...(verification.problemCount > 0 && { exitCode: 1 }),
  };
};
