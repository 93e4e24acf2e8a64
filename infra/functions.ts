import { join } from "node:path";
import { consumers, groups, invocables, schedules } from "../functions/index.ts";
import type { FunctionNeeds } from "../lib/app/uses.ts";
import { bundle, type Entry, ROOT } from "./bundle.ts";
import { functionSizing } from "./sizing.ts";

const bundleEntry = (needs: FunctionNeeds) => ({
  name: needs.name,
  uses: needs.uses,
  settings: needs.settings ?? [],
  handler: functionSizing(needs).handler,
});

/** Every function of the registry, as the bundler wants it. */
export const entries: readonly Entry[] = [
  ...[...groups, ...schedules, ...invocables].map((each) => ({ ...bundleEntry(each), writesSegments: false })),
  ...consumers.map((each) => ({ ...bundleEntry(each), writesSegments: each.queue !== "jobs" })),
];

/** Where each function's code lies. */
export type Bundles = ReadonlyMap<string, string>;

/** Builds all functions, each in its folder below `into`. */
export const bundleAll = async (into = join(ROOT, "dist", "functions")): Promise<Bundles> => {
  const built = await Promise.all(
    entries.map(async (entry) => {
      const folder = join(into, entry.name);
      await bundle(entry, folder);
      return [entry.name, folder] as const;
    }),
  );
  return new Map(built);
};
