import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { ProcessGroup } from "../support/processes/process-group.ts";
import { answerOf, environmentOf, start } from "./processes.ts";
import type { Sources } from "./sources.ts";
import type { Order } from "./tests-process.ts";

const OfTest = z.object({ file: z.string(), ms: z.number(), reached: z.array(z.number()) });
/** What a seed's run reaches stands at its place; what loading the program reaches is reached by each. */
const OfSimulation = z.object({ ms: z.number(), loaded: z.array(z.number()), bySeed: z.array(z.array(z.number())) });

/** Which mutants each test file and each seed gets to, and how long it takes without any. */
export interface Learnt {
  readonly tests: readonly z.output<typeof OfTest>[];
  readonly simulation: z.output<typeof OfSimulation> | null;
}

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

/** Runs once without a mutant what was not run yet for this very program; a test that changed is run again alone. */
export const learn = async (sources: Sources, seeds: number, jobs: number, say: (line: string) => void): Promise<Learnt> => {
  const tests = new Map(
    sources.scope.tests.map((file) => [file, kept(sources, OfTest, file, readFileSync(join(sources.scope.root, file)))]),
  );
  const known = [...tests].flatMap(([, { read }]) => read() ?? []);
  const waiting = [...tests].filter(([, { read }]) => read() === null);
  const simulated = kept(sources, OfSimulation, "simulation", String(seeds));
  if (waiting.length > 0) say(`running ${waiting.length} test files once, to learn what each gets to`);
  const failing: string[] = [];
  const queue = waiting.values();
  const lane = async (): Promise<void> => {
    const runner = await testRunner(sources);
    for (const [file, { write }] of queue) {
      let one = await learnTest(sources, runner, file);
      for (let tries = 1; one.by !== null && tries < TRIES; tries += 1) one = await learnTest(sources, runner, file);
      if (one.by === null) known.push(write({ file, ms: one.ms, reached: one.reached }));
      else failing.push(`${file}: ${one.by}`);
    }
    runner.end();
  };
  await Promise.all(Array.from({ length: Math.min(jobs, waiting.length) }, lane));
  if (failing.length > 0) throw new Error(`fails without any mutant:\n${failing.join("\n")}`);
  if (seeds === 0) return { tests: known.sort((a, b) => a.ms - b.ms), simulation: null };
  const before = simulated.read();
  if (before === null) say(`running ${seeds} seeds once, to learn what each gets to`);
  return { tests: known.sort((a, b) => a.ms - b.ms), simulation: before ?? simulated.write(await learnSimulation(sources, seeds)) };
};

/** What was learnt of something stays known while its content and the program stay the same. */
const kept = <T extends z.ZodType>({ folder }: Sources, schema: T, name: string, content: string | Uint8Array) => {
  const path = join(folder, `learnt-${createHash("sha256").update(name).update("\0").update(content).digest("hex").slice(0, 16)}.json`);
  return {
    read: (): z.output<T> | null => (existsSync(path) ? schema.parse(JSON.parse(readFileSync(path, "utf8"))) : null),
    write(learnt: z.output<T>): z.output<T> {
      writeFileSync(`${path}.${process.pid}`, JSON.stringify(learnt));
      renameSync(`${path}.${process.pid}`, path);
      return learnt;
    },
  };
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

const learnSimulation = async (sources: Sources, count: number): Promise<z.output<typeof OfSimulation>> => {
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
