import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

export interface Import {
  readonly file: string;
  /** A path from the root, or a package. */
  readonly to: string;
  readonly isType: boolean;
  /** Loaded when the code gets there, not with the file. */
  readonly isLazy: boolean;
}

const IMPORT = /^\s*(?:import|export)\s+(type\s+)?(?:[^"';]*?\sfrom\s+)?"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)/gm;

/** Every TypeScript file of the repository, tests included. */
export const files: readonly string[] = globSync("{lib,functions,infra,test}/**/*.{ts,tsx}").map((file) => file.replaceAll("\\", "/"));

/** What they import. */
export const readImports = (): readonly Import[] =>
  files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(IMPORT)].map(([, type, from, lazily]) => {
      const to = from ?? lazily ?? "";
      return {
        file,
        to: to.startsWith(".") ? normalize(join(dirname(file), to)) : to,
        isType: type !== undefined,
        isLazy: lazily !== undefined,
      };
    }),
  );
