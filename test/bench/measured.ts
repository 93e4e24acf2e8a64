import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import type { Figure, Part } from "./figures.ts";
import type { Yardstick } from "./yardstick.ts";

export const MEASURED = "test/bench/measured.json";

/** By part: its figures as they were measured last, of which commit, and what the machine can do. */
const Measured = z.record(
  z.string(),
  z.strictObject({
    commit: z.string().regex(/^[0-9a-f]{8,40}$/),
    date: z.iso.date(),
    yardstick: z.strictObject({ megabyteMs: z.number(), millionRowsMs: z.number() }),
    figures: z.record(z.string(), z.strictObject({ value: z.number(), unit: z.string() })),
  }),
);
export type Measured = z.output<typeof Measured>;

/** The figures that are kept in a checkout, and what git says of the code that they measure. */
export const openMeasured = (root: string) => {
  const file = join(root, MEASURED);
  const git = (...words: readonly string[]): string =>
    execFileSync("git", words, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  const isKnown = (commit: string): boolean => {
    try {
      git("cat-file", "-e", `${commit}^{commit}`);
      return true;
    } catch {
      return false;
    }
  };
  const read = async (): Promise<Measured> => Measured.parse(JSON.parse(await readFile(file, "utf8")));
  return {
    read,

    /** The commit that a figure of now would be of. Throws where the code is no commit's: nobody could measure it again. */
    cleanCommit(): string {
      const changed = git("status", "--porcelain", "--untracked-files=no", "--", ".", `:!${MEASURED}`);
      if (changed !== "") throw new Error(`a figure names the commit that it was measured at: commit first\n${changed}`);
      return git("rev-parse", "--short=8", "HEAD");
    },

    /** Puts a part's figures in the place of its older ones. */
    async record(part: string, commit: string, yardstick: Yardstick, figures: readonly Figure[]): Promise<void> {
      const entry = {
        commit,
        date: new Date().toISOString().slice(0, 10),
        yardstick: { megabyteMs: rounded(yardstick.megabyteMs), millionRowsMs: rounded(yardstick.millionRowsMs) },
        figures: Object.fromEntries(figures.map(({ name, value, unit }) => [name, { value: rounded(value), unit }])),
      };
      const sorted = Object.entries({ ...(await read()), [part]: entry }).toSorted(([a], [b]) => (a < b ? -1 : 1));
      await writeFile(file, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
    },

    /** How a part's figures stand to the code that they measure, in words. */
    ageOf({ name, measures }: Pick<Part, "name" | "measures">, measured: Measured): string {
      const last = measured[name];
      if (last === undefined) return "was never kept";
      const of = `is of ${last.commit}, ${last.date}`;
      if (!isKnown(last.commit)) return `${of}, which this copy does not have`;
      const changes = Number(git("rev-list", "--count", `${last.commit}..HEAD`, "--", ...measures));
      if (changes === 0) return `${of}; its code is the same`;
      return `${of}; OLDER than ${changes} ${changes === 1 ? "change" : "changes"} of ${measures.join(", ")}`;
    },
  };
};

const rounded = (value: number): number => Number(value.toPrecision(4));
