import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as z from "zod";
import { endWithParent } from "../support/processes/process-group.ts";

/** Seeds to run; what they reach is told when it is asked for. */
const Order = z.object({ seeds: z.array(z.number()), reached: z.boolean() });

/** The hooks put it there. */
const reached = (): readonly number[] => (Reflect.get(globalThis, "__reached") as () => readonly number[])();

endWithParent();
const { seeds, reached: isAsked } = Order.parse(JSON.parse(process.argv[2] ?? ""));
const program = join(process.env.MUTATE_ROOT ?? "", "test", "simulation", "simulate.ts");
const { simulate } = await import(pathToFileURL(program).href);

const loaded = reached();
const bySeed: (readonly number[])[] = [];
let failed: number | null = null;
for (const seed of seeds) {
  const { failure } = await simulate(seed);
  if (isAsked) bySeed.push(reached());
  if (failure === null) continue;
  failed = seed;
  break;
}
process.send?.({ kind: "simulated", failed, loaded, bySeed }, undefined, undefined, () => process.exit());
