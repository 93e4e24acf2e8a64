import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { ProcessGroup } from "../support/process-group.ts";
import { answerOf, environmentOf, start } from "./processes.ts";
import type { Sources } from "./sources.ts";
import type { Order } from "./tests-process.ts";

/** Which mutants each test file and each seed gets to, and how long it takes without any. */
const Learnt = z.object({
  tests: z.array(z.object({ file: z.string(), ms: z.number(), reached: z.array(z.number()) })),
  /** What a seed's run reaches stands at its place; what loading the program reaches is reached by each. */
  simulation: z.object({ ms: z.number(), loaded: z.array(z.number()), bySeed: z.array(z.array(z.number())) }).nullable(),
});
export type Learnt = z.output<typeof Learnt>;

export const Simulated = z.object({
  kind: z.literal("simulated"),
  failed: z.number().nullable(),
  loaded: z.array(z.number()),
  bySeed: z.array(z.array(z.number())),
});
export const Ran = z.object({ kind: z.literal("ran"), passed: z.boolean(), by: z.string() });

const START_LIMIT_MS = 60_000;
const LIMIT_MS = 600_000;

/** A busy machine may make a test fail once. */
const TRIES = 2;

/** A process that runs tests when it is told to. */
export const testRunner = async (sources: Sources): Promise<ProcessGroup> => {
  const group = start("tests-process.ts", [], environmentOf(sources));
  const ready = z.object({ kind: z.literal("ready") }).safeParse(await answerOf(group.child, START_LIMIT_MS));
  if (ready.success) return group;
  group.end();
  throw new Error("vitest did not start");
};

/** Runs everything once without a mutant, unless that was done for this very program. */
export const learn = async (sources: Sources, seeds: number, jobs: number, say: (line: string) => void): Promise<Learnt> => {
  const kept = join(sources.folder, `learnt-${seeds}.json`);
  if (existsSync(kept)) return Learnt.parse(JSON.parse(readFileSync(kept, "utf8")));
  say(`running ${sources.scope.tests.length} test files and ${seeds} seeds once, to learn what each gets to`);
  const simulation = seeds === 0 ? null : await learnSimulation(sources, seeds);
  const waiting = sources.scope.tests.values();
  const tests: Learnt["tests"] = [];
  const failing: string[] = [];
  const lane = async (): Promise<void> => {
    const runner = await testRunner(sources);
    for (const file of waiting) {
      let one = await learnTest(sources, runner, file);
      for (let tries = 1; one.by !== null && tries < TRIES; tries += 1) one = await learnTest(sources, runner, file);
      if (one.by === null) tests.push({ file, ms: one.ms, reached: one.reached });
      else failing.push(`${file}: ${one.by}`);
    }
    runner.end();
  };
  await Promise.all(Array.from({ length: jobs }, lane));
  if (failing.length > 0) throw new Error(`fails without any mutant:\n${failing.join("\n")}`);
  const learnt: Learnt = { tests: tests.sort((a, b) => a.ms - b.ms), simulation };
  writeFileSync(`${kept}.${process.pid}`, JSON.stringify(learnt));
  renameSync(`${kept}.${process.pid}`, kept);
  return learnt;
};

const learnTest = async ({ folder }: Sources, { child }: ProcessGroup, file: string) => {
  const list = join(folder, `reached-${process.pid}-${file.replaceAll("/", "-")}`);
  writeFileSync(list, "");
  const order: Order = { files: [file], env: { MUTATE_REACHED: list } };
  const began = performance.now();
  child.send(order);
  const { passed, by } = Ran.parse(await answerOf(child, LIMIT_MS));
  const reached = [...new Set(readFileSync(list, "utf8").split("\n").filter(Boolean).map(Number))];
  rmSync(list);
  return { ms: performance.now() - began, reached, by: passed ? null : by };
};

const learnSimulation = async (sources: Sources, count: number): Promise<Learnt["simulation"]> => {
  const seeds = Array.from({ length: count }, (_, at) => at + 1);
  const began = performance.now();
  const group = start("simulation-process.ts", [JSON.stringify({ seeds, reached: true })], environmentOf(sources));
  try {
    const { failed, loaded, bySeed } = Simulated.parse(await answerOf(group.child, LIMIT_MS));
    if (failed !== null) throw new Error(`seed ${failed} fails without any mutant`);
    return { ms: performance.now() - began, loaded, bySeed };
  } finally {
    group.end();
  }
};
