import { globSync } from "node:fs";

const ROOT = new URL("../../", import.meta.url).pathname;

/** What the lake's exactness rests on: these are changed. */
const MUTATED = [
  "lib/{lake,event,usage}/**/*.ts",
  "lib/core/pack.ts",
  "lib/table/revision.ts",
  "functions/{ingest,jobs,sweep}/**/*.ts",
  "lib/engine/**/{merge,merge-*,duplicates,duplicates-*,compare-*,compared-*,number-set,row-places,source-usage}.ts",
];

/**
 * Tests that may notice; which of them get as far as a change is measured. Left out is what takes long and is about something else:
 * the language, the engine's processes, the table.
 */
const TESTS = [
  "lib/{lake,event,usage}/**/*.test.ts",
  "lib/core/pack.test.ts",
  "lib/engine/**/{big-integers,databases,duplicates,engine,local-files,merge,number-set,rare-columns,released-files,row-places,source-usage,state-scan,wide-rows}*.test.ts",
  "functions/{ingest,jobs,sweep}/**/*.test.ts",
  "test/property/lake/*.test.ts",
  "test/ports/row-files*.test.ts",
  "test/behaviour/{ingest,capture,jobs}/**/*.test.ts",
  "test/infra/rights.test.ts",
  "test/behaviour/customer-analytics/accounts.test.ts",
  "test/behaviour/organizations/deleting.test.ts",
  "test/hostile/{group-types,persons}.test.ts",
  "test/behaviour/endpoints/{freshness,insights,property-types,run}.test.ts",
];

/** Whether it succeeds is a matter of the machine's time, too, so it would kill now and then what it does not notice. */
const BY_THE_CLOCK = "test/behaviour/ingest/from-request-to-rows.test.ts";

/** What the tests and the simulation are made of, apart from the program: with it, what a run learnt before is known to hold. */
const BESIDES = [
  "lib/**/*.ts",
  "functions/**/*.ts",
  "infra/**/*.ts",
  "test/{support,simulation,model,ports,behaviour}/**/*.ts",
  "package-lock.json",
];

const found = (globs: readonly string[], root: string): readonly string[] =>
  [...new Set(globs.flatMap((glob) => globSync(glob, { cwd: root })))].map((path) => path.replaceAll("\\", "/")).sort();

const isTest = (path: string): boolean => path.endsWith(".test.ts");

/** A place with a program and its tests. Paths are relative to its root. */
export interface Scope {
  readonly root: string;
  readonly mutated: readonly string[];
  readonly tests: readonly string[];
  readonly besides: readonly string[];
}

export const platformScope = (): Scope => ({
  root: ROOT,
  mutated: found(MUTATED, ROOT).filter((path) => !isTest(path)),
  tests: found(TESTS, ROOT).filter((path) => path !== BY_THE_CLOCK),
  besides: found(BESIDES, ROOT).filter((path) => !isTest(path)),
});
