import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fetchLibrary } from "../../infra/local/clickhouse/library.ts";
import { randomOf } from "../simulation/random.ts";
import { afterSwaps } from "./after-swaps.ts";
import { atTheEnd } from "./at-the-end.ts";
import { catalogueOf } from "./catalogue.ts";
import { Faults, TooMany } from "./faults.ts";
import { type Found, installDuckdb, installPyiceberg, installSpark, installTrino, JARS, SPARK_PACKAGES } from "./install.ts";
import { startLake } from "./lake.ts";
import { openClickHouse } from "./readers/clickhouse.ts";
import { openPyiceberg } from "./readers/pyiceberg.ts";
import { counted, type Read, type Reader } from "./readers/reader.ts";
import { openDuckdb, openSpark } from "./readers/sql.ts";
import { openTrino } from "./readers/trino.ts";
import { RandomLake } from "./swaps.ts";

/**
 * `npm run test:engines`: engines that know nothing of this product read its open tables by the address of its catalogue and a key,
 * while random things happen to the lake. After each of `--swaps N` swaps (200) the tables have to be the product's rows, by all
 * columns, by conditions that prune, and as they were. `--seed N` lets other things happen, `--only NAMES` takes some of the engines.
 * An engine that is not there is named, and the others are run without it.
 */
const { values } = parseArgs({
  options: {
    swaps: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    only: { type: "string", default: "pyiceberg,clickhouse,duckdb,spark,trino" },
  },
});
const MOST_FAULTS = 10;
/** After so many swaps files have had every mixture of columns. */
const MIXED_AFTER = 100;
const asked = new Set(values.only.split(","));
const missing: string[] = [];
const tell = (sentence: string): void => console.log(sentence);
const faults = new Faults(MOST_FAULTS, tell);

/** An engine where it was asked for, is there and attaches. */
const attached = async <T, R extends Reader>(name: string, install: () => Promise<Found<T>>, open: (found: T) => Promise<R>) => {
  if (!asked.has(name)) return undefined;
  const began = performance.now();
  const runtime = await install().catch((thrown: Error): Found<T> => ({ missing: `${name} could not be fetched: ${thrown.message}` }));
  if ("missing" in runtime) {
    missing.push(runtime.missing);
    return undefined;
  }
  const reader = await faults.during(`${name} attaches`, () => open(runtime.found));
  if (reader) console.log(`${reader.version} attached in ${seconds(began)} s: ${reader.tables.join(", ")}`);
  return reader;
};

const seconds = (began: number): string => ((performance.now() - began) / 1_000).toFixed(1);

const began = performance.now();
const lake = await startLake();
const seed = Number(values.seed);
const random = new RandomLake(lake, seed);
const questions = randomOf(seed + 1);
const scratch = await mkdtemp(join(tmpdir(), "engines-"));
const readers: { readonly reader: Reader; readonly done: Read }[] = [];
const kept = <R extends Reader>(opened: R | undefined): R | undefined => {
  if (opened === undefined) return undefined;
  const one = counted(opened);
  readers.push(one);
  return one.reader;
};
try {
  await random.begin();
  const catalogue = catalogueOf(lake);
  const pyiceberg = kept(await attached("pyiceberg", installPyiceberg, (python) => openPyiceberg(python, catalogue)));
  const clickhouse = kept(
    await attached(
      "clickhouse",
      async () => ({ found: join(await fetchLibrary(), "chdb") }),
      (chdb) => openClickHouse(chdb, catalogue),
    ),
  );
  const duckdb = kept(await attached("duckdb", installDuckdb, (python) => openDuckdb(python, catalogue)));
  const always = [pyiceberg, clickhouse, duckdb].filter((reader) => reader !== undefined);
  const remembered = await afterSwaps({
    random,
    questions,
    catalogue,
    faults,
    readers: always,
    pyiceberg,
    swaps: Number(values.swaps),
    tell,
  });
  console.log(`${random.swaps} swaps in ${seconds(began)} s: ${random.events().rows.length} rows`);

  const spark = kept(
    await attached("spark", installSpark, (found) => openSpark({ ...found, packages: SPARK_PACKAGES, jars: JARS }, catalogue)),
  );
  const trino = kept(
    await attached("trino", installTrino, (found) => openTrino({ ...found, folder: scratch }, catalogue, lake.storeEndpoint)),
  );
  const all = [...always, spark, trino].filter((reader) => reader !== undefined);
  await atTheEnd({ random, questions, catalogue, faults, readers: all, spark, pyiceberg, remembered, tell });
  for (const [mixture, snapshots] of random.columns.counts()) {
    console.log(`${snapshots} snapshots had ${mixture}`);
    if (snapshots === 0 && random.swaps >= MIXED_AFTER) faults.add(`no snapshot that was read had ${mixture}`);
  }
} catch (thrown) {
  if (!(thrown instanceof TooMany)) throw thrown;
} finally {
  for (const { reader } of readers) await reader.close();
  await lake.stop();
  await rm(scratch, { recursive: true, force: true });
}
for (const { reader, done } of readers)
  console.log(`read by ${reader.version}: ${done.rows} rows in ${done.times} reads and ${(done.ms / 1_000).toFixed(1)} s`);
for (const sentence of missing) console.log(`not run: ${sentence}`);
console.log(`${faults.count} faults in ${seconds(began)} s`);
if (faults.count > 0) process.exitCode = 1;
