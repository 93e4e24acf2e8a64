import { readdirSync, readSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { isMainThread, Worker } from "node:worker_threads";

/**
 * ClickHouse's own program, from its library, in this process: `clickhouse local` with the arguments of this command line. The first
 * argument is the folder of packages that holds the library. It ends with its last query, or when the other end of its input is closed,
 * which is what happens to it however the process that started it ends.
 */

/** At once: its destructors wait for threads that wait for them. */
const end = (): void => {
  process.kill(process.pid, "SIGKILL");
};

/** Guarantee: the package is pinned to one exact version, which exports these. */
interface Ffi {
  readonly DataType: { readonly I32: number; readonly StringArray: number; readonly External: number; readonly String: number };
  open(library: { readonly library: string; readonly path: string }): void;
  load(call: {
    readonly library: string;
    readonly funcName: string;
    readonly retType: number;
    readonly paramsType: readonly number[];
    readonly paramsValue: readonly unknown[];
  }): unknown;
}

const run = (): void => {
  const [packages = "", ...words] = process.argv.slice(2);
  const { open, load, DataType } = createRequire(join(packages, "ffi-rs/package.json"))("ffi-rs") as Ffi;

  const platform = readdirSync(join(packages, "@chdb")).find((name) => name.startsWith(`lib-${process.platform}-${process.arch}`)) ?? "";
  open({ library: "chdb", path: join(packages, "@chdb", platform, "libchdb.so") });

  const command = ["clickhouse", ...words];
  const result = load({
    library: "chdb",
    funcName: "chdb_query_cmdline",
    retType: DataType.External,
    paramsType: [DataType.I32, DataType.StringArray],
    paramsValue: [command.length, command],
  });
  const said = load({
    library: "chdb",
    funcName: "chdb_result_error",
    retType: DataType.String,
    paramsType: [DataType.External],
    paramsValue: [result],
  });
  process.stderr.write(String(said ?? ""), end);
};

/** Blocks, as the program does, so it has a thread of its own. */
const waitForEnd = (): void => {
  const byte = Buffer.alloc(1);
  while (readSync(0, byte) > 0);
  end();
};

if (isMainThread) {
  new Worker(import.meta.filename).unref();
  run();
} else waitForEnd();
