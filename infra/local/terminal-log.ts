import { jsonLog, systemClock } from "../../lib/app/system.ts";
import { saysDiskFull } from "../../lib/core/unavailable.ts";
import type { Log } from "../../lib/ports/system.ts";
import { openActivitySummary } from "./activity-summary.ts";

/** The log of a terminal: a line a second when something happened, only what went wrong, or every line that the functions write. */
export type LogMode = "lines" | "quiet" | "json";

const LINE_MS = 1_000;
/** A full disk makes everything fail: it is said once in this time. */
const DISK_MS = 10_000;

export interface TerminalLog extends Log {
  /** Begins the lines of what happens: what a start does by itself is nobody's doing. `deadLetters` counts what was given up on by now. */
  begin(deadLetters: () => number): void;
  /** Shows no more of what fails: a platform that ends breaks it off itself. */
  end(): void;
}

/** The log of the platform of a data directory at a terminal. `lines` is written to standard output, all else to standard error. */
export const terminalLog = (dataDir: string, mode: LogMode = process.env.LOG === "all" ? "json" : "quiet"): TerminalLog => {
  const log = jsonLog(systemClock, (line) => process.stderr.write(line));
  const summary = openActivitySummary();
  let begun = false;
  let ended = false;
  let diskSaid = Number.NEGATIVE_INFINITY;
  const sayDiskFull = (): void => {
    if (performance.now() - diskSaid < DISK_MS) return;
    diskSaid = performance.now();
    process.stderr.write(`${clock()}  ${diskFull(dataDir)}\n`);
  };
  return {
    begin(deadLetters) {
      begun = mode === "lines";
      if (begun) setInterval(() => say(summary.line(deadLetters())), LINE_MS).unref();
    },
    end() {
      ended = true;
    },
    line(level, event, fields) {
      if (begun) summary.take(event, fields);
      const isShown = !ended && (level === "warn" || level === "error");
      const isDisk = isShown && Object.values(fields).some((value) => typeof value === "string" && saysDiskFull(value));
      if (isDisk) sayDiskFull();
      if (mode === "json" || (isShown && !isDisk)) log.line(level, event, fields);
    },
  };
};

/** The sentence about a full disk. */
const diskFull = (dataDir: string): string =>
  `The disk that ${dataDir} lies on is full: events and queries are answered 503 until there is room. Make some, and the platform goes on by itself; what it has acknowledged is kept.`;

const clock = (): string => new Date(systemClock.now()).toTimeString().slice(0, 8);

const say = (line: string | undefined): void => {
  if (line !== undefined) process.stdout.write(`${clock()}  ${line}\n`);
};
