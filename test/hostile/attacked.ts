import { lineTo } from "../fuzz/api/send.ts";
import type { ATenant } from "../support/processes/platform.ts";
import type { Attack } from "./attack.ts";
import { type Seen, startBystander } from "./bystander.ts";
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
  const other = await startBystander(origin, bystander);
  const line = lineTo(origin);
  const outcomes: Outcome[] = [];
  try {
    for (const { name, shots, isLong, refusal } of attacks) {
      let slowestMs = 0;
      const faults: number[] = [];
      other.forget();
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
