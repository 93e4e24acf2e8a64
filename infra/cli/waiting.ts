import { QUEUES } from "../../lib/ports/queues.ts";
import { UserError } from "../local/user-error.ts";
import { STACK_OUTPUTS } from "../outputs.ts";
import type { Account } from "./account.ts";

/** The work that a stage has accepted and not finished, in sentences: queues and dead letters that are not empty. */
const waitingIn = async (account: Pick<Account, "messages">, outputs: ReadonlyMap<string, string>): Promise<readonly string[]> => {
  const queues = QUEUES.flatMap((queue) => [
    { name: `the ${queue} queue`, url: outputs.get(STACK_OUTPUTS.queues[queue]) },
    { name: `the dead letters of ${queue}`, url: outputs.get(STACK_OUTPUTS.deadLetters[queue]) },
  ]);
  const counted = await Promise.all(
    queues.map(async ({ name, url }) => ({ name, messages: url === undefined ? 0 : await account.messages(url) })),
  );
  return counted.filter(({ messages }) => messages > 0).map(({ name, messages }) => `${name} holds ${messages}`);
};

/** Throws a `UserError` where messages would go with a stage, unless they are to. Clients were told that what is in them is kept. */
export const checkNothingWaits = async (
  account: Pick<Account, "messages">,
  outputs: ReadonlyMap<string, string> | undefined,
  { discard }: { readonly discard: boolean },
): Promise<void> => {
  const waiting = outputs === undefined || discard ? [] : await waitingIn(account, outputs);
  if (waiting.length === 0) return;
  throw new UserError(
    `Messages wait that were accepted and are not stored yet: ${waiting.join(", ")}. Wait until they are drained, send dead letters back ` +
      "with `npm run --silent admin -- redrive --stack NAME`, or say --discard-waiting to lose them.",
  );
};
