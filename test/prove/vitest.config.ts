import { defineConfig } from "vitest/config";

/** The drill of a stage's backup, which takes two platforms and minutes of its own: no part of `npm test`. */
export default defineConfig({
  test: {
    include: ["test/prove/*.lane.ts"],
    setupFiles: ["test/support/property-seed.ts"],
    pool: "forks",
    maxWorkers: 1,
    testTimeout: 900_000,
    hookTimeout: 600_000,
  },
});
