import { spawn } from "node:child_process";
import { readImports, files as sources } from "../support/imports.ts";
import { changedFiles } from "./changed.ts";
import { choose } from "./choose.ts";
import { secondsOf } from "./seconds.ts";

interface Step {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Shown while it runs, not only once it failed. */
  readonly isShown?: boolean;
}

/** Runs a program of node_modules/.bin, which npm puts on the path; its exit status is 0 where all is well. */
const run = ({ command, args, isShown = false }: Step): Promise<{ readonly status: number; readonly said: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["ignore", isShown ? "inherit" : "pipe", isShown ? "inherit" : "pipe"] });
    const said: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => said.push(chunk));
    child.once("error", reject);
    child.once("close", (status) => resolve({ status: status ?? 1, said: Buffer.concat(said).toString() }));
  });

const changed = changedFiles();
const tests = sources.filter((file) => file.endsWith(".test.ts"));
const { files, slow, far } = choose(tests, readImports(), changed ?? [], secondsOf);

const STEPS: readonly Step[] = [
  { name: "types", command: "tsc", args: [] },
  { name: "lint", command: "biome", args: ["check", "--config-path=test/fast/lint.json"] },
  { name: "tests", command: "vitest", args: ["run", "--reporter=dot", "--silent=passed-only", ...files], isShown: true },
];

const began = performance.now();
const results = await Promise.all(STEPS.map(async (step) => ({ ...step, ...(await run(step)) })));
const failed = results.filter(({ status }) => status !== 0);
for (const { name, said, isShown } of failed) if (!isShown) console.log(`\n${name}:\n${said}`);

const seconds = Math.round((performance.now() - began) / 1_000);
console.log(`\n${failed.length === 0 ? "Passed" : `FAILED: ${failed.map(({ name }) => name).join(", ")}`}, in ${seconds} s.`);
const reached =
  changed === null
    ? "every test that is no unit test, as git does not say what changed"
    : `${far.length} further tests that what changed may reach`;
console.log(
  `Left out: ${reached}; ${slow.length} slow unit tests; promises that nobody awaits, and unused code. npm test looks at everything.`,
);
if (failed.length > 0) process.exitCode = 1;
