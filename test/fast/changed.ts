import { execFileSync } from "node:child_process";

const git = (...args: readonly string[]): string =>
  execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();

const lines = (text: string): readonly string[] => text.split("\n").filter((line) => line !== "");

/** Where this branch left the main one: as others see that, as it is here, or the last commit. */
const base = (): string => {
  for (const main of ["origin/main", "main"]) {
    try {
      return git("merge-base", "HEAD", main);
    } catch {
      // There is no such branch.
    }
  }
  return "HEAD";
};

/** The files that differ from the main branch, uncommitted and new ones included; null where there is no repository to ask. */
export const changedFiles = (): readonly string[] | null => {
  try {
    return [...lines(git("diff", "--name-only", base())), ...lines(git("ls-files", "--others", "--exclude-standard"))];
  } catch {
    return null;
  }
};
