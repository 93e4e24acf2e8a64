import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Figure, Part } from "../figures.ts";
import { MERGED, PERSONS, waitingPersons } from "./waiting-persons-set.ts";

const QUESTION = "SELECT uniq(person_id) FROM events";
const MOST_S = 2;
const MOST_MB = 1_000;
/** Ids that merges tie together, of one person and of many. */
const TIED = 400_000;
/** Of it rather less than a function of 1,769 MB gives. */
const TIED_HEAP_MB = 600;
const MOST_TIED_MB = 1_200;
const TIED_SHAPES = ["star", "shared"];

/**
 * A million imported persons of whom nothing is gathered or folded: the first query and further ones, and then folding all of them; and
 * folding ids that merges tie together, and one event more of them.
 */
export const personsWaiting: Part = {
  name: "persons.waiting_million_s",
  seconds: 300,
  measures: ["lib/engine", "lib/lake"],
  async run() {
    const root = await mkdtemp(join(tmpdir(), "waiting-persons-"));
    try {
      await writeFile(join(root, "items.json"), JSON.stringify(await waitingPersons(root)));
      const asked = await inProcess<Asked>("waiting-persons-case.ts", root, QUESTION);
      const [first = Number.NaN, ...further] = asked.times;
      const wanted = PERSONS - MERGED;
      if (JSON.stringify(asked.answer) !== JSON.stringify([[wanted]]))
        throw new Error(`${JSON.stringify(asked.answer)} persons, not ${wanted}`);
      const folded = await inProcess<Folded>("waiting-persons-fold-case.ts", root);
      const tied: Tied[] = [];
      for (const shape of TIED_SHAPES)
        tied.push(await inHeapOf<Tied>(TIED_HEAP_MB, "tied-persons-case.ts", await mkdtemp(join(root, "tied-")), shape, String(TIED)));
      const figures: readonly Figure[] = [
        { name: "persons.waiting_million_s", value: first, unit: "s", baseline: `"${QUESTION}", the first time; at most ${MOST_S}` },
        { name: "persons.waiting_million_further_s", value: Math.max(...further), unit: "s", baseline: `the slowest of ${further.length}` },
        {
          name: "persons.waiting_million_mb",
          value: asked.peakKb / 1_024,
          unit: "MB",
          baseline: `of the process that asks; at most ${MOST_MB}`,
        },
        { name: "persons.fold_million_s", value: folded.seconds, unit: "s", baseline: `in ${folded.steps} folds` },
        { name: "persons.fold_million_mb", value: folded.peakKb / 1_024, unit: "MB", baseline: `at most ${MOST_MB}` },
        {
          name: "persons.tied_mb",
          value: Math.max(...tied.map(({ peakKb }) => peakKb)) / 1_024,
          unit: "MB",
          baseline: `folding ${TIED} ids that merges tie together, in a heap of ${TIED_HEAP_MB} MB; at most ${MOST_TIED_MB}`,
        },
        { name: "persons.tied_s", value: Math.max(...tied.map(({ whole }) => whole.seconds)), unit: "s", baseline: "all of it" },
        {
          name: "persons.tied_further_s",
          value: Math.max(...tied.map(({ further }) => further.seconds)),
          unit: "s",
          baseline: "one event more",
        },
      ];
      return figures;
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  },
};

interface Asked {
  readonly answer: unknown;
  readonly times: readonly number[];
  readonly peakKb: number;
}

interface Folded {
  readonly seconds: number;
  readonly steps: number;
  readonly peakKb: number;
}

interface Tied {
  readonly whole: { readonly seconds: number };
  readonly further: { readonly seconds: number };
  readonly peakKb: number;
}

/** What a program beside this one prints as JSON: ours, so it has the shape that the caller names. */
const inProcess = async <T>(program: string, ...args: readonly string[]): Promise<T> => inHeapOf(MOST_MB, program, ...args);

/** The same where the program's own objects may not take more than some megabytes: with room, garbage lies about. */
const inHeapOf = async <T>(heapMb: number, program: string, ...args: readonly string[]): Promise<T> => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    `--max-old-space-size=${heapMb}`,
    join(import.meta.dirname, program),
    ...args,
  ]);
  return JSON.parse(stdout) as T;
};
