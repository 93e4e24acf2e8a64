import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Those that take longest, in the end of a path: whoever begins one last has the other cores wait for it. */
const LONGEST = ["simulation/simulation.test.ts", "prove/prove.test.ts", "fuzz/fuzz.test.ts", "infra/stage.test.ts"];

const isLong = ({ moduleId }: TestSpecification): boolean => LONGEST.some((path) => moduleId.endsWith(path));

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    setupFiles: ["test/support/property-seed.ts"],
    pool: "forks",
    // One more than two cores: many tests wait for a platform, and a core would be idle meanwhile.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // A net alone: no verdict may hang on how fast the machine is.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    projects: [
      // Tests of single rooms leave nothing behind, so they share processes: starting one for each would take as long as they do.
      { extends: true, test: { name: "rooms", include: ["{lib,functions}/**/*.test.ts"], isolate: false } },
      { extends: true, test: { name: "whole", include: ["{infra,test}/**/*.test.ts"] } },
    ],
  },
});
