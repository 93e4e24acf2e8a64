import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { openQueryProcess } from "../../lib/engine/query/process/query-process.ts";

/** Starts the engine's process as a function does, tells which one it is, and shows that the function can still read its settings. */
const engine = openQueryProcess();
engine.warm();
const [pid = "0"] = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim().split(" ");
const { stdout } = spawnSync("/bin/sh", ["-c", "echo $AWS_SESSION_TOKEN"], { encoding: "utf8" });
// Whoever asked still looks at both processes: listening keeps this one, and so the engine, until it is told or killed.
process.once("message", () => process.exit());
process.send?.({ engine: Number(pid), secret: stdout.trim() });
