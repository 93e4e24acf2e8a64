import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { NamedMutation } from "./named-mutant.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** From here on this process loads the product with one fault in it. What it has loaded already stays as it is. */
export const loadFaulty = ({ file, original, replaced }: NamedMutation): void => {
  const path = join(ROOT, file);
  const source = readFileSync(path, "utf8").replace(original, () => replaced);
  registerHooks({
    load: (url, context, next) =>
      url.startsWith("file:") && fileURLToPath(url) === path
        ? { format: "module-typescript", source, shortCircuit: true }
        : next(url, context),
  });
};
