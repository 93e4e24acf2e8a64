import { parseArgs } from "node:util";
import type { Engine } from "../../../lib/engine/engine.ts";
import { lower } from "../../../lib/hogql/lower.ts";
import type { PinnedState } from "../../../lib/lake/catalogue.ts";
import { POLICIES } from "../../../lib/lake/policy.ts";
import type { Case } from "../corpus/case.ts";
import { CORPUS } from "../corpus/corpus.ts";
import { EXCEPTIONS } from "../exceptions.ts";
import { digestOf, type GoldenCase, PARTS, readGolden, treeOf } from "../golden.ts";
import { equal, type Outcome } from "../outcome.ts";
import { NOW, newProject, PROJECT } from "../project.ts";
import { type Question, question } from "../question.ts";
import { randomCases } from "../random-cases.ts";
import { CHECKS, LIMITS } from "./checks.ts";
import { openLakeWorld } from "./lake-world.ts";
import { openSecondEngine } from "./second-engine.ts";
import { stagesOf } from "./stages.ts";

/**
 * `npm run test:lake`: a project's rows go through the lake, and at each stage of their way the corpus and random queries are asked of both
 * engines, of the same pinned state. Fails on a difference that is no known exception. `--only TEXT` asks the cases whose name holds it,
 * `--every N` each Nth, `--random N` and `--seed N` say how many random queries, and from which seed.
 */

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    every: { type: "string", default: "1" },
    random: { type: "string", default: "50" },
    seed: { type: "string", default: "1" },
  },
});

const asked = async (engine: Pick<Engine, "run">, pinned: PinnedState, { queries, options, rows }: Question): Promise<Outcome> => {
  try {
    const results = [];
    for (const query of queries)
      results.push((await engine.run(lower(query, { ...options, hasEarned: () => true }).lowered, pinned, LIMITS)).rows);
    return { rows: JSON.parse(JSON.stringify(rows(results))) };
  } catch (error) {
    return { refused: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }
};

const kept: Readonly<Record<string, GoldenCase>> = Object.assign({}, ...(await Promise.all(PARTS.map(readGolden))));

/** Undefined where the two are equal. */
const difference = async (one: Case, pinned: PinnedState): Promise<string | undefined> => {
  const golden = kept[one.name];
  const tree = golden?.digest === digestOf(one) ? treeOf(golden) : undefined;
  const asks = await question(one, tree).catch((error: Error) => error);
  if (asks instanceof Error) return one.refused ? undefined : asks.message;
  const ours = await asked(world.engine, pinned, asks);
  const theirs = await asked(second.engine, pinned, asks);
  if (equal(one, asks, ours, theirs)) return undefined;
  return `${JSON.stringify(ours).slice(0, 300)} and ${JSON.stringify(theirs).slice(0, 300)}`;
};

/** Loose rows become compacted files at once, which get columns for the properties that have earned one. */
const POLICY = { ...POLICIES.local, rewriteMinRows: 1, rewriteShare: 0 };

const world = await openLakeWorld(PROJECT, NOW, POLICY);
const second = await openSecondEngine(world);
const chosen = CORPUS.filter(({ name }, at) => (values.only === undefined ? at % Number(values.every) === 0 : name.includes(values.only)));
const cases = [...chosen, ...randomCases(Number(values.seed), values.only === undefined ? Number(values.random) : 0)];
let failures = 0;
const fail = (sentence: string): void => {
  failures += 1;
  console.log(`differs: ${sentence}`);
};
for (const stage of stagesOf(newProject())) {
  await stage.reach(world);
  const pinned = await world.pinned();
  let same = 0;
  for (const one of cases) {
    const found = await difference(one, pinned);
    if (found === undefined) same += 1;
    else if (!Object.hasOwn(EXCEPTIONS, one.name)) fail(`${one.name}: ${found}`);
  }
  console.log(`${stage.name}: ${same} of ${cases.length} equal`);
}
for (const [name, check] of CHECKS) {
  const complaints = await check(world, second.engine);
  for (const complaint of complaints) fail(`${name}: ${complaint}`);
  if (complaints.length === 0) console.log(`${name}: as they should be`);
}
await second.stop();
await world.close();
if (failures > 0) process.exitCode = 1;
