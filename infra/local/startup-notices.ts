import { QUEUES } from "../../lib/ports/queues.ts";
import { shellWord } from "./shell-word.ts";
import type { DeadLetters } from "./stores/queue-and-objects.ts";

/** The state in which the last platform left the data directory. */
export interface LeftState {
  readonly wasKilled: boolean;
  /** Messages that it was processing. */
  readonly inWork: number;
  readonly deadLetters: DeadLetters;
}

/** What a start prints about that state, in sentences; nothing where the platform was shut down properly and there are no dead letters. */
export const startupNotices = (left: LeftState, dataDir: string): readonly string[] => [
  ...(left.wasKilled || left.inWork > 0 ? [`The platform was not shut down properly the last time: ${unfinished(left.inWork)}.`] : []),
  ...deadLetterNotice(left.deadLetters, dataDir),
];

const unfinished = (messages: number): string => {
  if (messages === 0) return "no message was left unfinished";
  return messages === 1 ? "1 unfinished message is processed again" : `${messages} unfinished messages are processed again`;
};

const deadLetterNotice = (deadLetters: DeadLetters, dataDir: string): readonly string[] => {
  const held = QUEUES.filter((queue) => deadLetters[queue] > 0).map((queue) => `${queue} ${deadLetters[queue]}`);
  if (held.length === 0) return [];
  const redrive = `npm run --silent admin -- redrive --data-dir ${shellWord(dataDir)}`;
  return [
    `Messages lie in the dead letters (${held.join(", ")}): infra/runbook.md says how to find out why, and \`${redrive}\` sends them back.`,
  ];
};
