import middy from "@middy/core";
import type { Context } from "aws-lambda";
import type { FunctionNeeds } from "../app/uses.ts";
import type { World } from "../app/world.ts";
import { faultFields } from "../http/request-log.ts";
import type { Budget } from "../ports/system.ts";
import { openOnce } from "./open-once.ts";

/** A function that runs at a fixed rate. */
export interface Schedule extends FunctionNeeds {
  /** As the platform's scheduler spells a rate: "5 minutes". */
  readonly every: `${number} ${"minute" | "minutes" | "hour" | "hours" | "day" | "days"}`;
  run(world: World, budget: Budget): Promise<void>;
}

export const schedule = (spec: Schedule): Schedule => Object.freeze(spec);

/** The deployed function of a schedule. A fault is thrown on, so that the platform counts it and tries again. */
export const scheduleHandler = (of: Schedule, openWorld: () => World | Promise<World>) => {
  const world = openOnce(openWorld);
  return middy<unknown, void>(async (_event: unknown, context: Context): Promise<void> => {
    await runSchedule(of, await world(), { remainingMs: () => context.getRemainingTimeInMillis() });
  });
};

/** Runs a schedule once and writes its log line; the one way in, deployed and locally. */
export const runSchedule = async (of: Schedule, world: World, budget: Budget): Promise<void> => {
  const began = world.clock.now();
  const facts = () => ({ schedule: of.name, duration_ms: world.clock.now() - began });
  try {
    await of.run(world, budget);
  } catch (fault) {
    world.log.line("error", "schedule", { ...facts(), ...faultFields(fault) });
    throw fault;
  }
  world.log.line("info", "schedule", facts());
};
