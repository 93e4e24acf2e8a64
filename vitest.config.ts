import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["lib/**/*.test.ts", "functions/**/*.test.ts", "infra/**/*.test.ts", "test/**/*.test.ts"],
    setupFiles: ["test/support/property-seed.ts"],
    pool: "forks",
    maxWorkers: 2,
    // A net alone: no verdict may hang on how fast the machine is.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
