import { simulate } from "./simulate.ts";

const argument = (name: string, otherwise: number): number => {
  const at = process.argv.indexOf(name);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};
const from = argument("--from", 1);
const seeds = argument("--seeds", 300);
const began = performance.now();
let steps = 0;
let failures = 0;
for (let seed = from; seed < from + seeds && failures < 5; seed += 1) {
  const run = await simulate(seed, { trace: seeds === 1 });
  steps += run.steps;
  if (run.failure) {
    failures += 1;
    if (seeds === 1) console.log(run.trace.join("\n"));
    console.log(`seed ${seed}: ${run.failure.stack}`);
  }
}
const seconds = (performance.now() - began) / 1000;
console.log(`${seeds} seeds, ${steps} steps, ${failures} failures, ${(seeds / seconds).toFixed(0)} seeds/s`);
