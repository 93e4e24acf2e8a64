import { join, relative } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { secondsOf } from "./test/fast/seconds.ts";

/**
 * What the processes of the tests, and all that these start, have compiled is kept for the next ones: most of them would else spend
 * most of their time loading the same modules.
 */
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "node_modules/.cache/compiled");

/** Projects one after the other, as those of one share their processes; in each, the longest first: nobody waits for one begun last. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seconds = ({ moduleId }: TestSpecification): number => secondsOf(relative(import.meta.dirname, moduleId));
    return [...files].sort(
      (one, other) =>
        PROJECTS.indexOf(one.project.name) - PROJECTS.indexOf(other.project.name) ||
        seconds(other) - seconds(one) ||
        (one.moduleId < other.moduleId ? -1 : 1),
    );
  }
}

/** The order of projects. */
const PROJECTS: readonly string[] = ["alone", "browsed", "whole", "rooms", "transformed"];

/** Each has a process of its own: they measure memory or the processor, write to the terminal, or leave large helpers running. */
const ALONE = [
  "test/{bench,fuzz,infra,prove,simulation}/**/*.test.ts",
  "test/behaviour/security/secrets-and-bombs.test.ts",
  "test/hostile/{forms,lowering,parsing,queries}.test.ts",
  "infra/local/*.test.ts",
  "infra/local/{demo,stores}/**/*.test.ts",
];

/** They share what a browser, the console's build and the platforms take to load. */
const BROWSED = ["test/console/*.test.ts"];

/** Vite's own runner loads them: Node reads no JSX, and names a test's file in its stacks as no file is called. */
const TRANSFORMED = [
  "functions/console/{page,parts}/**/*.test.ts",
  "test/clients/exceptions.test.ts",
  "test/behaviour/error-tracking/exceptions.test.ts",
];

export default defineConfig({
  test: {
    setupFiles: ["test/support/property-seed.ts", "test/support/leave-nothing.ts"],
    pool: "forks",
    // One more than two cores: many tests wait for a platform, and a core would be idle meanwhile.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // Nets alone: no verdict may hang on how fast the machine is.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    // Node loads the sources as it does when the product runs.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    projects: [
      { extends: true, test: { name: "alone", include: ALONE } },
      { extends: true, test: { name: "browsed", include: BROWSED, isolate: false } },
      {
        extends: true,
        test: { name: "whole", include: ["{infra,test}/**/*.test.ts"], exclude: [...ALONE, ...BROWSED, ...TRANSFORMED], isolate: false },
      },
      { extends: true, test: { name: "rooms", include: ["{lib,functions}/**/*.test.ts"], exclude: TRANSFORMED, isolate: false } },
      { extends: true, test: { name: "transformed", include: TRANSFORMED, isolate: false, experimental: { viteModuleRunner: true } } },
    ],
  },
});
