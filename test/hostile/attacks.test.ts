import { beforeAll, expect, it } from "vitest";
import { type ATenant, aPlatform, aTenant } from "../support/processes/platform.ts";
import { attacked, type Outcome } from "./attacked.ts";
import { attacksOf, harmlessOf } from "./attacks.ts";
import { MOST_RATIO } from "./cost.ts";

const platform = aPlatform();
let attacker: ATenant;
let bystander: ATenant;

beforeAll(async () => {
  attacker = await aTenant(platform().world);
  bystander = await aTenant(platform().world);
});

/** Below this nothing is compared. */
const FREE_MS = 1_000;

it("no attack costs many times what harmless requests of its size cost, its sender or anybody else", { timeout: 600_000 }, async () => {
  const { baseUrl } = platform();
  // The first of a kind also loads what it needs.
  const others = await attacked(baseUrl, bystander, [harmlessOf(attacker, "warm"), harmlessOf(attacker, "a"), harmlessOf(attacker, "b")]);
  const harmless = others.slice(1);
  const most = (of: (outcome: Outcome) => number): number => Math.max(FREE_MS, MOST_RATIO * Math.max(...harmless.map(of)));
  const outcomes = await attacked(baseUrl, await aTenant(platform().world), attacksOf(attacker, "suite"));
  const [slowest, othersSlowest] = [most(({ slowestMs }) => slowestMs), most(({ othersMs }) => othersMs)];
  expect(outcomes.filter(({ faults }) => faults.length > 0)).toEqual([]);
  expect(outcomes.filter(({ slowestMs, othersMs }) => slowestMs > slowest || othersMs > othersSlowest)).toEqual([]);
});
