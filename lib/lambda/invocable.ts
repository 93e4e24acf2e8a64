import middy from "@middy/core";
import type { Context } from "aws-lambda";
import type { FunctionNeeds } from "../app/uses.ts";
import type { World } from "../app/world.ts";
import { faultFields } from "../http/request-log.ts";
import type { InvocableName } from "../ports/invocations.ts";
import type { Budget } from "../ports/system.ts";
import { openOnce } from "./open-once.ts";

/** A function that a call starts, and that looks by itself for what there is to do. */
export interface Invocable extends FunctionNeeds {
  readonly name: InvocableName;
  readonly timeoutSeconds: number;
  /** Of more that are started beside each other, those that are too many find nothing to do. */
  readonly atOnce: number;
  run(world: World, budget: Budget): Promise<void>;
}

export const invocable = (spec: Invocable): Invocable => Object.freeze(spec);

/** The deployed function of an invocable. A fault is thrown on, so that the platform counts it. */
export const invocableHandler = (of: Invocable, openWorld: () => World | Promise<World>) => {
  const world = openOnce(openWorld);
  return middy<unknown, void>(async (_event: unknown, context: Context): Promise<void> => {
    await runInvocable(of, await world(), { remainingMs: () => context.getRemainingTimeInMillis() });
  });
};

/** Runs an invocable once and writes its log line; the one way in, deployed and locally. */
export const runInvocable = async (of: Invocable, world: World, budget: Budget): Promise<void> => {
  const began = world.clock.now();
  const facts = () => ({ invocable: of.name, duration_ms: world.clock.now() - began });
  try {
    await of.run(world, budget);
  } catch (fault) {
    world.log.line("error", "invocable", { ...facts(), ...faultFields(fault) });
    throw fault;
  }
  world.log.line("info", "invocable", facts());
};
