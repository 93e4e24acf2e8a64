import { failureText } from "./failure-text.ts";
import { runLine } from "./run.ts";

// Stopped is not done, whoever stopped it: what a script sees of that is 1.
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    process.stderr.write(process.stderr.isTTY ? "\nStopped.\n" : "Stopped.\n");
    process.exit(1);
  });
}

try {
  const { text, exitCode } = await runLine(process.argv.slice(2), process.env);
  process.stdout.on("error", (fault) => {
    // Whoever reads it may go before the end, as `head` does.
    if ("code" in fault && fault.code === "EPIPE") return;
    process.stderr.write(`Standard output cannot be written: ${fault.message}\n`);
    process.exitCode = 1;
  });
  process.exitCode = exitCode;
  process.stdout.write(text);
} catch (thrown) {
  process.stderr.write(`${await failureText(thrown)}\n`);
  process.exitCode = 1;
}
