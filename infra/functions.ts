import { join } from "node:path";
import { consumers, groups, invocables, schedules } from "../functions/index.ts";
import type { FunctionNeeds } from "../lib/app/uses.ts";
import { forEachConcurrent } from "../lib/core/concurrency.ts";
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

/** More at once are no sooner done, because one keeps several processors busy, and all at once take gigabytes. */
const AT_ONCE = 2;

/** Builds all functions, each in its folder below `into`. */
export const bundleAll = async (into = join(ROOT, "dist", "functions")): Promise<Bundles> => {
  await forEachConcurrent(entries, AT_ONCE, async (entry) => {
    await bundle(entry, join(into, entry.name));
  });
  return new Map(entries.map(({ name }) => [name, join(into, name)]));
};
