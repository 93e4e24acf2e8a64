import { failureText } from "./failure-text.ts";
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
  process.stderr.write(`${failureText(thrown)}\n`);
  process.exitCode = 1;
}
