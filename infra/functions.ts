import { join } from "node:path";
import { consumers, groups, schedules } from "../functions/index.ts";
import { bundle, type Entry, ROOT } from "./bundle.ts";
import { type FunctionName, functionName, sizingOf } from "./sizing.ts";

/** Every function of the registry, as the bundler wants it. */
export const entries: readonly Entry[] = [
  ...[...groups, ...schedules].map(({ name, uses }) => ({ name, uses, writesSegments: false })),
  ...consumers.map(({ name, uses, queue }) => ({ name, uses, writesSegments: queue !== "jobs" })),
].map((entry) => ({ ...entry, handler: sizingOf(functionName(entry.name)).handler }));

/** Where each function's code lies. */
export type Bundles = ReadonlyMap<FunctionName, string>;

/** Builds all functions, each in its folder below `into`. */
export const bundleAll = async (into = join(ROOT, "dist", "functions")): Promise<Bundles> => {
  const built = await Promise.all(
    entries.map(async (entry) => {
      const folder = join(into, entry.name);
      await bundle(entry, folder);
      return [functionName(entry.name), folder] as const;
    }),
  );
  return new Map(built);
};
