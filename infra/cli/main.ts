import { UserError } from "../local/user-error.ts";
import { DocumentProblem } from "./apply/problem.ts";
import { run } from "./run.ts";

try {
  process.stdout.write(await run(process.argv.slice(2), process.env));
  process.exitCode = 0;
} catch (thrown) {
  const expected = thrown instanceof UserError || thrown instanceof DocumentProblem;
  process.stderr.write(`${expected ? thrown.message : thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}\n`);
  process.exitCode = 1;
}
