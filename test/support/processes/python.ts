import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** The least Python that the extra lanes run on. */
const LEAST = [3, 10] as const;
const NAMES = ["python3", "python"];

/** What is asked for where none is found. */
export const NEEDED_PYTHON = `Python ${LEAST.join(".")} or newer with its venv module`;

/** The name of a Python on the path that is new enough and makes folders of packages of its own; undefined where there is none. */
export const findPython = async (): Promise<string | undefined> => {
  for (const name of NAMES) {
    const asked = `import sys, venv; sys.exit(sys.version_info < (${LEAST.join(", ")}))`;
    const isFit = await promisify(execFile)(name, ["-c", asked]).then(
      () => true,
      () => false,
    );
    if (isFit) return name;
  }
  return undefined;
};
