import { join } from "node:path";
import { createVitest } from "vitest/node";
import * as z from "zod";
import { endWithParent } from "../support/processes/process-group.ts";

/** Run these files, with a mutant or counting what they reach; the first that fails ends it. */
const Order = z.object({ files: z.array(z.string()), env: z.record(z.string(), z.string()) });
export type Order = z.output<typeof Order>;

const root = process.env.MUTATE_ROOT ?? process.cwd();

/** A test that waits for what a mutant never does is not waited for longer. */
const TEST_TIMEOUT_MS = 20_000;

endWithParent();
const vitest = await createVitest("test", {
  root,
  config: false,
  watch: false,
  reporters: [{}],
  include: ["**/*.test.ts"],
  pool: "forks",
  maxWorkers: 1,
  isolate: false,
  bail: 1,
  testTimeout: TEST_TIMEOUT_MS,
  hookTimeout: TEST_TIMEOUT_MS,
  setupFiles: [join(import.meta.dirname, "setup.ts")],
  experimental: { viteModuleRunner: false },
});
const project = vitest.getRootProject();

const run = async ({ files, env }: Order) => {
  for (const name of ["MUTATE_ID", "MUTATE_REACHED"]) delete process.env[name];
  Object.assign(process.env, env);
  vitest.state.clearErrors();
  vitest.state.filesMap.clear();
  const specifications = files.map((file) => project.createSpecification(join(root, file)));
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  const failed = testModules.find((each) => each.state() === "failed");
  const [test] = failed?.children.allTests("failed") ?? [];
  const passed = failed === undefined && unhandledErrors.length === 0;
  return { kind: "ran", passed, by: test?.fullName ?? failed?.relativeModuleId ?? String(unhandledErrors[0] ?? "") };
};

process.on("message", async (message) => {
  const answer = await run(Order.parse(message)).catch((error: unknown) => ({ kind: "ran", passed: false, by: String(error) }));
  process.send?.(answer);
});
process.send?.({ kind: "ready" });
