import { expect, it } from "vitest";
import { aPlatform, aTenant } from "../support/processes/platform.ts";
import { attackerOf } from "./attack.ts";
import { attacked } from "./attacked.ts";
import { keyless } from "./attacks/keyless.ts";
import { rules } from "./attacks/rules.ts";

const platform = aPlatform();

it("what a stranger and a costly rule ask for leaves the events, queries and tables of others as they were", async () => {
  const [victim, bystander] = [await aTenant(platform().world), await aTenant(platform().world)];
  const attacker = attackerOf(victim, "test");
  const attacks = [...keyless(attacker).slice(0, 1), ...rules(attacker).slice(0, 1)];
  // It waits for every event and table of somebody else, and fails where these are answered what they should not be.
  const outcomes = await attacked(platform().baseUrl, bystander, attacks);
  expect(outcomes.map(({ name, faults }) => ({ name, faults }))).toEqual(attacks.map(({ name }) => ({ name, faults: [] })));
});
