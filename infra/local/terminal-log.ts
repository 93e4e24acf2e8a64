import type { Log } from "../../lib/ports/log.ts";
import { jsonLog, systemClock } from "../../lib/world/system.ts";
import { signsOfLife } from "./signs-of-life.ts";

/** What a terminal shows: a line a second when something happened, only what went wrong, or every line that the functions write. */
export type LogMode = "lines" | "quiet" | "json";

const LINE_MS = 1_000;

export interface TerminalLog extends Log {
  /** Begins the lines of what happens: what a start does by itself is nobody's doing. */
  begin(): void;
}

/** The log of a platform at a terminal. `lines` is written to standard output, all else to standard error. */
export const terminalLog = (mode: LogMode = process.env.LOG === "all" ? "json" : "quiet"): TerminalLog => {
  const log = jsonLog(systemClock, (line) => process.stderr.write(line));
  const signs = signsOfLife();
  let begun = false;
  return {
    begin() {
      begun = mode === "lines";
      if (begun) setInterval(() => say(signs.line()), LINE_MS).unref();
    },
    line(level, event, fields) {
      if (begun) signs.take(event, fields);
      if (mode === "json" || level === "warn" || level === "error") log.line(level, event, fields);
    },
  };
};

const say = (line: string | undefined): void => {
  if (line !== undefined) process.stdout.write(`${new Date(systemClock.now()).toTimeString().slice(0, 8)}  ${line}\n`);
};
