import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { findPython, NEEDED_PYTHON } from "../support/processes/python.ts";

const SCHEMATHESIS = "4.32.5";

const FOLDER = join(import.meta.dirname, "../../.local/schemathesis", SCHEMATHESIS);

const run = promisify(execFile);

/** The program, which is fetched from the registry at the first run. Undefined where this machine has no Python that it runs on. */
export const installSchemathesis = async (): Promise<string | undefined> => {
  const program = join(FOLDER, "bin", "schemathesis");
  if (existsSync(program)) return program;
  const python = await findPython();
  if (python === undefined) return undefined;
  await mkdir(FOLDER, { recursive: true });
  await run(python, ["-m", "venv", FOLDER]);
  await run(join(FOLDER, "bin", "python"), ["-m", "pip", "install", "--quiet", `schemathesis==${SCHEMATHESIS}`]);
  return program;
};

/** What is said where it cannot be run. */
export const PYTHON_MISSING = `Schemathesis needs ${NEEDED_PYTHON}, and none is on the path: install it, and run this again.`;
