import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** Offline: the linter neither reports its use nor asks for a newer version of itself. */
const ENVIRONMENT = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", NO_COLOR: "1" };

export interface LintResult {
  readonly totals: { readonly errors: number; readonly warnings: number };
  readonly problems: readonly unknown[];
}

/** What a public linter finds in an OpenAPI document: "minimal" asks only what makes it valid, "recommended" good manners too. */
export const lintOpenapi = async (document: unknown, rules: "minimal" | "recommended"): Promise<LintResult> => {
  const directory = await mkdtemp(join(tmpdir(), "openapi-"));
  const file = join(directory, "openapi.json");
  await writeFile(file, JSON.stringify(document));
  const redocly = join(import.meta.dirname, "../../node_modules/@redocly/cli/bin/cli.js");
  const run = promisify(execFile)(process.execPath, [redocly, "lint", file, `--extends=${rules}`, "--format=json"], {
    cwd: directory,
    env: ENVIRONMENT,
  });
  // It exits 1 when it finds errors, and prints them all the same.
  const { stdout } = await run.catch((failed: { readonly stdout: string }) => failed);
  await rm(directory, { recursive: true });
  return JSON.parse(stdout.slice(stdout.indexOf("{")));
};
