import { shellWord } from "../local/shell-word.ts";
import { UserError } from "../local/user-error.ts";
import { type BackupDone, backUpDirectory } from "./backup/back-up-directory.ts";
import { backUpStack, type StackBackupDone } from "./backup/back-up-stack.ts";
import { isBucket } from "./backup/backup-bucket.ts";
import { progress } from "./backup/progress.ts";
import type { Answer, RunAt } from "./command.ts";

export const backup: RunAt = async (place, { flags: { to } }) => {
  if (to === undefined) throw new UserError("Say where the backup is to lie: --to DIR, or --to s3://BUCKET/PREFIX of a stack");
  if (place.kind === "stack") {
    if (!isBucket(to)) throw new UserError("A stack is backed up into a bucket: --to s3://BUCKET/PREFIX");
    return stackAnswer(await backUpStack(place.stack, to, progress()), place.stack, to);
  }
  if (isBucket(to)) throw new UserError("A data directory is backed up into a directory: --to DIR");
  return answer(await backUpDirectory(place.dataDir, to, progress()), to);
};

const READERS = "It holds keys and customers' events as they are: keep it where nobody else reads it.";

const answer = (done: BackupDone, to: string): Answer => ({
  json: jsonOf(done),
  lines: [
    `${to} holds everything that was acknowledged before ${done.began_at}: ${objectsOf(done)}, ${done.messages} messages that wait.`,
    READERS,
    `To try it: npm run --silent admin -- restore --from ${shellWord(to)} --data-dir DIR`,
  ],
});

const jsonOf = ({ id, began_at, ended_at, objects, messages, copied, generation }: BackupDone) => ({
  ...{ id, began_at, ended_at, generation, objects: objects.count, bytes: objects.bytes, copied, messages },
});

const objectsOf = ({ objects, copied }: BackupDone): string => `${objects.count} objects (${copied} of them copied now)`;

const stackAnswer = (done: StackBackupDone, stack: string, to: string): Answer => {
  const { lanes, exported_at } = done;
  return {
    json: { ...jsonOf(done), exported_at, is_by_age: lanes.isByAge, dead_letters: lanes.deadLetters },
    lines: [
      `${to} holds everything that was acknowledged before ${done.began_at}: ${objectsOf(done)}, and the table as it was at ${exported_at}.`,
      ...(lanes.isByAge
        ? [
            "That moment is by the age of the oldest message in the lanes, of which SQS leaves out what failed three times and more: see `admin doctor`.",
          ]
        : []),
      ...(lanes.deadLetters > 0
        ? [
            `Without ${lanes.deadLetters} dead letters, which the stage keeps for 14 days: \`admin redrive --stack ${stack}\`, then back up again.`,
          ]
        : []),
      `${READERS} The keys of integrations' tokens are not in it: keep the parameter /${stack}/token-keys.`,
      `To try it: npm run --silent admin -- restore --from ${shellWord(to)} --data-dir DIR`,
    ],
  };
};
