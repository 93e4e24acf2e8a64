import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { differenceIn } from "./difference-in.ts";
import { FAULTS } from "./faults.ts";

/**
 * `npm run histories -- --histories N [--from SEED] [--shrink SECONDS]`: lives random histories of a customer's books, and says of each
 * that differs from what the rules say its seed and the smallest difference that it was reduced to.
 * `npm run histories -- --faults [--histories N]`: puts each fault of the list into the product and says in which history it is seen first.
 */
const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      histories: { type: "string", default: "100" },
      from: { type: "string", default: "1" },
      shrink: { type: "string", default: "20" },
      faults: { type: "boolean", default: false },
    },
  });
  if (values.faults) return faults(values.histories);
  const [histories, from] = [Number(values.histories), Number(values.from)];
  const began = performance.now();
  let failed = 0;
  for (let seed = from; seed < from + histories; seed += 1) {
    const found = await differenceIn(seed, Number(values.shrink) * 1_000);
    if (found === null) continue;
    failed += 1;
    console.log(`seed ${seed}: ${found.first}`);
    if (found.least !== found.first) console.log(`  reduced: ${found.least}`);
    if (histories === 1) console.log(found.history);
  }
  const seconds = (performance.now() - began) / 1_000;
  console.log(`${histories} histories from ${from}, ${failed} differ, ${seconds.toFixed(1)} s`);
  if (failed > 0) process.exitCode = 1;
};

const MOST_SHOWN = 140;

const faults = async (histories: string): Promise<void> => {
  for (const [place, { name }] of FAULTS.entries()) {
    const child = fork(join(import.meta.dirname, "faulty.ts"), [String(place), histories]);
    const [seen] = await Promise.race([once(child, "message"), once(child, "exit").then(() => [{ seed: "-", what: "the process ended" }])]);
    console.log(seen === null ? `| ${name} | - | not seen |` : `| ${name} | ${seen.seed} | ${seen.what.slice(0, MOST_SHOWN)} |`);
    if (seen === null) process.exitCode = 1;
  }
};

await main();
