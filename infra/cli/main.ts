import { UserError } from "../local/user-error.ts";
import { DocumentProblem } from "./apply/problem.ts";
import { runLine } from "./run.ts";

try {
  const { text, exitCode } = await runLine(process.argv.slice(2), process.env);
  // Whoever reads it may go before the end, as `head` does.
  process.stdout.on("error", (fault) => {
    if (!("code" in fault && fault.code === "EPIPE")) throw fault;
  });
  process.stdout.write(text);
  process.exitCode = exitCode;
} catch (thrown) {
  const expected = thrown instanceof UserError || thrown instanceof DocumentProblem;
  process.stderr.write(`${expected ? thrown.message : thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}\n`);
  process.exitCode = 1;
}
