import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    setupFiles: ["test/support/property-seed.ts"],
    pool: "forks",
    // One more than two cores: many tests wait for a platform, and a core would be idle meanwhile.
    maxWorkers: 3,
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
