import { setTimeout as pause } from "node:timers/promises";
import type { Standing } from "./boot.ts";
import { type Functions, functionName } from "./functions.ts";
import type { Made, MadeStage } from "./template.ts";

/** Calls what a rule starts, where the function lets it. */
export const runRule = async (stage: MadeStage, rule: Made, functions: Functions): Promise<void> => {
  for (const { Arn } of rule.properties.Targets) {
    const name = functionName(Arn);
    const permitted = stage
      .of("AWS::Lambda::Permission")
      .some(
        ({ properties }) =>
          properties.Principal === "events.amazonaws.com" &&
          functionName(properties.FunctionName) === name &&
          String(properties.SourceArn).endsWith(`/${rule.ref}`),
      );
    if (!permitted) throw new Error(`${name} does not let ${rule.id} call it`);
    const outcome = await functions.start(name, { source: "aws.events" });
    if (!outcome.ok) throw new Error(`${name}: ${outcome.reason}`);
  }
};

const SWEEP_MS = 60_000;
const CLOSINGS_EVERY = 15;

/** Lets the schedules run on the rehearsal's clock, as long as the work goes on. */
export const withSchedules = async <T>(standing: Pick<Standing, "tick">, speed: number, work: () => Promise<T>): Promise<T> => {
  const stopping = new AbortController();
  const running = (async () => {
    for (let minute = 1; !stopping.signal.aborted; minute += 1) {
      await pause(SWEEP_MS / speed, undefined, { signal: stopping.signal }).catch(() => undefined);
      await standing.tick("sweep");
      if (minute % CLOSINGS_EVERY === 0) await standing.tick("closing");
    }
  })();
  try {
    return await work();
  } finally {
    stopping.abort();
    await running;
  }
};
