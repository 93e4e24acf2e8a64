import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, realpath, rename } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { findPython, NEEDED_PYTHON } from "../support/processes/python.ts";

/** What reads, by exact versions. Readers are fetched at the first run, from the registries that their own tools use. */
const VERSIONS = Object.freeze({
  pyiceberg: "0.12.0",
  pyarrow: "26.0.1",
  duckdb: "1.5.5",
  pyspark: "4.1.4",
  trino: "476",
});

/** Iceberg's own code for Spark, which Spark fetches from Maven's central repository. */
export const SPARK_PACKAGES = Object.freeze([
  "org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.12.0",
  "org.apache.iceberg:iceberg-aws-bundle:1.12.0",
]);

const FOLDER = join(import.meta.dirname, "../../.local/engines");
export const JARS = join(FOLDER, "jars");

const SPARK_JAVA = 17;
const TRINO_JAVA = 24;

const run = promisify(execFile);

/** Something to run, or the sentence that says why there is none. */
export type Found<T> = { readonly found: T } | { readonly missing: string };

/** A Python with these packages, in a folder of its own. */
const pythonWith = async (name: string, packages: readonly string[]): Promise<Found<string>> => {
  const folder = join(FOLDER, name);
  const python = join(folder, "bin", "python");
  if (existsSync(join(folder, "complete"))) return { found: python };
  const base = await findPython();
  if (base === undefined) return { missing: `${NEEDED_PYTHON} is not on the path.` };
  await mkdir(FOLDER, { recursive: true });
  await run(base, ["-m", "venv", "--clear", folder]);
  await run(python, ["-m", "pip", "install", "--quiet", ...packages]);
  await mkdir(join(folder, "complete"));
  return { found: python };
};

export const installPyiceberg = (): Promise<Found<string>> => {
  const { pyiceberg, pyarrow } = VERSIONS;
  return pythonWith(`pyiceberg-${pyiceberg}`, [`pyiceberg==${pyiceberg}`, `pyarrow==${pyarrow}`]);
};

/** DuckDB with its extensions, which its makers' host serves and these packages carry. */
export const installDuckdb = (): Promise<Found<string>> => {
  const { duckdb, pyarrow } = VERSIONS;
  const extensions = ["httpfs", "avro", "iceberg"].map((name) => `duckdb-extension-${name}==${duckdb}`);
  return pythonWith(`duckdb-${duckdb}`, [`duckdb==${duckdb}`, `pyarrow==${pyarrow}`, ...extensions]);
};

/** Spark, and the Java that it runs on. */
export const installSpark = async (): Promise<Found<{ readonly python: string; readonly javaHome: string }>> => {
  const javaHome = await findJava(SPARK_JAVA);
  if (javaHome === undefined) return { missing: `Spark needs Java ${SPARK_JAVA} or newer, and none is on the path.` };
  const { pyspark, pyarrow } = VERSIONS;
  const python = await pythonWith(`spark-${pyspark}`, [`pyspark==${pyspark}`, `pyarrow==${pyarrow}`]);
  return "missing" in python ? python : { found: { python: python.found, javaHome } };
};

/** Trino's server, and the Java that it runs on. */
export const installTrino = async (): Promise<Found<{ readonly server: string; readonly java: string }>> => {
  const { trino } = VERSIONS;
  const javaHome = await findJava(TRINO_JAVA);
  if (javaHome === undefined) return { missing: `Trino ${trino} needs Java ${TRINO_JAVA} or newer, and none is installed.` };
  const java = join(javaHome, "bin", "java");
  const server = join(FOLDER, `trino-server-${trino}`);
  if (existsSync(server)) return { found: { server, java } };
  await mkdir(FOLDER, { recursive: true });
  const archive = join(FOLDER, `trino-server-${trino}.tar.gz`);
  const goal = ["dependency:copy", `-Dartifact=io.trino:trino-server:${trino}:tar.gz`, `-DoutputDirectory=${FOLDER}`];
  const isFetched = await run("mvn", ["--batch-mode", "--quiet", ...goal]).then(
    () => existsSync(archive),
    () => false,
  );
  if (!isFetched) return { missing: "Trino's server is fetched by Maven, which is not on the path or does not reach its repository." };
  const unpacked = join(FOLDER, "unpacked");
  await mkdir(unpacked, { recursive: true });
  await run("tar", ["xzf", archive, "-C", unpacked]);
  await rename(join(unpacked, `trino-server-${trino}`), server);
  return { found: { server, java } };
};

/** The home of a Java that is new enough: the one that `JAVA_HOME` or the path names, or one that is installed beside it. */
const findJava = async (least: number): Promise<string | undefined> => {
  const named = process.env.JAVA_HOME;
  const onPath = await javaOnPath();
  const beside =
    onPath === undefined ? [] : await readdir(join(onPath, "..")).then((names) => names.map((name) => join(onPath, "..", name)));
  for (const home of [named, onPath, ...beside]) {
    if (home !== undefined && (await javaVersion(home)) >= least) return home;
  }
  return undefined;
};

const javaOnPath = async (): Promise<string | undefined> => {
  for (const folder of (process.env.PATH ?? "").split(":")) {
    const program = join(folder, "java");
    if (existsSync(program)) return join(await realpath(program), "../..");
  }
  return undefined;
};

/** 0 where there is none. */
const javaVersion = async (home: string): Promise<number> => {
  const program = join(home, "bin", "java");
  if (!existsSync(program)) return 0;
  const { stderr } = await run(program, ["-version"]).catch(() => ({ stderr: "" }));
  return Number(/version "(\d+)/.exec(stderr)?.[1] ?? 0);
};
