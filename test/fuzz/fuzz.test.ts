import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { queries } from "./grammar.ts";
import { outcomeOf } from "./outcome.ts";
import { openTenants, type Tenants } from "./tenants.ts";

/** Texts of an ordinary test run; `npm run fuzz -- --seconds N` asks more. */
const TEXTS = 150;
const SEED = 1;

let tenants: Tenants;
beforeAll(async () => {
  tenants = await openTenants();
});
afterAll(() => tenants.close());

it("every text ends in rows of the project or an error of the list, in time, and the engine lives on", async () => {
  const texts = fc.sample(queries(tenants.file), { numRuns: TEXTS, seed: SEED });
  const faults: string[] = [];
  for (const text of texts) {
    const outcome = await outcomeOf(tenants, text);
    if (outcome.kind === "fault") faults.push(`${outcome.why}: ${text.slice(0, 2_000)}`);
  }
  expect(faults).toEqual([]);
  expect(await tenants.isWell()).toBe(true);
});
