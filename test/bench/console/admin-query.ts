import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Figure, median } from "../figures.ts";

const PROGRAM = join(import.meta.dirname, "../../../infra/cli/main.ts");
const QUERY = "SELECT event, count() AS times FROM events GROUP BY event ORDER BY times DESC";
const ROUNDS = 7;
const MOST_MS = 2_000;

const run = promisify(execFile);

/** `admin query` beside a platform that runs, as a person at a terminal waits for it: from the command to its rows. */
export const adminQuery = async (folder: string, projectId: number): Promise<Figure> => {
  const times: number[] = [];
  let lines = 0;
  for (let round = 0; round <= ROUNDS; round += 1) {
    const started = performance.now();
    const words = ["query", QUERY, "--project", String(projectId), "--data-dir", folder];
    const { stdout } = await run(process.execPath, [PROGRAM, ...words], {
      env: { ...process.env, NODE_COMPILE_CACHE: join(folder, "compiled") },
    });
    // The first compiles the program.
    if (round > 0) times.push(performance.now() - started);
    lines = stdout.trimEnd().split("\n").length;
  }
  if (lines < 3) throw new Error("the query found no events");
  return {
    name: "admin.query_ms",
    value: Math.round(median(times)),
    unit: "ms",
    baseline: `events by name, from the command to its ${lines} lines; median of ${ROUNDS}, the worst ${Math.round(Math.max(...times))}; at most ${MOST_MS}`,
  };
};
