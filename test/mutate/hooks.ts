import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Loaded before anything else into every process of a run, those that the program starts included: the files of the scope come with
 * one mutant in them, or with a counter at each.
 */
const { MUTATE_ROOT: root, MUTATE_SOURCES: sources, MUTATE_ID: active, MUTATE_REACHED: reachedFile } = process.env;

const seen = new Set<number>();

/** Where the simulation asks what it has reached since it last asked. */
const reached = (): readonly number[] => {
  const ids = [...seen];
  seen.clear();
  return ids;
};

const reach = (id: number): false => {
  if (!seen.has(id)) {
    seen.add(id);
    // Written at once, since a process may be killed.
    if (reachedFile) appendFileSync(reachedFile, `${id}\n`);
  }
  return false;
};

Object.assign(globalThis, { __reach: reach, __reached: reached });

const SWITCH = /\b__m\((\d+)\)/g;

if (root && sources) {
  registerHooks({
    load(url, context, next) {
      const path = url.startsWith("file:") ? fileURLToPath(url) : "";
      if (!path.startsWith(root) || path.includes("node_modules")) return next(url, context);
      const file = join(sources, `${path.slice(root.length)}.js`);
      if (!existsSync(file)) return next(url, context);
      const text = readFileSync(file, "utf8");
      const source = text.replace(SWITCH, (_, id: string) => (active === undefined ? `__reach(${id})` : String(id === active)));
      return { format: "module", source, shortCircuit: true };
    },
  });
}
