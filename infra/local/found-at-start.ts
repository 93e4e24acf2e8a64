import { QUEUES } from "../../lib/ports/queues.ts";
import { shellWord } from "./shell-word.ts";
import type { DeadLetters } from "./stores/queue-and-objects.ts";

/** How the platform that had a directory before left it. */
export interface Found {
  readonly wasKilled: boolean;
  /** Messages that it had in work. */
  readonly inWork: number;
  readonly deadLetters: DeadLetters;
}

/** Sentences about the state that a start found; none after a platform that was stopped and gave up on nothing. */
export const foundAtStart = (found: Found, dataDir: string): readonly string[] => [
  ...(found.wasKilled || found.inWork > 0 ? [`The platform was not shut down properly the last time: ${unfinished(found.inWork)}.`] : []),
  ...given(found.deadLetters, dataDir),
];

const unfinished = (messages: number): string => {
  if (messages === 0) return "no message was left unfinished";
  return messages === 1 ? "1 unfinished message is processed again" : `${messages} unfinished messages are processed again`;
};

const given = (deadLetters: DeadLetters, dataDir: string): readonly string[] => {
  const held = QUEUES.filter((queue) => deadLetters[queue] > 0).map((queue) => `${queue} ${deadLetters[queue]}`);
  if (held.length === 0) return [];
  const redrive = `npm run --silent admin -- redrive --data-dir ${shellWord(dataDir)}`;
  return [
    `Messages lie in the dead letters (${held.join(", ")}): infra/runbook.md says how to find out why, and \`${redrive}\` sends them back.`,
  ];
};
