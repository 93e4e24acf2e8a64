import { stackNames } from "../outputs.ts";
import type { StageSettings } from "../stage-settings.ts";
import { accessProblem } from "./aws-problem.ts";
import type { StackAccount } from "./stack-account.ts";

const TOPIC = "AWS::SNS::Topic";

/** Whom a stage's alarms reach, in a sentence that says what to do where that is nobody. Who may not look has deployed the stage all the same. */
export const alarmReceivers = async (
  account: Pick<StackAccount, "resources" | "subscribers">,
  stage: string,
  settings: StageSettings,
): Promise<string> =>
  receivers(account, stage, settings).catch((thrown: unknown) => `Nobody looked whom alarms reach. ${accessProblem(thrown).message}`);

const receivers = async (
  account: Pick<StackAccount, "resources" | "subscribers">,
  stage: string,
  { alarmEmail }: StageSettings,
): Promise<string> => {
  const resources = await account.resources(stackNames(stage).data);
  const topic = resources?.find(({ type }) => type === TOPIC);
  const subscribers = topic === undefined ? [] : await account.subscribers(topic.name);
  const confirmed = subscribers.filter((each) => each.confirmed).map(({ address }) => address);
  const waiting = subscribers.filter((each) => !each.confirmed).map(({ address }) => address);
  const unanswered = waiting.length === 0 ? "" : ` ${waiting.join(" and ")} has not confirmed the letter of the subscription.`;
  if (confirmed.length > 0) return `Alarms are mailed to ${confirmed.join(" and ")}.${unanswered}`;
  if (waiting.length > 0) return `Alarms reach nobody yet.${unanswered} Have the link in it opened; it holds for three days.`;
  if (alarmEmail !== undefined)
    return `Alarms reach nobody: ${alarmEmail} is not subscribed any more. Set it anew: -c alarmEmail=, then -c alarmEmail=${alarmEmail}`;
  return `Alarms reach nobody. Name somebody: npm run deploy -- --stage ${stage} -c alarmEmail=you@example.com`;
};
