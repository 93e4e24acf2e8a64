import { UserError } from "../local/user-error.ts";
import type { Answer, RunAt } from "./command.ts";
import { type BackupDone, backUpDirectory } from "./keeping/back-up-directory.ts";
import { progress } from "./keeping/progress.ts";

/** What to do instead where there is a stack. */
export const STACK_KEEPS =
  "This command is for data directories. The table of a stack is restorable to any second of the last 35 days, and its bucket keeps what was deleted for as long: infra/deploy.md says how (backups of a stage).";

export const backup: RunAt = async (place, { flags: { to } }) => {
  if (to === undefined) throw new UserError("Say where the backup is to lie: --to DIR");
  if (place.kind === "stack") throw new UserError(STACK_KEEPS);
  return answer(await backUpDirectory(place.dataDir, to, progress()), to);
};

const answer = ({ id, began_at, ended_at, objects, messages, copied, generation }: BackupDone, to: string): Answer => ({
  json: { id, began_at, ended_at, generation, objects: objects.count, bytes: objects.bytes, copied, messages },
  lines: [
    `${to} holds everything that was acknowledged before ${began_at}: ${objects.count} objects (${copied} of them copied now), ${messages} messages that wait.`,
    "It holds keys and customers' events as they are: keep it where nobody else reads it.",
    `To try it: npm run --silent admin -- restore --from ${to} --data-dir DIR`,
  ],
});
