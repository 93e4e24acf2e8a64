import { parseArgs } from "node:util";
import fc from "fast-check";
import type { Ast } from "../../lib/hogql/ast.ts";
import { parse } from "../../lib/hogql/parse.ts";
import { randomOf } from "../simulation/random.ts";
import { fuzzTheApi } from "./api/command.ts";
import { queries } from "./grammar.ts";
import { outcomeOf } from "./outcome.ts";
import { openTenants } from "./tenants.ts";
import { newPool } from "./variants.ts";

/** The engine is asked something known after so many texts. */
const WELL_EVERY = 25;
/** A text that was parsed is asked again with other values in it, so many times: parsing takes most of the time. */
const VARIANTS = 15;

/** `npm run fuzz -- [--seconds N] [--seed S]` asks queries, `npm run fuzz -- api [--requests N] [--seed S]` every operation. */
const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seconds: { type: "string", default: "60" },
      requests: { type: "string", default: "50000" },
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
    },
  });
  const isApi = positionals[0] === "api";
  const faults = isApi
    ? await fuzzTheApi(Number(values.requests), Number(values.seed), (line) => console.log(line))
    : await fuzzQueries(values);
  if (faults > 0) process.exitCode = 1;
};

/** Asks random queries for a while, and prints what became of them and each fault. */
const fuzzQueries = async (values: { readonly seconds: string; readonly seed: string }): Promise<number> => {
  const ends = performance.now() + Number(values.seconds) * 1_000;
  const tenants = await openTenants();
  const codes = new Map<string, number>();
  const count = (code: string): void => void codes.set(code, (codes.get(code) ?? 0) + 1);
  let [asked, faults, seed] = [0, 0, Number(values.seed)];
  const blame = (why: string, text: string): void => {
    faults += 1;
    console.log(`FAULT ${why}\n  ${text.slice(0, 4_000)}\n`);
  };
  const pool = newPool(randomOf(seed));
  const ask = async (query: string | Ast): Promise<void> => {
    const outcome = await outcomeOf(tenants, query);
    asked += 1;
    count(outcome.kind === "refused" ? outcome.code : outcome.kind);
    if (outcome.kind === "fault") blame(outcome.why, typeof query === "string" ? query : JSON.stringify(query));
  };
  while (performance.now() < ends) {
    for (const text of fc.sample(queries(tenants.file), { numRuns: WELL_EVERY, seed })) {
      if (performance.now() > ends) break;
      await ask(text);
      const ast = await parse(text).catch(() => undefined);
      // A variant may show what its author wrote, which must not look like somebody else's secret.
      if (ast === undefined || tenants.leaks(JSON.stringify(ast))) continue;
      pool.add(ast);
      for (let times = 0; times < VARIANTS && performance.now() < ends; times += 1) await ask(pool.variant(ast));
    }
    const well = await tenants.isWell().catch((error: unknown) => String(error));
    if (well !== true) blame(`the engine is not well after seed ${seed}: ${well}`, "");
    seed += 1;
  }
  await tenants.close();
  console.log(`${asked} queries (seeds ${values.seed} to ${seed - 1}), ${faults} faults`);
  for (const [code, times] of [...codes].sort(([, a], [, b]) => b - a)) console.log(`  ${code}: ${times}`);
  return faults;
};

await main();
