import { parseArgs } from "node:util";
import { endure } from "./endure.ts";
import { prove } from "./prove.ts";

/**
 * `npm run prove -- [--events N] [--kills N] [--seed N]`: exits with 1 at the first difference, and says which.
 * `npm run prove -- --minutes N`: loads it for so long instead, with one request in a hundred hostile.
 */
const { values } = parseArgs({
  options: {
    events: { type: "string", default: "300000" },
    kills: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
    minutes: { type: "string" },
  },
});
const began = performance.now();
const say = (line: string): void => console.log(`${((performance.now() - began) / 1_000).toFixed(0).padStart(5)} s  ${line}`);
try {
  if (values.minutes === undefined)
    await prove({ events: Number(values.events), kills: Number(values.kills), seed: Number(values.seed), say });
  else await endure({ minutes: Number(values.minutes), say });
  console.log(`The prover took at most ${Math.round(process.resourceUsage().maxRSS / 1_024)} MB.`);
} catch (failure) {
  console.error(failure instanceof Error ? failure.message : failure);
  process.exit(1);
}
