import { runLine } from "../../../infra/cli/run.ts";
import { peakKilobytes } from "../peak-memory.ts";

/** The command itself, and the most memory that its process had. */
const { exitCode } = await runLine(["import", ...process.argv.slice(2)], process.env);
process.stdout.write(JSON.stringify({ exitCode, peakKb: peakKilobytes() }));
