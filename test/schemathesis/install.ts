import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const SCHEMATHESIS = "4.32.5";
/** The least Python that it runs on. */
const PYTHON = [3, 10] as const;

const FOLDER = join(import.meta.dirname, "../../.local/schemathesis", SCHEMATHESIS);
const NAMES = ["python3", "python"];

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
export const PYTHON_MISSING = `Schemathesis needs Python ${PYTHON.join(".")} or newer with its venv module, and none is on the path: install it, and run this again.`;

const findPython = async (): Promise<string | undefined> => {
  for (const name of NAMES) {
    const asked = `import sys, venv; sys.exit(sys.version_info < (${PYTHON.join(", ")}))`;
    const isFit = await run(name, ["-c", asked]).then(
      () => true,
      () => false,
    );
    if (isFit) return name;
  }
  return undefined;
};
