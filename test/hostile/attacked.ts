import { fileURLToPath } from "node:url";
import { openThread } from "../../lib/core/thread.ts";
import { lineTo } from "../fuzz/api/send.ts";
import type { ATenant } from "../support/processes/platform.ts";
import type { Attack } from "./attack.ts";
import type { Bystander, Seen } from "./bystander.ts";
import type { BystanderOrder } from "./bystander-case.ts";
import { fire } from "./fire.ts";

/** What an attack did, milliseconds. */
export interface Outcome {
  readonly name: string;
  /** How long the attacker waited for an answer, at most; 0 where the engine may work on it for long. */
  readonly slowestMs: number;
  /** What somebody else saw meanwhile. */
  readonly others: Seen;
  /** Answers that tell of a fault of the service. */
  readonly faults: readonly number[];
}

/** Makes each attack while somebody else goes on asking, one after the other. */
export const attacked = async (
  origin: string,
  bystander: ATenant,
  attacks: readonly Attack[],
  tell: (outcome: Outcome) => void = () => undefined,
): Promise<readonly Outcome[]> => {
  const other = await bystanderInThread(origin, bystander);
  const line = lineTo(origin);
  const outcomes: Outcome[] = [];
  try {
    for (const { name, shots, isLong, refusal } of attacks) {
      let slowestMs = 0;
      const faults: number[] = [];
      await other.forget();
      for (const shot of shots) {
        const began = performance.now();
        const statuses = await fire(line, origin, shot);
        if (!isLong && !shot.isHeldBack) slowestMs = Math.max(slowestMs, performance.now() - began);
        faults.push(...statuses.filter((status) => status >= 500 && status !== refusal));
      }
      const outcome = { name, slowestMs, others: await other.seen(), faults };
      tell(outcome);
      outcomes.push(outcome);
    }
  } finally {
    await other.stop();
    line.close();
  }
  return outcomes;
};

/** It takes as long as the attacks. */
const TIMES = { cpuMs: Number.POSITIVE_INFINITY, ms: 2 ** 31 - 1 };

/** Somebody else in a thread of their own: a gigabyte that the attacker sends would delay their clock, and not the platform. */
const bystanderInThread = async (origin: string, tenant: ATenant): Promise<Bystander> => {
  const thread = openThread<BystanderOrder, Seen | null>(fileURLToPath(new URL("./bystander-case.ts", import.meta.url)), TIMES);
  await thread.ask({ kind: "start", origin, tenant });
  return {
    forget: async () => void (await thread.ask({ kind: "forget" })),
    async seen() {
      const seen = await thread.ask({ kind: "seen" });
      if (seen === null) throw new Error("nobody looked");
      return seen;
    },
    stop: async () => void (await thread.ask({ kind: "stop" })),
  };
};
