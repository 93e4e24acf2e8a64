import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";

/** The files of the live checks: read as text where they lie, and from beside a bundle that carries them. */
export const CHECK_SOURCES = [
  "conditions.ts",
  "variable-uses.ts",
  "extract-variables.ts",
  "table-plan.ts",
  "aggregates.ts",
  "flat.ts",
  "reason.ts",
] as const;

/** The folder of the files, seen from this module. */
export const CHECK_FOLDER = "materialisation/checks";

/** The folder of a bundle that the files are copied to. */
export const SOURCE_FOLDER = "checks";

const folder = import.meta.url.endsWith(".ts") ? `./${CHECK_FOLDER}` : `./${SOURCE_FOLDER}`;

/** The text of the live checks, a file after the other. */
export const conditionsSource = (): string =>
  CHECK_SOURCES.map((name) => {
    const path = fileURLToPath(new URL(`${folder}/${name}`, import.meta.url));
    return `// ${basename(path)}\n${readFileSync(path, "utf8")}`;
  }).join("\n");

/** The rules that a rewritten query has to keep, for whoever rewrites one. */
export const REWRITE_CONTRACT = `A rewritten query must answer exactly as the original does:
1. For every combination of values of the variables it returns the same rows, with the same column names and the same column types, in the same order where the original has one.
2. It keeps every placeholder {variables.<code_name>} of the original, with its name and its meaning. None is added, dropped or renamed.
3. Any other restructuring is allowed: conditions may move between WHERE, HAVING and WITH, aggregates may be written in terms of others, and queries may be split or joined.
4. If no equivalent form exists, none is to be forced: say so.
The live checks take a query whose variables each stand in one comparison with one column (=, >=, >, <, <=, LIKE, ILIKE, NOT LIKE, NOT ILIKE) in WHERE, all of them in the query itself or all in one query of WITH. With bounds and patterns, every aggregate must be count, sum, min or max.`;
