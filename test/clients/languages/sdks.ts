import { execFile } from "node:child_process";
import { cp, mkdir, readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { findPython, NEEDED_PYTHON } from "../../support/processes/python.ts";

const run = promisify(execFile);

const PROGRAMS = join(import.meta.dirname, "programs");
const PYTHON_SDK = "posthog==7.91.1";

/** A program that sends three events: its command, to which the host, the token, the run and the mode are added. */
type Command = readonly [program: string, ...words: string[]];

/** An SDK that can be run: a program made with it sends events to any address. */
export interface Sdk {
  readonly language: string;
  /** It can say that what it sends is history. */
  readonly historical: boolean;
  /** The runtimes that it needs, as they are called on a command line. */
  readonly needs: readonly string[];
  /** Builds its program in a folder that holds the program's sources. */
  build(folder: string): Promise<Command>;
}

export const SDKS: readonly Sdk[] = [
  {
    language: "node",
    historical: true,
    needs: ["node"],
    // Its package is the tests' own.
    build: async () => [process.execPath, join(PROGRAMS, "node", "send.mjs")],
  },
  {
    language: "python",
    historical: true,
    needs: ["python3"],
    async build(folder) {
      const base = await findPython();
      if (base === undefined) throw new Error(`${NEEDED_PYTHON} is not on the path.`);
      const python = join(folder, "environment", "bin", "python");
      await run(base, ["-m", "venv", join(folder, "environment")]);
      await run(python, ["-m", "pip", "install", "--quiet", PYTHON_SDK]);
      return [python, join(folder, "send.py")];
    },
  },
  {
    language: "go",
    historical: true,
    needs: ["go"],
    async build(folder) {
      await run("go", ["build", "-o", "send", "."], { cwd: folder });
      return [join(folder, "send")];
    },
  },
  {
    language: "java",
    historical: false,
    needs: ["java", "mvn"],
    async build(folder) {
      const paths = join(folder, "classpath");
      await run("mvn", ["--quiet", "--batch-mode", "dependency:build-classpath", `-Dmdep.outputFile=${paths}`], { cwd: folder });
      const classpath = (await readFile(paths, "utf8")).trim().split(delimiter).join(delimiter);
      return ["java", "-cp", classpath, join(folder, "Send.java")];
    },
  },
  {
    language: "rust",
    historical: true,
    needs: ["cargo"],
    async build(folder) {
      await run("cargo", ["build", "--release", "--quiet", "--locked"], { cwd: folder });
      return [join(folder, "target", "release", "send")];
    },
  },
];

/** What an SDK needs and is not there; undefined where everything is. */
export const missingRuntime = async ({ needs }: Sdk): Promise<string | undefined> => {
  for (const program of needs) {
    const isThere = await run("which", [program]).then(
      () => true,
      () => false,
    );
    if (!isThere) return program;
  }
  return undefined;
};

/** Builds an SDK's program below a folder, where the builds before are found again. */
export const built = async (sdk: Sdk, into: string): Promise<Command> => {
  const folder = join(into, sdk.language);
  await mkdir(folder, { recursive: true });
  await cp(join(PROGRAMS, sdk.language), folder, { recursive: true });
  return sdk.build(folder);
};
