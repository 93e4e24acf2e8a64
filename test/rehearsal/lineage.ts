import { randomUUID } from "node:crypto";
import type { Message } from "@aws-sdk/client-sqs";
import type { Made } from "./template.ts";

/** After so many calls of a function in one chain of its own making the service ends the chain. */
const MOST_ROUNDS = 16;

export interface Lineage {
  /** Notes in which call messages were sent. */
  sent(messageIds: readonly string[], trace: string | undefined): void;
  /** Splits messages for a function into those that came round too often and the others, with the trace of their call. */
  follow(
    served: Made,
    messages: readonly Message[],
  ): { readonly looped: readonly Message[]; readonly others: readonly Message[]; readonly trace: string };
  /** How often chains were ended, by function. */
  readonly ended: ReadonlyMap<string, number>;
  /** The most rounds that a chain had, by function. */
  readonly longest: ReadonlyMap<string, number>;
}

/**
 * The service's detection of loops: the trace of a call goes along with every message that is sent in it, and counts how often each
 * function was called on the way. `RecursiveLoop: Allow` leaves a function alone.
 */
export const openLineage = (): Lineage => {
  const rounds = new Map<string, ReadonlyMap<string, number>>();
  const traces = new Map<string, string>();
  const ended = new Map<string, number>();
  const longest = new Map<string, number>();
  return {
    ended,
    longest,
    sent(messageIds, trace) {
      const root = trace === undefined ? undefined : /Root=([^;]+)/.exec(trace)?.[1];
      if (root !== undefined) for (const id of messageIds) traces.set(id, root);
    },
    follow({ ref, properties }, messages) {
      const counted = (message: Message): ReadonlyMap<string, number> => rounds.get(traces.get(message.MessageId ?? "") ?? "") ?? new Map();
      const round = (message: Message): number => counted(message).get(ref) ?? 0;
      const tooOften = (message: Message): boolean => properties.RecursiveLoop !== "Allow" && round(message) >= MOST_ROUNDS;
      const looped = messages.filter(tooOften);
      if (looped.length > 0) ended.set(ref, (ended.get(ref) ?? 0) + looped.length);
      const others = messages.filter((message) => !looped.includes(message));
      const root = `1-${randomUUID()}`;
      const most = new Map<string, number>();
      for (const message of others) for (const [name, times] of counted(message)) most.set(name, Math.max(times, most.get(name) ?? 0));
      const times = (most.get(ref) ?? 0) + 1;
      most.set(ref, times);
      longest.set(ref, Math.max(times, longest.get(ref) ?? 0));
      rounds.set(root, most);
      return { looped, others, trace: `Root=${root}` };
    },
  };
};
