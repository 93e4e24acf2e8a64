import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { endGroupsWithUs } from "../support/processes/process-group.ts";
import { chosen } from "./choose.ts";
import { HARMLESS } from "./harmless/index.ts";
import { killer } from "./kill.ts";
import { learn } from "./learn.ts";
import type { Mutant } from "./mutants.ts";
import { NAMED } from "./named.ts";
import { changeOf, type Fated, isListed, report, stale } from "./report.ts";
import { platformScope } from "./scope.ts";
import { type Sources, sourcesOf } from "./sources.ts";

const USAGE = `npm run mutate -- [--sample N [--seed S] | --all | --named] [--file GLOB …] [--jobs N] [--seeds N] [--list]
Changes the program in one place at a time and says what neither a test nor a seed of the simulation noticed.`;

const OPTIONS = {
  sample: { type: "string", default: "400" },
  seed: { type: "string", default: "1" },
  seeds: { type: "string", default: "300" },
  all: { type: "boolean", default: false },
  named: { type: "boolean", default: false },
  file: { type: "string", multiple: true, default: [] as string[] },
  jobs: { type: "string", default: String(availableParallelism()) },
  list: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options: OPTIONS });
  if (values.help) return console.log(USAGE);
  const scope = platformScope();
  const sources = sourcesOf(scope, NAMED, join(scope.root, ".local", "mutate"));
  const isNamed = ({ id }: Mutant): boolean => id < NAMED.length;
  const candidates = sources.mutants.filter((mutant) => isNamed(mutant) === values.named);
  const mutants = chosen(candidates, {
    files: values.file,
    sample: values.all || values.named ? null : Number(values.sample),
    seed: Number(values.seed),
  });
  if (values.list) return console.log(mutants.map((mutant) => shown(sources, mutant)).join("\n"));
  const began = performance.now();
  // What is listed as harmless takes the longest of all, so only a run of everything tries whether it still survives.
  const untried = values.all ? [] : mutants.filter((mutant) => isListed(mutant, sources.texts.get(mutant.file) ?? "", HARMLESS));
  const tried = mutants.filter((mutant) => !untried.includes(mutant));
  const fated = [
    ...(await fatesOf(sources, tried, Number(values.seeds), Number(values.jobs))),
    ...untried.map((mutant): Fated => ({ mutant, fate: { kind: "survived", reached: true } })),
  ].sort((a, b) => a.mutant.id - b.mutant.id);
  console.log(`${fated.length} of ${candidates.length} mutants in ${((performance.now() - began) / 1_000).toFixed(0)} s`);
  const { lines, isGood } = report(fated, sources.texts, HARMLESS);
  for (const line of lines) console.log(line);
  const gone = stale(HARMLESS, sources.mutants, sources.texts);
  for (const { file, line, mutator } of gone) console.log(`listed as harmless and not there any more: ${file}, ${mutator}: ${line}`);
  const isMissed = values.named && fated.some(({ fate }) => fate.kind === "survived");
  if (!isGood || isMissed || gone.length > 0) process.exitCode = 1;
};

const fatesOf = async (sources: Sources, mutants: readonly Mutant[], seeds: number, jobs: number): Promise<readonly Fated[]> => {
  const learnt = await learn(sources, seeds, jobs, console.log);
  const waiting = mutants.values();
  const fated: Fated[] = [];
  const lane = async (): Promise<void> => {
    const own = killer(sources, learnt);
    for (const mutant of waiting) {
      const fate = await own.fateOf(mutant);
      fated.push({ mutant, fate });
      const said = fate.kind === "survived" ? `survived ${shown(sources, mutant)}` : `${fate.kind} (${fate.by}) ${mutant.mutator}`;
      console.log(`${fated.length}/${mutants.length} ${mutant.file} ${said}`);
    }
    own.end();
  };
  await Promise.all(Array.from({ length: jobs }, lane));
  return fated;
};

const shown = ({ texts }: Sources, mutant: Mutant): string => changeOf(mutant, texts.get(mutant.file) ?? "");

endGroupsWithUs();
await main();
