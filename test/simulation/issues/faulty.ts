import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { loadFaulty } from "../../mutate/load-faulty.ts";
import { FAULTS } from "./faults.ts";

/** A process that loads the product with one fault in it, given by its place in the list, and tells in which seed it is seen first. */

const [place = "0", seeds = "0"] = process.argv.slice(2);
const fault = FAULTS[Number(place)];
if (fault === undefined) throw new Error(`there is no fault ${place}`);
loadFaulty(fault);

const { simulate } = await import(pathToFileURL(join(import.meta.dirname, "simulate.ts")).href);
let seen: { readonly seed: number; readonly what: string } | null = null;
for (let seed = 1; seed <= Number(seeds) && seen === null; seed += 1) {
  const { failure } = await simulate(seed);
  if (failure !== null) seen = { seed, what: failure.message };
}
process.send?.(seen, undefined, undefined, () => process.disconnect());
