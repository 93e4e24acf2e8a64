import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { readRunning } from "../stores/lock.ts";
import { UserError } from "../user-error.ts";
import { lakeAddress } from "./lake-address.ts";
import { fetchLibrary } from "./library.ts";
import { startClickHouse } from "./server.ts";

/**
 * `npm run clickhouse`: ClickHouse over the lake of the platform that runs on a data directory, for whoever wants to look at it with
 * queries of their own. `--port N` (default 8123; 0 is any free one), `--data-dir D` (default `.local`).
 */

const run = async (): Promise<void> => {
  const { values } = parseArgs({
    options: { port: { type: "string", default: "8123" }, "data-dir": { type: "string", default: ".local" } },
  });
  const dataDir = resolve(values["data-dir"]);
  const running = readRunning(dataDir);
  if (!running) throw new UserError(`No platform runs on ${dataDir}: start one with \`npm start\`, and this in a second terminal.`);
  const packages = await fetchLibrary();
  const directory = await mkdtemp(join(tmpdir(), "clickhouse-"));
  try {
    const server = await startClickHouse({ packages, directory, lake: lakeAddress(running.store), port: Number(values.port) });
    const { user, password } = server.operator;
    process.stdout.write(
      [
        "",
        `ClickHouse answers at ${server.url}; its named collection \`lake\` is the bucket. Try it:`,
        `  curl -s ${server.url} -u ${user}:${password} -d "SELECT count() FROM s3(lake, filename = 'events/**.parquet')"`,
        "Ctrl-C ends it.",
        "",
        "",
      ].join("\n"),
    );
    await Promise.race(["SIGINT", "SIGTERM"].map((signal) => once(process, signal)));
    await server.stop();
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};

try {
  await run();
  process.exit(0);
} catch (thrown) {
  process.stderr.write(`${thrown instanceof UserError ? thrown.message : thrown instanceof Error ? thrown.stack : String(thrown)}\n`);
  process.exit(1);
}
