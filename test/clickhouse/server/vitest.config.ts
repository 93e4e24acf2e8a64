import { defineConfig } from "vitest/config";

/** Tests that ask a real ClickHouse, whose library is fetched first: no part of `npm test`. */
export default defineConfig({
  test: {
    include: ["test/clickhouse/server/*.lane.ts"],
    setupFiles: ["test/support/property-seed.ts"],
    pool: "forks",
    maxWorkers: 1,
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
