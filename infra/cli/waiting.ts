import { UserError } from "../local/user-error.ts";
import type { Account } from "./account.ts";

/** The work that stacks have accepted and not finished, in sentences: their queues, dead letters too, that are not empty. */
const waitingIn = async (account: Pick<Account, "messages" | "resources">, stacks: readonly string[]): Promise<readonly string[]> => {
  const made = (await Promise.all(stacks.map((stack) => account.resources(stack)))).flatMap((resources) => resources ?? []);
  const queues = made.filter(({ type }) => type === "AWS::SQS::Queue").map(({ name }) => name);
  const counted = await Promise.all(queues.map(async (url) => ({ url, messages: await account.messages(url) })));
  return counted
    .filter(({ messages }) => messages > 0)
    .map(({ url, messages }) => `${url.slice(url.lastIndexOf("/") + 1)} holds ${messages}`);
};

/**
 * Throws a `UserError` where messages would go with a stage's stacks, unless they are to. Clients were told that what is in them is kept.
 * The stacks themselves are asked what they made, because of a stage that is half taken down no other stack says it any more.
 */
export const checkNothingWaits = async (
  account: Pick<Account, "messages" | "resources">,
  stacks: readonly string[],
  { discard }: { readonly discard: boolean },
): Promise<void> => {
  const waiting = discard ? [] : await waitingIn(account, stacks);
  if (waiting.length === 0) return;
  throw new UserError(
    `Messages wait that were accepted and are not stored yet: ${waiting.join(", ")}. Wait until they are drained, send dead letters back ` +
      "with `npm run --silent admin -- redrive --stack NAME`, or say --discard-waiting to lose them.",
  );
};
