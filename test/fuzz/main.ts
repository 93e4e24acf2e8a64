import { parseArgs } from "node:util";
import fc from "fast-check";
import { queries } from "./grammar.ts";
import { openTenants } from "./tenants.ts";
import { verdictOn } from "./verdict.ts";

/** The engine is asked something known after so many texts. */
const WELL_EVERY = 25;

/** `npm run fuzz -- --seconds N [--seed S]`: asks random texts for a while, and prints what became of them and each fault. */
const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: { seconds: { type: "string", default: "60" }, seed: { type: "string", default: String(Date.now() % 1_000_000) } },
  });
  const ends = performance.now() + Number(values.seconds) * 1_000;
  const tenants = await openTenants();
  const codes = new Map<string, number>();
  const count = (code: string): void => void codes.set(code, (codes.get(code) ?? 0) + 1);
  let [asked, faults, seed] = [0, 0, Number(values.seed)];
  const blame = (why: string, text: string): void => {
    faults += 1;
    console.log(`FAULT ${why}\n  ${text.slice(0, 4_000)}\n`);
  };
  while (performance.now() < ends) {
    for (const text of fc.sample(queries(tenants.file), { numRuns: WELL_EVERY, seed })) {
      const verdict = await verdictOn(tenants, text);
      asked += 1;
      count(verdict.kind === "refused" ? verdict.code : verdict.kind);
      if (verdict.kind === "fault") blame(verdict.why, text);
    }
    if (!(await tenants.isWell().catch(() => false))) blame(`the engine is not well after seed ${seed}`, "");
    seed += 1;
  }
  await tenants.close();
  console.log(`${asked} texts (seeds ${values.seed} to ${seed - 1}), ${faults} faults`);
  for (const [code, times] of [...codes].sort(([, a], [, b]) => b - a)) console.log(`  ${code}: ${times}`);
  if (faults > 0) process.exitCode = 1;
};

await main();
