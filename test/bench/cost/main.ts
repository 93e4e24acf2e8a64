import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { lines, usd, usdBeyondFree } from "./bill.ts";
import { idleMonth } from "./idle.ts";
import { idleHour, importing, live, type Measured, sleepy } from "./loads.ts";
import { BATCHES_PER_WINDOW } from "./platform.ts";
import { PRICES, PRICES_OF } from "./prices.ts";
import { refreshing } from "./tables.ts";

/** `npm run cost [-- [--json FILE] [name …]]`: what the platform costs, from the calls that it makes under five loads and none. */
const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: "string" } } });
  console.log(`Prices: ${PRICES_OF}, from ${[...new Set(Object.values(PRICES).map(({ source }) => source))].join(", ")}.`);
  console.log(ASSUMED);
  const idle = await idleHour();
  const figures: Record<string, { readonly value: number; readonly unit: string; readonly baseline: string }> = {};
  const tell = async (name: string, unit: string, baseline: string, measure: () => Promise<Measured>): Promise<void> => {
    if (positionals.length > 0 && !positionals.some((wanted) => name.startsWith(wanted))) return;
    const { title, how, amounts, processorMs } = await measure();
    const total = usd(amounts);
    const processor = Object.entries(processorMs).map(([function_, ms]) => `${function_} ${(ms / 1_000).toFixed(1)} s`);
    console.log(`\n${title}\n  (${how}${processor.length > 0 ? `; processor time measured: ${processor.join(", ")}` : ""})`);
    for (const line of lines(amounts)) console.log(line);
    console.log(`  ${name} = $${total.toFixed(4)} ${unit}; ${baseline}`);
    figures[name] = { value: total, unit, baseline };
  };
  await tell("cost.import_usd_per_million", "USD", "at most 0.02", () => importing(idle));
  await tell("cost.live_usd_per_million", "USD", "at most 0.285", () => live(idle, LIVE_EVENTS_PER_REQUEST));
  await tell("cost.live_single_usd_per_million", "USD", "one event a request; the gateway alone is 3.50", () => live(idle, 1, 1));
  await tell("cost.sleepy_usd_per_month", "USD", "at most 1", () => sleepy(idle, { projects: 1, hours: 6, standsFor: 1 }));
  await tell("cost.thousand_sleepy_usd_per_month", "USD", "1,000 projects", () =>
    sleepy(idle, { projects: 60, hours: 2, standsFor: 1_000 }),
  );
  await tell("cost.materialised_usd_per_1000_endpoints", "USD a month", "at most 1", refreshing);
  await tell("cost.idle_usd_per_month", "USD", "at most 2.60", async () => {
    const month = await idleMonth(idle);
    return { ...month, how: `${month.how}; with the free tier $${usdBeyondFree(month.amounts).toFixed(2)}, at most 1` };
  });
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(figures, null, 2)}\n`);
};

const LIVE_EVENTS_PER_REQUEST = 20;

const ASSUMED = `Counted: requests, units, bytes and log lines of the real functions, and the service's own lines. Extrapolated: a function's time is its
measured processor time (as on one core at 1,769 MB, longer on less memory, in two threads on more) + 2 ms + its calls (table 5 ms,
queue 10 ms, store 25 ms; those side by side count once), and starts after ten quiet minutes (0.4 s, with the engine 0.9 s); each message is received by a request of
its own, and ${BATCHES_PER_WINDOW} batches are made of a window. The ingest host writes no lines of its own. Old versions of the store (35 days) and sealing are left out.`;

// The engine's process keeps no other alive, and all that is waited for here may be its answer.
const alive = setInterval(() => undefined, 1_000);
await main();
clearInterval(alive);
